package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// A study that was paused, or whose process ended in any other way, goes on from its store.
func ExampleResume() {
	dir, err := os.MkdirTemp("", "tarry")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "study.db")
	objective := func(_ context.Context, q tarry.Query) (float64, error) {
		x := q.Float("x")
		return x * (1 - x), nil
	}

	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		panic(err)
	}
	store, err := sqlite.Create(path)
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	run, err := tarry.Start(ctx, s, func(ctx context.Context, q tarry.Query) (float64, error) {
		if q.ID.Evaluation == 8 {
			cancel() // the process is told to end while this one runs
			<-ctx.Done()
			return 0, ctx.Err()
		}
		return objective(ctx, q)
	}, tarry.Options{Budget: 20, Workers: 1, Journal: store})
	if err != nil {
		panic(err)
	}
	first, err := run.Wait()
	fmt.Println(errors.Is(err, context.Canceled), first.Count(tarry.Observed), "of 20")
	store.Close()

	store, err = sqlite.Open(path) // in the next process
	if err != nil {
		panic(err)
	}
	defer store.Close()
	run, err = tarry.Resume(context.Background(), store, objective, tarry.Options{})
	if err != nil {
		panic(err)
	}
	result, err := run.Wait()
	fmt.Println(err, result.Count(tarry.Observed), "of 20")
	fmt.Printf("%.2f at %.1f\n", result.Best.Value, result.Best.Float("x"))
	// Output:
	// true 7 of 20
	// <nil> 20 of 20
	// 0.25 at 0.5
}

// One program starts the study and goes on with it, however often its process ends.
func ExampleStartOrResume() {
	dir, err := os.MkdirTemp("", "tarry")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		panic(err)
	}
	objective := func(_ context.Context, q tarry.Query) (float64, error) {
		x := q.Float("x")
		return x * (1 - x), nil
	}
	for _, budget := range []int{12, 20} { // two processes; the second has more to spend
		store, err := sqlite.OpenOrCreate(filepath.Join(dir, "study.db"))
		if err != nil {
			panic(err)
		}
		run, err := tarry.StartOrResume(context.Background(), store, s, objective, tarry.Options{Budget: budget, Workers: 1})
		if err != nil {
			panic(err)
		}
		result, err := run.Wait()
		fmt.Println(err, result.Count(tarry.Observed), result.Reason)
		store.Close()
	}
	// Output:
	// <nil> 12 budget spent
	// <nil> 20 budget spent
}
