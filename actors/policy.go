package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// policyActor hosts any policy. It has no state: all that a policy may know comes with the message. A policy that
// panics has failed to answer; the loop chooses a point that fills the space in its place.
type policyActor struct {
	policy  policies.Policy
	threads *threads
}

// Receive thinks in the mailbox: there is one thought at a time, and a policy cannot be interrupted anyway.
func (p policyActor) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(*propose); ok {
		ctx.Respond(computed{thought(p.threads.Schedule, func() loop.Event { return m.task.Run(p.policy) }, Unthought(m.ask))})
	}
}

// Unthought is the answer to an ask whose policy ended its goroutine.
func Unthought(ask loop.Ask) loop.Event {
	return ask.Failed("policy ended its goroutine (runtime.Goexit)")
}

// Thought computes an event in a goroutine of its own, so that code which ends its goroutine does not take the caller's
// with it: then the event is the other one.
func Thought(compute func() loop.Event, otherwise loop.Event) loop.Event {
	return thought(func(f func()) { go f() }, compute, otherwise)
}

// thought is Thought with a way to run something in a goroutine of its own.
func thought(run func(func()), compute func() loop.Event, otherwise loop.Event) loop.Event {
	done := make(chan loop.Event, 1)
	run(func() {
		event := otherwise
		defer func() { done <- event }()
		event = compute()
	})
	return <-done
}
