package remote

import (
	"cmp"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/workers"
)

// notAwaited is the fate of an attempt whose study has ended or goes on without it.
const notAwaited = "the study does not wait for it"

// seat is a worker at a study: a guest of its engine.
type seat struct {
	hub     *Hub
	study   *study
	worker  *worker
	place   *actors.Seat // nil before the first slot
	granted int          // slots that the study knows of
	target  int          // slots that are its share
	jobs    map[id]*job  // attempts that were given out, by name
	busy    int          // of them those that take a slot
	gone    bool
}

// job is an attempt that was given to a worker.
type job struct {
	id
	task      workers.Task
	sent      time.Time
	busy      bool // it takes a slot
	cancelled bool // nobody waits for it; it is told to stop until the worker does not name it any more
	answering bool // its result is being taken, which ends the span
	span      span
	about     string // the description of its study
}

// Evaluate sends an attempt to the worker.
func (s *seat) Evaluate(t workers.Task) {
	h := s.hub
	j := &job{id: id{Study: s.study.name, Evaluation: t.Evaluation, Attempt: t.Attempt}, task: t, about: s.study.about}
	name := j.id
	j.Token = s.study.token(h.options.Key, t.Evaluation, t.Attempt, t.X, s.worker.name)
	j.span = h.spans.begin(j.id, s.worker.key)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if s.gone || h.closed {
		j.span.end("the worker had left")
		return // the study has been told
	}
	s.jobs[name] = j
	j.busy = true
	s.busy++
	h.send(s.worker, j)
}

// send sends a job, maybe again.
func (h *Hub) send(w *worker, j *job) {
	j.sent = time.Now()
	m := jobMessage{Epoch: h.options.Epoch, id: j.id, X: point(j.task.X), About: j.about, Parent: j.span.parent()}
	if !j.task.Deadline.IsZero() {
		m.Left = max(time.Until(j.task.Deadline), 1)
	}
	h.publish(w, m)
	if log := h.options.Logger.Check(zap.DebugLevel, "job sent"); log != nil {
		log.Write(about(j.id, w.key)...)
	}
}

func (h *Hub) publish(w *worker, m jobMessage) {
	if err := h.conn.Publish(h.options.Prefix+".job."+w.key.String(), encode(m)); err != nil {
		h.options.Logger.Warn("job not sent", zap.String("worker", w.name), zap.Error(sent(err))) // it is sent again when the worker does not name it
	}
}

// late reports whether the time of an attempt is up, by the clock that decides: that of the study.
func (j *job) late() bool {
	return !j.task.Deadline.IsZero() && !time.Now().Before(j.task.Deadline)
}

// about are the fields of a line about an attempt.
func about(i id, w key) []zap.Field {
	return []zap.Field{zap.String("study", i.Study), zap.Int("evaluation", i.Evaluation), zap.Int("attempt", i.Attempt), zap.String("worker", w.name), zap.String("instance", w.instance)}
}

// Cancel tells the worker to stop an attempt.
func (s *seat) Cancel(evaluation, attempt int) {
	s.hub.mutex.Lock()
	defer s.hub.mutex.Unlock()
	name := id{Study: s.study.name, Evaluation: evaluation, Attempt: attempt}
	if j := s.jobs[name]; j != nil && !j.cancelled && !s.hub.closed {
		j.cancelled = true
		j.span.end("cancelled")
		if !s.study.config.Exclusive {
			s.release(j)
		}
		s.hub.publish(s.worker, jobMessage{Epoch: s.hub.options.Epoch, Stop: []id{name}, Late: j.late()})
		s.hub.share(s.worker)
	}
}

// Ended gives the seat up: the study has ended, or does not want it.
func (s *seat) Ended(err error) {
	h := s.hub
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if s.gone {
		return
	}
	s.clear()
	delete(s.worker.seats, s.study)
	if s.study.over = errors.Is(err, tarry.ErrEnded); !s.study.over {
		s.worker.declined[s.study] = err.Error()
		h.options.Logger.Warn("worker not wanted", zap.String("study", s.study.name), zap.String("worker", s.worker.name), zap.Error(err))
	}
	h.share(s.worker)
}

// clear forgets what was given out.
func (s *seat) clear() {
	s.gone = true
	for _, j := range s.jobs {
		if !j.answering {
			j.span.end(notAwaited)
		}
	}
	s.jobs, s.busy, s.granted, s.target = nil, 0, 0, 0
}

// unseat gives a seat back: what its worker runs starts elsewhere.
func (h *Hub) unseat(s *seat, reason string) {
	if s.gone {
		return
	}
	s.clear()
	delete(s.worker.seats, s.study)
	if s.place != nil {
		s.place.Leave(reason)
	}
}

// answered takes a job off the list when its answer was taken, and reports whether that leaves a slot to others: the seat took more than it has.
func (s *seat) answered(name id, how string) (spared bool) {
	j, before := s.jobs[name], s.taken()
	if j == nil {
		return false
	}
	j.span.end(how)
	delete(s.jobs, name)
	s.release(j)
	return s.taken() < before
}

// release frees the slot of a job.
func (s *seat) release(j *job) {
	if j.busy {
		j.busy = false
		s.busy--
	}
}

func compare(a, b, c, d string) int { return cmp.Or(cmp.Compare(a, b), cmp.Compare(c, d)) }
