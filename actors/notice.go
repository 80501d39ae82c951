package actors

import (
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// Notice is one event as the coordinator saw it, with what became of it: the one stream from which logs, progress and
// metrics are made. It comes when the event is kept. It holds copies; a reader may keep it, and changes nothing in its
// slices.
type Notice struct {
	Study    string // its name
	Seq      uint64 // of the event, 1, 2, 3, …
	At       time.Duration
	Event    loop.Event
	Reaction loop.Reaction // what became of it, and what the loop wanted done

	// Evaluations are as the loop knows them: their X is in the unit cube. Beside them are their queries in user units.
	Evaluation loop.Evaluation // the one that the event is about, after it; Number 0 if none
	X          space.Point     // its query in user units; nil if none
	Incumbent  loop.Evaluation // the best value so far; Number 0 before the first
	IncumbentX space.Point     // its query in user units; nil before the first
	Improved   bool            // whether the event brought it
	Chosen     int             // queries so far
	Spent      int             // of them those that count against the budget, pending ones included
	Pending    int             // evaluations without an outcome
	Budget     int
	Costs      bool    // whether anything says what evaluations cost: a fidelity, a budget in cost, or an answer so far
	Cost       float64 // of the evaluations that count, pending ones included; 0 unless Costs
	Own        float64 // what the evaluation cost that the event is about, or is expected to; 0 unless Costs
	BudgetCost float64 // 0: none
	Counters   loop.Counters
	Coverage   loop.Coverage // of the forecasts so far
	Safety     *loop.Safety  // how the promise about the constraints stands; nil where there is none to be kept
}

// chronicle remembers what a notice says beyond its event.
type chronicle struct {
	at        time.Duration // of the last event
	incumbent int           // number of its evaluation; 0 before the first value
	looked    int           // evaluations that were looked at when they were chosen, for values from elsewhere
	x         space.Point   // its query in user units
	costs     bool          // whether an answer said what it cost
}

// narrate notes what every reader is to be told about an event, once it is kept.
func (d *Driver) narrate(e loop.Stamped, reaction loop.Reaction) {
	d.chronicle.at = e.At
	improved := d.improved(reaction.Evaluation)
	if len(d.readers) == 0 {
		return
	}
	n := Notice{
		Study: d.config.Name, Seq: e.Seq, At: e.At, Event: e.Event, Reaction: reaction,
		Chosen: len(d.loop.Evaluations()), Spent: d.loop.Spent(), Pending: d.loop.Pending(), Budget: d.loop.Config().Budget, Counters: d.loop.Counters(),
		Coverage: d.loop.Coverage(), Safety: d.loop.Safety(),
	}
	if number := reaction.Evaluation; number >= 1 && number <= n.Chosen {
		n.Evaluation = d.loop.Evaluations()[number-1]
		n.X = n.Evaluation.Point(d.config.Study.Space)
	}
	d.charge(&n)
	n.Improved = improved
	if d.chronicle.incumbent > 0 {
		n.Incumbent, n.IncumbentX = d.loop.Evaluations()[d.chronicle.incumbent-1], d.chronicle.x
	}
	d.untold = append(d.untold, n)
	if d.config.Journal == nil {
		d.tellReaders()
	}
}

// charge says what evaluations cost, where anything does. Cost O(n) there, and O(1) elsewhere.
func (d *Driver) charge(n *Notice) {
	e := &n.Evaluation
	said := e.Measured && e.Cost > 0
	d.chronicle.costs = d.chronicle.costs || said
	if n.Costs = d.costs(); !n.Costs {
		return
	}
	n.Cost, n.BudgetCost = d.loop.Cost(), d.loop.Config().BudgetCost
	switch {
	case said:
		n.Own = e.Cost
	case e.Number > 0:
		n.Own = d.config.Study.Space.Cost(e.X)
	}
}

// costs reports whether anything says what evaluations cost.
func (d *Driver) costs() bool {
	_, has := d.config.Study.Space.Fidelity()
	return has || d.chronicle.costs || d.loop.Config().BudgetCost > 0
}

// improved keeps the number of the incumbent and reports whether an event about an evaluation brought it: as an answer, or from
// elsewhere.
func (d *Driver) improved(about int) (improved bool) {
	all := d.loop.Evaluations()
	if about >= 1 && about <= len(all) {
		improved = d.better(&all[about-1])
	}
	for ; d.chronicle.looked < len(all); d.chronicle.looked++ {
		improved = d.better(&all[d.chronicle.looked]) || improved
	}
	return improved
}

// better makes an evaluation the incumbent if its value is better.
func (d *Driver) better(e *loop.Evaluation) bool {
	if !e.Counts() {
		return false
	}
	d.reached = d.reached || d.suffices(e.Value)
	if k := d.chronicle.incumbent; k > 0 && !d.config.Study.Better(e, &d.loop.Evaluations()[k-1]) {
		return false
	}
	d.chronicle.incumbent, d.chronicle.x = e.Number, e.Point(d.config.Study.Space)
	return true
}
