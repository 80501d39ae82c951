package actors

// owed are the attempts that workers from outside were told to cancel and that have not returned, where the study is Exclusive, so that they
// say so. What they bring counts: the end of the study waits for them as it does for those of the coordinator's own workers.
type owed struct {
	by   map[tried]int // number of the worker
	none chan struct{} // closed when there are none; nil: nobody waits for that
	over bool          // none is closed
}

// tried is an attempt at an evaluation.
type tried struct{ evaluation, attempt int }

// owes notes that an attempt was cancelled.
func (o *owed) owes(worker, evaluation, attempt int) {
	if o.by == nil {
		o.by = map[tried]int{}
	}
	o.by[tried{evaluation, attempt}] = worker
}

// returned notes that a worker has said something of an attempt.
func (o *owed) returned(evaluation, attempt int) {
	delete(o.by, tried{evaluation, attempt})
	o.look()
}

// left forgets what a worker owes that has left.
func (o *owed) left(worker int) {
	for which, by := range o.by {
		if by == worker {
			delete(o.by, which)
		}
	}
	o.look()
}

// forgive forgets everything.
func (o *owed) forgive() {
	o.by = nil
	o.look()
}

// settled returns what is closed when nothing is owed.
func (o *owed) settled() <-chan struct{} {
	if o.none == nil {
		o.none = make(chan struct{})
	}
	o.look()
	return o.none
}

func (o *owed) look() {
	if o.none != nil && !o.over && len(o.by) == 0 {
		o.over = true
		close(o.none)
	}
}

// cancelled notes what the worker of an attempt owes that is told to cancel it, unless the attempt has its value.
func (c *coordinator) cancelled(worker, evaluation, attempt int) {
	m, there := c.crew.byNumber[worker]
	e := c.evaluation(evaluation)
	if there && !m.own && c.config.Study.Exclusive && !(e.Attempt == attempt && e.Measured) {
		c.owed.owes(worker, evaluation, attempt)
	}
}
