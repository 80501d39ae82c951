package actors_test

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// rig is an actor of an existing system that does measurements; here it becomes a worker of the study.
type rig struct{ study *actor.PID }

func (r *rig) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(r.study, actors.Join{Slots: 1})
	case actors.Evaluate:
		x := m.Task.X[0]
		answer := outcome.Answer{Evaluation: m.Task.Evaluation, Attempt: m.Task.Attempt, Outcome: outcome.Outcome{Value: x * (1 - x)}}
		ctx.Respond(answer) // or later, with Send to the same PID
	}
}

// A coordinator inside an actor system that exists already. Two actors of that system evaluate its queries.
func Example() {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		panic(err)
	}
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		panic(err)
	}
	props, err := actors.New(context.Background(), actors.Config{Study: loop.Config{Space: s, Budget: 20}, Policy: policy})
	if err != nil {
		panic(err)
	}
	system := actor.NewActorSystem()
	study := system.Root.Spawn(props)
	for range 2 {
		system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &rig{study} }))
	}
	answer, err := system.Root.RequestFuture(study, actors.Await{}, time.Minute).Result()
	if err != nil {
		panic(err)
	}
	end := answer.(actors.Ended)
	fmt.Printf("%d evaluations, best %.2f, %v\n", len(end.Result.Evaluations), end.Result.Best.Value, end.Err)
	// Output: 20 evaluations, best 0.25, <nil>
}
