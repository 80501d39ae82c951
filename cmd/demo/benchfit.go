package main

import (
	"context"
	"math"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/surrogate"
)

// learnedShare is the share of the answers at which the fit before the timed one is made, so that the timed one starts
// where it would in a study: between two fits the loop lets the answers grow by about a fifth.
const learnedShare = 5. / 6

// learn times the fit of n answers, which starts from the hyperparameters of one of fewer answers.
func (r *sizing) learn(ctx context.Context, c *costs) error {
	var start *loop.Fitted
	if fewer := int(learnedShare * float64(r.n)); fewer >= minAnswers {
		s, err := r.newStudy(r.n, 0)
		if err == nil {
			err = s.reachFit(ctx, fewer, nil)
		}
		if err != nil {
			return err
		}
		if start, _, err = fitOnce(*s.fit); err != nil {
			return err
		}
	}
	s, err := r.newStudy(r.n, 0)
	if err == nil {
		err = s.reachFit(ctx, r.n, start)
	}
	if err != nil {
		return err
	}
	r.fit = *s.fit
	var seconds []float64
	for sum := 0.; len(seconds) < 5 && sum < 0.5; sum += seconds[len(seconds)-1] {
		if err := ctx.Err(); err != nil {
			return err
		}
		begin := time.Now()
		hyper, report, err := fitOnce(r.fit)
		if err != nil {
			return err
		}
		seconds = append(seconds, time.Since(begin).Seconds())
		r.hyper, c.fitEvaluations, c.fitRows = hyper, report.Evaluations, report.Rows
	}
	c.fit = medianOf(seconds)
	return nil
}

// fitOnce is loop.Fit.Run with its report.
func fitOnce(f loop.Fit) (*loop.Fitted, surrogate.FitReport, error) {
	prior, report, err := fitted(f, f.Options)
	if err != nil {
		return nil, report, err
	}
	hyper := prior.Kernel.Params()
	for i, v := range hyper {
		hyper[i] = math.Exp(v)
	}
	return &loop.Fitted{Hyper: hyper, Noise: prior.Noise, LogEvidence: report.LogEvidence}, report, nil
}

// fitted fits the data of an effect with these options.
func fitted(f loop.Fit, o surrogate.FitOptions) (surrogate.Prior, surrogate.FitReport, error) {
	return surrogate.Fit(f.Start, f.X, f.Y, o, rng.New(f.Seed, rng.Fit, uint64(f.ID)))
}
