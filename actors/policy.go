package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// policyActor hosts any policy. It has no state: all that a policy may know comes with the message. A policy that
// panics has failed to answer; the loop chooses a uniform point in its place.
type policyActor struct {
	policy policies.Policy
	seed   uint64
}

// Receive thinks in the mailbox: there is one thought at a time, and a policy cannot be interrupted anyway.
func (p policyActor) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(propose); ok {
		ctx.Respond(loop.Propose(m.ask, m.view, p.policy, p.seed))
	}
}
