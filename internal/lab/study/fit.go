package study

import (
	"context"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/surrogate"
)

// MinAnswers is how many answers there are at least before hyperparameters are fitted.
const MinAnswers = 3

// learnedShare is the share of the answers at which the fit before another one is made, so that this starts where it
// would in a study: between two fits the loop lets the answers grow by about a fifth.
const learnedShare = 5. / 6

// OpenFit returns the fit of so many answers as the loop asks for it. It starts from the hyperparameters of one of fewer.
func (w Setting) OpenFit(ctx context.Context, answers int, seed uint64) (loop.Fit, error) {
	var start *loop.Fitted
	if fewer := int(learnedShare * float64(answers)); fewer >= MinAnswers {
		s, err := w.NewStudy(answers, seed)
		if err == nil {
			err = s.ReachFit(ctx, fewer, nil)
		}
		if err != nil {
			return loop.Fit{}, err
		}
		if start, _, err = Fitted(*s.Fit); err != nil {
			return loop.Fit{}, err
		}
	}
	s, err := w.NewStudy(answers, seed)
	if err == nil {
		err = s.ReachFit(ctx, answers, start)
	}
	if err != nil {
		return loop.Fit{}, err
	}
	return *s.Fit, nil
}

// Fitted is loop.Fit.Run with its report.
func Fitted(f loop.Fit) (*loop.Fitted, surrogate.FitReport, error) {
	h, report, err := f.Report()
	if err != nil {
		return nil, report, err
	}
	return &loop.Fitted{Hyper: h.Kernel, Noise: h.Noise, LogEvidence: h.LogEvidence, Kernel: h.Name, Warp: h.Warp, Shift: h.Shift, Scale: h.Scale, Outliers: h.Outliers, Penal: h.Penal, Penalty: h.Penalty, Particles: h.Particles, Doubtful: h.Doubtful}, report, nil
}
