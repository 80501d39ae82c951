package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tarry-bo/tarry"
)

// train stands for a training run: best at rate 0.01 with 5 layers.
func train(_ context.Context, rate float64, layers int) (float64, error) {
	return 1 - math.Pow(math.Log10(rate)+2, 2)/4 - math.Pow(float64(layers)-5, 2)/20, nil
}

func Example() {
	ctx := context.Background()
	s, err := tarry.NewSpace(tarry.LogFloat("rate", 1e-5, 1), tarry.Int("layers", 1, 8))
	if err != nil {
		panic(err)
	}
	result, err := tarry.Maximize(ctx, s, func(ctx context.Context, q tarry.Query) (float64, error) {
		return train(ctx, q.Float("rate"), q.Int("layers"))
	}, tarry.Options{Budget: 40, Workers: 4})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d layers, accuracy %.2f\n", result.Best.Int("layers"), result.Best.Value)
	// Output: 5 layers, accuracy 1.00
}

// A shop shows a price and learns only later whether it sold: the objective sets something in motion, and Tell brings
// the answer.
func ExampleStart() {
	s, err := tarry.NewSpace(tarry.Float("price", 1, 9))
	if err != nil {
		panic(err)
	}
	shown := make(chan tarry.Query, 30)
	run, err := tarry.Start(context.Background(), s, func(_ context.Context, q tarry.Query) (float64, error) {
		shown <- q
		return 0, tarry.ErrAnswerFollows // the worker is free again
	}, tarry.Options{Budget: 30, Workers: 2})
	if err != nil {
		panic(err)
	}
	go func() {
		for q := range shown { // elsewhere, any time later, in any order
			price := q.Float("price")
			if err := q.Tell(price * (9 - price)); err != nil {
				fmt.Println(err)
			}
		}
	}()
	result, err := run.Wait()
	close(shown)
	fmt.Printf("%d prices tried, income %.0f, %v\n", len(result.Evaluations), result.Best.Value, err)
	// Output: 30 prices tried, income 20, <nil>
}

func ExampleStudy() {
	s, err := tarry.NewSpace(tarry.Float("temperature", 20, 90), tarry.Categorical("solvent", "water", "ethanol"))
	if err != nil {
		panic(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 24, Seed: 1})
	if err != nil {
		panic(err)
	}
	for {
		q, err := study.Ask()
		if errors.Is(err, tarry.ErrEnded) { // the budget is spent and every answer was told
			break
		}
		if err != nil {
			panic(err)
		}
		yield := 80 - math.Pow(q.Float("temperature")-60, 2)/20
		if q.Choice("solvent") == "water" {
			yield -= 10
		}
		if err := study.Tell(q.ID, yield); err != nil { // hours later, in any order
			fmt.Println(err)
		}
	}
	best := study.Result().Best
	fmt.Printf("%.0f degrees in %s: %.0f %%\n", best.Float("temperature"), best.Choice("solvent"), best.Value)
	// Output: 60 degrees in ethanol: 80 %
}

// Queries may be limited to a list: here to the rooms that exist.
func ExampleNewList() {
	rooms := []tarry.Point{{12, 0}, {20, 0}, {20, 1}, {35, 1}, {60, 2}}
	s, err := tarry.NewList(rooms, tarry.Float("area", 0, 100), tarry.Int("windows", 0, 4))
	if err != nil {
		panic(err)
	}
	result, err := tarry.Minimize(context.Background(), s, func(_ context.Context, q tarry.Query) (float64, error) {
		return math.Abs(q.Float("area")-30) - float64(q.Int("windows")), nil
	}, tarry.Options{Budget: 10, Workers: 1})
	fmt.Println(result.Best.Query, err)
	// Output: area=35 windows=1 <nil>
}

func ExampleMinimize() {
	s, err := tarry.NewSpace(tarry.Float("x", -5, 10), tarry.Float("y", 0, 15))
	if err != nil {
		panic(err)
	}
	branin := func(_ context.Context, q tarry.Query) (float64, error) {
		x, y := q.X[0], q.X[1]
		return math.Pow(y-5.1/(4*math.Pi*math.Pi)*x*x+5/math.Pi*x-6, 2) + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10, nil
	}
	result, err := tarry.Minimize(context.Background(), s, branin, tarry.Options{Budget: 100, Workers: 4})
	fmt.Printf("%.1f, %v\n", result.Best.Value, err)
	// Output: 0.4, <nil>
}

// Cancelling the context is a normal ending: what is known comes back.
func ExampleMaximize_timeLimit() {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	result, err := tarry.Maximize(ctx, s, func(ctx context.Context, q tarry.Query) (float64, error) {
		select {
		case <-time.After(time.Millisecond):
			return q.Float("x"), nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}, tarry.Options{Budget: tarry.MaxBudget, Workers: 4})
	fmt.Println(result.Best != nil, errors.Is(err, context.DeadlineExceeded))
	// Output: true true
}
