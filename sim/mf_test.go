package sim_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/sim/fidelity"
	"github.com/tarry-bo/tarry/space"
)

func TestTryMF(t *testing.T) {
	names := strings.Split(os.Getenv("ARMS"), ",")
	noise := math.Sqrt(.1)
	if os.Getenv("NOISE") != "" {
		fmt.Sscan(os.Getenv("NOISE"), &noise)
	}
	budget := 500.
	if os.Getenv("BUDGET") != "" {
		fmt.Sscan(os.Getenv("BUDGET"), &budget)
	}
	seeds := 16
	for _, name := range names {
		var mu sync.Mutex
		var wg sync.WaitGroup
		var rs, ls []float64
		n := map[float64]int{}
		sem := make(chan bool, 2)
		for seed := range seeds {
			wg.Add(1)
			sem <- true
			go func() {
				defer func() { <-sem; wg.Done() }()
				fp := fidelity.Hartmann(uint64(seed), 0)
				ps := append([]space.Parameter{}, fp.Parameters...)
				ps = append(ps, space.Ordered("m", fp.Levels...).AsFidelity(fp.Costs...))
				s, _ := space.New(ps...)
				_, max := fp.Optimum()
				p := sim.Problem{Name: "mf", Space: s, Value: fp.At, Maximum: max}
				pol, err := policies.Parse(name)
				if err != nil {
					panic(err)
				}
				var last *loop.Loop
				per, err := sim.Run(context.Background(), sim.Scenario{Problem: p, Policy: pol, Delay: delay.Fixed{}, Workers: 1, Rounds: 100, Initial: 14, Seed: uint64(seed), BudgetCost: budget, Noise: noise},
					func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error { last = l; if f, ok := e.Event.(loop.ProposeFailed); ok && seed == 0 { fmt.Println(f.Reason) }; return nil })
				if err != nil {
					panic(err)
				}
				x, _, err := last.Recommend(nil)
				if err != nil {
					panic(err)
				}
				r := max - p.Value(x)
				mu.Lock()
				defer mu.Unlock()
				rs = append(rs, r)
				ls = append(ls, math.Log10(r))
				if seed < 0 {
					v := last.View(); fmt.Println(v.Posterior.Prior().Kernel.Name(), v.Posterior.Prior().Kernel.Values(), v.Posterior.Prior().Noise)
				}
				for _, e := range per.Result.Evaluations {
					n[s.Value(e.X)[6]]++
				}
			}()
		}
		wg.Wait()
		m, sd := stats(rs)
		lm, lsd := stats(ls)
		fmt.Printf("%-20s regret %.3f ± %.3f  log10 %.2f ± %.2f %v\n", name, m, sd, lm, lsd, n)
	}
}

func stats(v []float64) (m, se float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	for _, x := range v {
		se += (x - m) * (x - m)
	}
	return m, math.Sqrt(se/float64(len(v)-1)) / math.Sqrt(float64(len(v)))
}
