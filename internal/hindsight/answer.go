package hindsight

import (
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// answer is what a policy said to an ask.
type answer struct {
	ask       int
	proposals []policies.Proposal // nil where it failed
	failure   string              // why
}

// answerOf reads the event that answers an ask, and reports whether an event is one.
func answerOf(e loop.Event) (answer, bool) {
	switch e := e.(type) {
	case loop.Proposed:
		return answer{ask: e.Ask, proposals: e.Proposals, failure: "its proposal is no point of the space"}, true
	case loop.ProposeFailed:
		return answer{ask: e.Ask, failure: e.Reason}, true
	}
	return answer{}, false
}

// again is the answer of a policy that is asked once more.
func again(ask loop.Ask, view policies.View, p policies.Policy, seed uint64) answer {
	a, _ := answerOf(loop.Propose(ask, view, p, seed))
	return a
}

// reply is the event that answers an ask with one proposal.
func reply(ask loop.Ask, p policies.Proposal, trouble loop.Trouble) loop.Event {
	return loop.Proposed{Ask: ask.ID, Proposals: []policies.Proposal{p}, Trouble: trouble}
}

// usable returns the proposal as the loop takes it, and false where it takes none.
func (a answer) usable(s space.Space) (policies.Proposal, bool) {
	if len(a.proposals) != 1 || s.ContainsUnit(a.proposals[0].X) != nil {
		return policies.Proposal{}, false
	}
	p := a.proposals[0]
	p.X = s.Snap(p.X)
	return p, true
}
