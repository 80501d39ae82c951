package hindsight

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// ErrApart says that a study cannot be followed with the model of another policy beyond some evaluation: its loop would have gone
// another way whatever the policy had proposed.
var ErrApart = errors.New("the study cannot be followed with the model of the other policy")

// shadow is the same study with the model that another policy wants: the same events lead to the same evaluations, and its fits
// are its own.
type shadow struct {
	*follower
	seq     uint64
	trouble loop.Trouble // of the open ask
}

// ErrUnfit says that a policy cannot be that of such a study.
var ErrUnfit = errors.New("the policy cannot serve this study")

// shadowed is the configuration of another study with the traits of another policy. Its barrier stays that of the study, and so does what it
// begins with: queries are asked for when they were.
func shadowed(c loop.Config, p policies.Policy) loop.Config {
	c.Barrier = cmp.Or(c.Barrier, c.Traits.Barrier, 1)
	if c.Traits.Bandit {
		c.Initial = 0 // its policy is asked from the first query on
	}
	if t := p.Traits(); t.Particles != c.Traits.Particles || !slices.Equal(t.Layers, c.Traits.Layers) {
		c.Learned = nil // it means nothing to the other
	}
	if !p.Traits().Taught {
		c.Taught = nil
	}
	if !p.Traits().Earlier {
		c.Earlier = nil
	}
	_, has := c.Space.Fidelity()
	fidelities := has && c.Traits.Fidelities
	c.Traits = p.Traits()
	if fidelities && !c.Traits.Fidelities { // the study chose them, its design among them: what follows it is no policy of that name
		c.Traits.Fidelities, c.Traits.Name = true, c.Traits.Name+", of queries at any fidelity"
	}
	if c.TakesPrior() != nil {
		c.Prior = nil
	}
	return c
}

// newShadow returns a study that follows another one.
func newShadow(c loop.Config) (*shadow, error) {
	l, err := loop.NewFollower(c)
	if err != nil {
		return nil, err
	}
	return &shadow{follower: follow(l)}, nil
}

// nothing is an event that lets time pass: it answers no fit.
var nothing loop.Event = loop.FitFailed{}

// mirror takes the event that the study has taken, as it means it. What was asked of the policy is answered with what the study
// chose; a fit is answered with one of its own, at the time at which that of the study was, or at once where it had none open or its next
// query did not wait for one: the other model may be due for hyperparameters when that of the study is not.
func (s *shadow) mirror(r journal.Record, study *follower, asked bool, reaction loop.Reaction) error {
	e, before := r.Event, s.ask.ID
	_, answers := answerOf(e.Event)
	switch {
	case answers && asked && s.ask.ID != 0:
		e.Event = s.chosen(study, reaction)
	case answers:
		e.Event = nothing
	case reaction.Fit > 0:
		e.Event = nothing
		if s.fit != nil && study.fit == nil {
			e.Event = s.fit.Run()
		}
	}
	for {
		s.seq++
		e.Seq = s.seq
		if _, err := s.step(e); err != nil {
			return err
		}
		if waits := study.ask.ID != 0 && s.ask.ID == 0; s.fit == nil || study.fit != nil && !waits {
			break
		}
		e.Event = s.fit.Run()
	}
	if s.ask.ID != before { // by the events of the study: its own are more
		s.asked = r.Event.Seq
	}
	return s.together(study)
}

// chosen answers the open ask with the evaluation that the study made of its own.
func (s *shadow) chosen(study *follower, reaction loop.Reaction) loop.Event {
	all := study.loop.Evaluations()
	if reaction.Evaluation < 1 || reaction.Evaluation > len(all) {
		return s.ask.Failed("the study chose nothing")
	}
	e := all[reaction.Evaluation-1]
	return reply(s.ask, policies.Proposal{X: e.X, Forecast: e.Forecast}, s.trouble)
}

// together returns an error where the evaluations are not those of the study.
func (s *shadow) together(study *follower) error {
	a, b := study.loop.Evaluations(), s.loop.Evaluations()
	if n := len(a); n != len(b) {
		return fmt.Errorf("%w: #%d is chosen in one of them only", ErrApart, min(n, len(b))+1)
	} else if n > 0 && !slices.Equal(a[n-1].X, b[n-1].X) {
		return fmt.Errorf("%w: #%d would be moved away from another query", ErrApart, n)
	}
	return nil
}

// view is that of the open ask, with what its model needed.
func (s *shadow) view() (view policies.View, err error) {
	view, s.trouble, err = s.follower.view()
	return view, err
}
