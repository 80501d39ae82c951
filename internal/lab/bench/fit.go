package bench

import (
	"context"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/study"
)

// learn times the fit of n answers, which starts from the hyperparameters of one of fewer answers.
func (r *sizing) learn(ctx context.Context, c *costs) (err error) {
	if r.fit, err = r.OpenFit(ctx, r.n, r.seed); err != nil {
		return err
	}
	var seconds []float64
	for sum := 0.; len(seconds) < 5 && sum < 0.5; sum += seconds[len(seconds)-1] {
		if err := ctx.Err(); err != nil {
			return err
		}
		begin := time.Now()
		hyper, report, err := study.Fitted(r.fit)
		if err != nil {
			return err
		}
		seconds = append(seconds, time.Since(begin).Seconds())
		r.hyper, c.fitEvaluations, c.fitRows = hyper, report.Evaluations, report.Rows
	}
	c.fit = medianOf(seconds)
	return nil
}
