package tarry_test

import (
	"context"
	"fmt"
	"math"

	"github.com/tarry-bo/tarry"
)

// Evaluations at fewer epochs cost less and say less. The budget is what all of them may cost together, and the best is one of 27 epochs.
func Example_fidelity() {
	s, err := tarry.NewSpace(tarry.LogFloat("lr", 1e-3, 1), tarry.Ordered("epochs", 1, 3, 9, 27).AsFidelity(1, 3, 9, 27))
	if err != nil {
		panic(err)
	}
	train := func(_ context.Context, q tarry.Query) (float64, error) {
		l := math.Log(q.Float("lr") / 0.03)
		return 1 - l*l/20 - 1/(1+q.Float("epochs")), nil
	}
	result, err := tarry.Maximize(context.Background(), s, train, tarry.Options{BudgetCost: 300, Workers: 1, Seed: 1})
	if err != nil {
		panic(err)
	}
	below := 0
	for _, e := range result.Evaluations {
		if e.Below {
			below++
		}
	}
	fmt.Printf("a cost of %v of %v, accuracy %.2f with lr %.2f and %d epochs\n", result.Cost, result.BudgetCost, result.Best.Value, result.Best.Float("lr"), result.Best.Int("epochs"))
	fmt.Println("more evaluations than 11 at 27 epochs each:", len(result.Evaluations) > 11, "- some of them at fewer epochs:", below > 0)
	// Output:
	// a cost of 300 of 300, accuracy 0.96 with lr 0.03 and 27 epochs
	// more evaluations than 11 at 27 epochs each: true - some of them at fewer epochs: true
}
