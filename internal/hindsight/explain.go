// Package hindsight looks again at the choices that a journal holds: why a query was chosen, and where another policy would have
// chosen otherwise.
//
//	e, err := hindsight.Explain(store, 27)
//	summary, err := hindsight.Compare(ctx, store, hindsight.Options{Policy: other}, each)
//
// Nothing is written: a study is replayed, and its policy is asked once more what it was asked then.
package hindsight

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// ErrNoEvaluation says that a study has no evaluation of that number.
var ErrNoEvaluation = errors.New("no such evaluation")

// Explained says why a query was chosen, and what came of it. Values are in the user's units and sense, as the policy saw them
// when it chose.
type Explained struct {
	Evaluation loop.Evaluation `json:"-"` // as it is at the end of the journal
	How        How             `json:"how"`
	Words      string          `json:"words"`
	Again      int             `json:"again,omitempty"` // the lost evaluation whose point it repeats
	Drawn      []string        `json:"drawn,omitempty"` // the parameters of an enqueued point that were left open
	Policy     string          `json:"policy"`
	Asked      bool            `json:"asked"` // whether the policy was asked: the rest is there only then

	Same        *bool        `json:"recomputed,omitempty"` // whether the policy proposes the same, to the bit, once more
	Differs     string       `json:"differs,omitempty"`    // how it does not, or why nobody can tell
	Incumbent   *Observed    `json:"incumbent"`
	Answers     int          `json:"answers"` // that the policy had seen
	Model       *Model       `json:"model"`
	Acquisition *Acquisition `json:"acquisition"`
	Chosen      *Place       `json:"chosen,omitempty"`
	Proposed    *Place       `json:"proposed,omitempty"` // what the policy proposed, where the study moved away from it: what follows is said of that point
	Others      []Place      `json:"others,omitempty"`
	Settled     bool         `json:"settled,omitempty"`  // the acquisition is greater at a point that was queried or is as good as known, and needs no query
	Vain        bool         `json:"vain,omitempty"`     // with Settled: what the chosen point is expected to improve is too small for a number, and its logarithm chose
	Unlikely    bool         `json:"unlikely,omitempty"` // with Settled: the chosen point is not likely to be feasible
	Near        int          `json:"near,omitempty"`     // the acquisition is greater so close to this evaluation that the policy chose elsewhere; 0 for none
	Outside     bool         `json:"outside,omitempty"`  // the acquisition is greater where a query is not likely to succeed
	Missed      bool         `json:"missed,omitempty"`   // the acquisition is greater at a point that the policy did not find
	Imputed     []Imputed    `json:"imputed"`
	Without     *Place       `json:"without,omitempty"` // what the policy would have proposed had nothing pended
	Surprise    *Number      `json:"surprise_sd"`       // the value less its forecast, in standard deviations of the forecast
}

// Observed is a value that had come.
type Observed struct {
	Evaluation int    `json:"evaluation"`
	X          Point  `json:"x"`
	Value      Number `json:"value"`
}

// Explain says why evaluation number was chosen. An error wraps ErrNoEvaluation and names the range, or is one of
// journal.Replay. Cost O(n) for each event, and that of some proposals.
func Explain(s journal.Source, number int) (Explained, error) {
	h, end, err := read(s)
	if err != nil {
		return Explained{}, err
	}
	switch n := len(end.Evaluations()); {
	case n == 0:
		return Explained{}, fmt.Errorf("%w: #%d, and the study has none yet", ErrNoEvaluation, number)
	case number < 1 || number > n:
		return Explained{}, fmt.Errorf("%w: #%d, want one of 1 … %d", ErrNoEvaluation, number, n)
	}
	c, err := find(s, h, number)
	if err != nil {
		return Explained{}, err
	}
	e := Explained{Evaluation: end.Evaluations()[number-1], Policy: h.Config.Traits.Name, Imputed: []Imputed{}}
	e.How, e.Words, e.Again = c.way(number)
	if e.How == Enqueued {
		if e.Drawn, err = drawn(s, h.Config.Space, end.Evaluations(), number); err != nil {
			return Explained{}, err
		}
		if len(e.Drawn) > 0 {
			e.Words += ", who left open, to be drawn at random: " + strings.Join(e.Drawn, ", ")
		}
	}
	e.Evaluation.Forecast = end.Foretold(&e.Evaluation)
	e.Surprise = surprise(h.Config, e.Evaluation)
	if c.ask.ID != 0 {
		e.asked(c)
	}
	return e, nil
}

// asked explains what the policy was asked and answered.
func (e *Explained) asked(c choice) {
	e.Asked = true
	if c.unviewed != nil {
		e.Differs = c.unviewed.Error()
		return
	}
	config, view := c.study.Config(), c.view
	policy, err := policies.Parse(e.Policy)
	if err != nil {
		policy = nil // of the program that made the study
	}
	chosen, meant := e.Evaluation.X, e.Evaluation.X // by the study, and by the policy
	if p, is := c.answer.usable(config.Space); is && distance(p.X, chosen) > 0 {
		if meant = p.X; e.How == ByPolicy {
			e.Words = c.moved(meant, e.Evaluation)
		}
	}
	j := judge{config: config, view: view.Avoiding(), seen: awaiting(config.Traits, view)}
	if policy != nil {
		if j, err = judged(config, policy, view); err != nil {
			e.Differs = err.Error()
		}
		e.repeat(c, policy)
	} else {
		e.Differs = "the policy is one of the program that made the study"
	}
	e.Answers, e.Imputed, e.Incumbent = len(view.History), imputed(config, view, c.study.Evaluations()), incumbent(config, view)
	if view.Informed() || view.Posterior != nil && len(view.History) > 0 {
		e.Model = model(view, config.Sense())
	}
	if e.How == ByPolicy && !view.Informed() && j.explanation.Function == nil && policy != nil {
		e.How = AtRandom
	}
	if j.explanation.Function == nil && j.explanation.Why != "" && e.How != Fallback {
		e.Words += "; " + policies.Worded(j.explanation.Why, config.Sense())
	}
	e.Acquisition = j.acquisition()
	place := j.at("chosen", chosen)
	if place.Evaluation > 0 && e.How == ByPolicy {
		e.Words += fmt.Sprintf("; the point is that of #%d, once more", place.Evaluation)
	}
	if distance(meant, chosen) > 0 {
		proposed := j.at("proposed", meant)
		e.Proposed = &proposed
	}
	e.Chosen, e.Others = &place, j.others(chosen, meant)
	d := j.displaced(meant, e.Others)
	e.Settled, e.Near, e.Outside, e.Missed = d.settled, d.near, d.outside, d.missed
	if d.settled {
		e.Vain, e.Unlikely = j.improves(meant)
	}
	if len(view.Pending) > 0 && policy != nil {
		e.without(c, policy)
	}
}

// without says what the policy would have proposed had nothing been pending, as its model would have seen it then.
func (e *Explained) without(c choice, policy policies.Policy) {
	config, view := c.study.Config(), c.view.WithoutPending()
	p, is := again(c.ask, view, policy, config.Seed).usable(config.Space)
	if !is {
		return
	}
	j, err := judged(config, policy, view)
	if err != nil {
		j = judge{config: config, view: view.Avoiding(), seen: view.Posterior}
	}
	place := j.at("had nothing been pending", p.X)
	e.Without = &place
}

// repeat lets the policy propose once more, and says whether it does as recorded.
func (e *Explained) repeat(c choice, policy policies.Policy) {
	then, now := c.answer, again(c.ask, c.view, policy, c.study.Config().Seed)
	same := reflect.DeepEqual(then.proposals, now.proposals)
	e.Same = &same
	a, could := then.usable(c.study.Config().Space)
	b, can := now.usable(c.study.Config().Space)
	switch {
	case same:
	case could && can:
		e.Differs = fmt.Sprintf("it now proposes a point %.3g away in the unit cube, or another forecast", distance(a.X, b.X))
	case can:
		e.Differs = "it now proposes a point"
	default:
		e.Differs = "it now fails: " + now.failure
	}
}

// incumbent is the best value that the policy had seen; nil before the first.
func incumbent(c loop.Config, v policies.View) *Observed {
	if v.Incumbent == nil {
		return nil
	}
	o := &Observed{X: Point{c.Space, c.Space.Value(v.Incumbent)}, Value: Number(math.Inf(-1))}
	for _, a := range v.History {
		if a.Value > float64(o.Value) && reflect.DeepEqual(a.Query.X, v.Incumbent) {
			o.Evaluation, o.Value = a.Query.Number, Number(a.Value)
		}
	}
	o.Value *= Number(c.Sense().Sign())
	return o
}

// surprise is how far a value lies from its forecast; nil where one of them is not there.
func surprise(c loop.Config, e loop.Evaluation) *Number {
	f := e.Forecast
	if f == nil || !valued(c, e) || !f.Sound() || f.Stddev == 0 {
		return nil
	}
	n := Number((unitsOf(f).To(c.Sense().Sign()*e.Value) - f.Mean) / f.Stddev * c.Sense().Sign())
	return &n
}

// distance is the greatest difference of a coordinate.
func distance(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	return floats.Distance(a, b, math.Inf(1))
}
