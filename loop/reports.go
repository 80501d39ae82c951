package loop

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/maturity"
	"github.com/tarry-bo/tarry/model"
)

// An evaluation may report values on its way to the end. What comes of a report:
//
//	a report                                             becomes        and counts as
//	of an evaluation or attempt that there is not        unknown        Unknown
//	whose step or value is not finite                    refused        Malformed
//	of an attempt that has come to its end               ended          Overdue
//	of the greatest step so far, with the same value     repeated       Resaid
//	of the greatest step so far, with another value      contradictory  Contested
//	of an earlier step                                   stale          Stale
//	of a greater step                                    taken          Reports
//
// One that is taken is kept with its evaluation, and is a sign of life for its lease. The first report of another attempt takes the place
// of those of the one before. From evaluations that have come to their end package internal/maturity learns how values at a step go with
// values at the end; what that says of an evaluation that pends is a row of the model of the next ask, and with StopEarly may end it.

// Report is a value that an evaluation brought on its way to the end, at a step.
type Report = maturity.Report

// apply takes a report.
func (e Reported) apply(l *Loop) {
	ev := l.ledger.get(e.Evaluation)
	if ev == nil || e.Attempt < 1 || e.Attempt > ev.Attempt {
		l.became(FateUnknown)
		return
	}
	now := Report{Step: e.Step, Value: e.Value}
	last, reported := ev.Reports.Last()
	reported = reported && ev.Reporter == e.Attempt
	switch {
	case !now.Finite():
		l.dismiss(FateRefused, &l.counts.Malformed)
	case e.Attempt < ev.Attempt || !ev.Running:
		l.dismiss(FateEnded, &l.counts.Overdue)
	case reported && now == last:
		l.dismiss(FateRepeated, &l.counts.Resaid)
	case reported && now.Step == last.Step:
		l.dismiss(FateContradictory, &l.counts.Contested)
	case reported && now.Step < last.Step:
		l.dismiss(FateStale, &l.counts.Stale)
	default:
		l.report(ev, e.Attempt, now)
	}
}

// dismiss counts a report of which nothing is kept.
func (l *Loop) dismiss(f Fate, counter *int) {
	l.reaction.Fate = f
	*counter++
}

func (l *Loop) report(ev *Evaluation, attempt int, now Report) {
	l.reaction.Fate = FateTaken
	l.counts.Reports++
	l.ledger.reporting += bit(len(ev.Reports) == 0)
	if ev.Reporter != attempt {
		ev.Reporter, ev.Reports = attempt, nil
	}
	ev.Reports, ev.Heard = ev.Reports.With(now), l.now
	if ev.Lease > 0 {
		l.ledger.lease(ev, after(l.now, l.config.Lease))
	}
	if why := l.hopeless(ev); why != "" {
		l.counts.Stopped++
		if ev.Holds {
			l.cancel(ev)
		}
		if ev.Forgotten {
			l.recall(ev)
		}
		ev.Reason = why
		l.giveUp(ev, Stopped)
	}
}

// hopeless says why an evaluation that just reported is to be ended, or returns an empty text: by what it reported its value will
// hardly be the best. A value of a lower fidelity is never the best and teaches all the same.
func (l *Loop) hopeless(ev *Evaluation) string {
	if l.config.StopEarly == 0 || ev.Below {
		return ""
	}
	best := l.Best()
	if best == nil {
		return ""
	}
	last, _ := ev.Reports.Last()
	pairs, _ := l.matured(last.Step, l.level(ev))
	p, known := maturity.Near(pairs, last.Value)
	sign := l.config.Sense().Sign()
	chance := p.Exceeds(sign * best.Value)
	if !known || chance >= l.config.StopEarly {
		return ""
	}
	return fmt.Sprintf("its value would be better than %.6g with probability %.2g only: %.6g was expected after step %v", best.Value, chance, sign*p.Mean, last.Step)
}

// level is the fidelity of an evaluation, in the unit cube: values of another tell nothing of how reports of this one go on.
func (l *Loop) level(e *Evaluation) float64 {
	if i, has := l.config.Space.Fidelity(); has {
		return e.X[i]
	}
	return 0
}

// matured are the reports at a step of the evaluations of a fidelity that have come to their end, with their values, and those of all that
// were at the step. Cost O(n).
func (l *Loop) matured(step, level float64) (pairs []maturity.Pair, interims []float64) {
	sign := l.config.Sense().Sign()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if len(e.Reports) == 0 || l.level(e) != level {
			continue
		}
		at, reached := e.Reports.At(step)
		if !reached {
			continue
		}
		if last, _ := e.Reports.Last(); e.Seen > 0 && l.remembers(e) {
			pairs = append(pairs, maturity.Pair{Interim: at, Final: sign * e.Value})
		} else if last.Step < step {
			continue // it was not there yet
		}
		interims = append(interims, at)
	}
	return pairs, interims
}

// foreseen is what the latest reports of evaluations with some status say of their values. What was ended early counts with the value that is
// expected of it: nothing else will come. Cost O(1) where nobody reports, otherwise O(n) for each step that such an evaluation is at.
func (l *Loop) foreseen(with ...Status) []model.Interim {
	if l.ledger.reporting == 0 || !l.config.Traits.Model {
		return nil
	}
	var out []model.Interim
	type place struct{ step, level float64 }
	known := map[place]maturity.Relation{}
	best := l.Best()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		last, reported := e.Reports.Last()
		if !reported || !slices.Contains(with, e.Status) || e.Status == Pending && l.config.IgnoreReports {
			continue
		}
		at := place{last.Step, l.level(e)}
		r, there := known[at]
		if !there {
			r = maturity.Learn(l.matured(at.step, at.level))
			known[at] = r
		}
		if e.Status == Stopped {
			if p, says := r.Final(last.Value); says {
				out = append(out, model.Interim{Number: e.Number, Value: p.Mean, Variance: l.guessed(p, best)})
			}
		} else if m, says := r.Measurement(last.Value); says {
			out = append(out, model.Interim{Number: e.Number, Value: m.Value, Variance: m.Variance})
		}
	}
	return out
}

// hopelessness is by how many of its deviations the value that is expected of what was ended early is away from the best one, for a policy that
// does not hallucinate.
const hopelessness = 30

// guessed is the variance with which the value that is expected of an evaluation that was ended early stands for the one that will not come:
// it is a guess, and a model without noise that took it for a measurement would bend around it, away from values that did come. But what it leaves
// open must not tempt a policy: the point would be chosen again and again, and ended each time. So the query stays in the model as one that pends: a policy
// that hallucinates sees the value that the model expects there besides, and has nothing left to find out, while the mean is where it was. For
// others the guess is more certain than it should be.
func (l *Loop) guessed(expected maturity.Prediction, best *Evaluation) float64 {
	sd := expected.Scale
	if best != nil && l.config.Traits.Pending != feedback.Hallucinate {
		sd = min(sd, math.Abs(l.config.Sense().Sign()*best.Value-expected.Mean)/hopelessness)
	}
	if variance := sd * sd; !math.IsInf(variance, 0) {
		return variance
	}
	return 0 // beyond all measure
}

// soundReports reports whether the reports of an evaluation are finite, their steps ascend, and some attempt said them.
func soundReports(e *Evaluation) bool {
	for i, r := range e.Reports {
		if !r.Finite() || i > 0 && r.Step <= e.Reports[i-1].Step {
			return false
		}
	}
	return len(e.Reports) <= maturity.MaxReports && e.Reporter >= 0 && e.Reporter <= e.Attempt && (e.Reporter > 0) == (len(e.Reports) > 0)
}

func (c *Config) wantsStopEarly() string {
	switch {
	case c.StopEarly == 0:
		return ""
	case len(c.Space.Contexts()) > 0:
		return "0 with contexts: at each another value is the best"
	case c.Traits.Bandit:
		return "0 with policy " + c.Traits.Name + ": it earns nothing from what is ended early"
	case c.Traits.Safety.Seeds:
		return "0 with policy " + c.Traits.Name + ": it counts on the constraints of every evaluation"
	}
	return ""
}
