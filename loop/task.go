package loop

import (
	"fmt"
	"reflect"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// Task is the work of an open Ask: to bring the posteriors up to date and to let the policy choose. It may be done
// anywhere, beside the loop, but by one goroutine, and only as long as the ask is open: it owns the memory of the posteriors
// until its event comes back.
type Task struct {
	ask    Ask
	seed   uint64
	traits policies.Traits
	view   policies.View
	model  model.Task
	named  []outcome.Constraint
}

// Trouble says what it took to compute the posteriors for a query.
type Trouble = model.Trouble

// Task returns the work of the open ask.
func (l *Loop) Task() Task {
	return Task{ask: l.plan.ask, seed: l.config.Seed, traits: l.config.Traits, view: l.plan.view, model: l.model.Plan(), named: l.config.Constraints}
}

// View returns what the policy may know for the open Ask, as things stood when it was asked: the view of its Task.
func (l *Loop) View() policies.View {
	view, _ := l.Task().View()
	return view
}

// View returns what the policy may know, and what its models needed. Cost that of model.Task.Think.
func (t Task) View() (policies.View, Trouble) {
	v := t.view
	beliefs, trouble := t.model.Think()
	own := 1 + len(t.traits.Also)
	v.Belief, v.Also = beliefs[0], beliefs[1:own]
	for i, b := range beliefs[own:] {
		v.Constraints = append(v.Constraints, policies.Constraint{Constraint: t.named[i], Belief: b})
	}
	return v, trouble
}

// Run does all of it and returns the event that answers the ask. A policy that panics has failed; the error carries what
// it said. So has one behind a pointer that was changed since the study began: it would want another model, and its name would
// say what it is not.
func (t Task) Run(policy policies.Policy) (event Event) {
	defer func() {
		if r := recover(); r != nil {
			event = t.ask.Failed(fmt.Sprintf("model panicked: %v", r))
		}
	}()
	if reflect.ValueOf(policy).Kind() == reflect.Pointer { // a value cannot change
		if err := t.traits.Match(policy); err != nil {
			return ProposeFailed{Ask: t.ask.ID, Reason: err.Error()}
		}
	}
	view, trouble := t.View()
	event = Propose(t.ask, view, policy, t.seed)
	if p, ok := event.(Proposed); ok {
		p.Trouble = trouble
		return p
	}
	return event
}

// Failed is the event that says why an ask has no answer.
func (a Ask) Failed(reason string) Event { return ProposeFailed{Ask: a.ID, Reason: reason} }

// Propose is the second half of Task.Run, for a view that is there: it lets the policy answer an ask.
func Propose(ask Ask, view policies.View, policy policies.Policy, seed uint64) (event Event) {
	defer func() {
		if r := recover(); r != nil {
			event = ask.Failed(fmt.Sprintf("policy panicked: %v", r))
		}
	}()
	proposals, err := policies.Propose(policy, view, ask.Count, rng.New(seed, rng.Policy, uint64(ask.Round)))
	if err != nil {
		return ask.Failed(err.Error())
	}
	return Proposed{Ask: ask.ID, Proposals: proposals}
}
