package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/classifiers"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "maturing", Title: "Values on their way: purchases that come late, trainings that report", Source: "tarry's own",
		About: "Offers are shown to visitors, one offer a day, and what a visitor pays within seven days is wanted: with what is reported after one, two, three and five days, without, and " +
			"with what is paid on the first day taken for the value. And a convolutional network and a logistic regression are trained on handwritten digits, split anew by each seed, with four workers: " +
			"all to the end, or ended early by the accuracy after each epoch. Accuracies are of images that training does not see.",
		Rounds: 40,
		Plan:   planMaturing,
	})
}

const (
	maturingPolicy  = "gp-bucb"
	maturingInitial = 6 // offers
	trainedInitial  = 7 // trainings, as many as by default; or half of them
	maturingWorkers = 4
	epochShares     = 20 // of the epochs of full trainings at which the best is recorded
	conversionGroup = "conversions"
	armReports      = "reports"
	armWaits        = "waits for seven days"
	armToTheEnd     = "to the end"
)

var (
	shownRegret   = measure{"shown", "regret of the offers shown so far, % of the greatest", chart.Linear, false}
	offeredRegret = measure{"recommended", "regret of the recommended offer, % of the greatest", chart.Linear, true}
	epochAccuracy = measure{"best", "accuracy of the best so far, %", chart.Linear, true}
	endedWrongly  = measure{"wrongly", "of those ended early, % that would have been the best", chart.Linear, true}
	endedLost     = measure{"lost", "accuracy lost with them, %", chart.Linear, true}
	endedEarly    = measure{"ended", "evaluations ended early, %", chart.Linear, true}
)

func planMaturing(in Input) (Plan, error) {
	arms := []Arm{
		offers(armReports, in.Rounds, func(*sim.Scenario) {}),
		offers(armWaits, in.Rounds, func(s *sim.Scenario) { s.IgnoreReports = true }),
		offers("takes the first day for it", in.Rounds, firstDay),
		offers("seven days at once", in.Rounds, func(s *sim.Scenario) { s.Delay, s.IgnoreReports, s.Problem.Reports = delay.Fixed{Delay: 1}, true, nil }),
	}
	trainings := []reporting{
		{"network", classifiers.NetworkEpochs, classifiers.NetworkCurve}, {"logistic regression", classifiers.LogisticEpochs, classifiers.LogisticCurve},
	}
	for _, t := range trainings {
		arms = append(arms, t.arm(armToTheEnd, in.Rounds, 0))
		for _, stop := range earlyChances {
			arms = append(arms, t.arm(endedAt(stop), in.Rounds, stop))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"policy", maturingPolicy},
		{"epochs", "those of as many trainings to the end as there are rounds; what ends trainings early has more of them for the same epochs"},
	}, Show: func(r Results) []Section { return showMaturing(r, in.Rounds, trainings) }}, nil
}

// earlyChances are those at which trainings are ended.
var earlyChances = []float64{0.01, 0.05, 0.2}

func endedAt(chance float64) string { return fmt.Sprintf("ended early, %v", chance) }

// firstDay takes what is paid on the first day for the value.
func firstDay(s *sim.Scenario) {
	reports := s.Problem.Reports
	s.Delay, s.Problem.Reports = delay.Fixed{Delay: 1}, nil
	s.Problem.Observe = func(x space.Point, stream *rand.Rand) float64 { return reports(x, stream)[0].Value }
}

// offers is an arm of the simulated conversions, judged by what is paid within seven days without noise.
func offers(name string, rounds int, adjust func(*sim.Scenario)) Arm {
	s := study{problem: named("conversions"), policy: maturingPolicy, law: "fixed:7", rounds: rounds, adjust: adjust}
	return Arm{Group: conversionGroup, Name: name, Policy: s.policy, Steps: maturingInitial + rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		scenario, err := s.scenario(seed)
		if err != nil {
			return nil, err
		}
		scenario.Initial = maturingInitial
		p := scenario.Problem
		regret := func(x space.Point) float64 { return 100 * (1 - p.Value(x)/p.Maximum) }
		var shown, recommended []float64
		total := 0.0
		watch := func(l *loop.Loop, _ loop.Stamped, effects []loop.Effect) error {
			for _, effect := range effects {
				d, dispatched := effect.(loop.Dispatch)
				if !dispatched {
					continue
				}
				step()
				if total += regret(d.X); d.Evaluation > maturingInitial {
					shown = append(shown, total/float64(d.Evaluation))
					now := math.NaN()
					if found := recommendedPoint(l); found != nil {
						now = regret(found)
					}
					recommended = append(recommended, now)
				}
			}
			return nil
		}
		if _, err := sim.Run(ctx, scenario, watch); err != nil {
			return nil, err
		}
		return Record{shownRegret.curve: shown, offeredRegret.curve: recommended}, nil
	}}
}

// reporting is a problem that reports after each of its epochs.
type reporting struct {
	group   string
	epochs  int
	problem func(seed uint64) (sim.Problem, error)
}

// arm trains until as many epochs are spent as full trainings for each round take.
func (t reporting) arm(name string, evaluations int, stop float64) Arm {
	return Arm{Group: t.group, Name: name, Policy: maturingPolicy, Steps: epochShares, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		s, err := study{problem: t.problem, policy: maturingPolicy, law: fmt.Sprintf("fixed:%d", t.epochs), rounds: 4 * evaluations}.scenario(seed)
		if err != nil {
			return nil, err
		}
		s.Workers, s.Initial, s.StopEarly, s.IgnoreReports = maturingWorkers, max(min(trainedInitial, evaluations/2), 1), stop, stop == 0
		own, enough := context.WithCancel(ctx)
		defer enough()
		j := epochJudge{value: s.Problem.Value, epochs: t.epochs, budget: evaluations * t.epochs, step: step, enough: enough}
		if _, err := sim.Run(own, s, j.watch); err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) {
			return nil, err
		}
		return j.record(), nil
	}}
}

// epochJudge follows a study by the epochs of the trainings that came to an end of either kind.
type epochJudge struct {
	value          func(x space.Point) float64
	epochs, budget int
	step           func()
	enough         func()

	ended               map[int]bool
	spent               int
	best, missed        float64 // in percent; missed of those that were ended early
	stopped, total, bad int
	curve               []float64
}

func (j *epochJudge) watch(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
	number, _, names := loop.About(e.Event)
	if !names || number < 1 || number > len(l.Evaluations()) || j.spent >= j.budget {
		return nil
	}
	ev := &l.Evaluations()[number-1]
	if j.ended == nil {
		j.ended = map[int]bool{}
	}
	if ev.Status == loop.Pending || j.ended[number] {
		return nil
	}
	j.ended[number] = true
	j.total++
	now := j.epochs
	if ev.Status == loop.Stopped {
		last, _ := ev.Reports.Last()
		now = int(last.Step)
	}
	j.advance(now)
	switch y := 100 * j.value(l.Config().Space.Value(ev.X)); {
	case ev.Status == loop.Stopped:
		j.stopped++
		if j.missed = max(j.missed, y); y > j.best {
			j.bad++
		}
	case ev.Status.Valued():
		j.best = max(j.best, y)
	}
	if j.spent >= j.budget {
		j.enough()
	}
	return nil
}

// advance spends epochs, and records the best at each share of them that was passed.
func (j *epochJudge) advance(epochs int) {
	for j.spent += epochs; len(j.curve) < epochShares-1 && j.spent*epochShares >= j.budget*(len(j.curve)+1); {
		j.curve = append(j.curve, j.best)
		j.step()
	}
}

func (j *epochJudge) record() Record {
	for len(j.curve) < epochShares {
		j.curve = append(j.curve, j.best)
		j.step()
	}
	r := Record{epochAccuracy.curve: j.curve, endedEarly.curve: {100 * float64(j.stopped) / float64(max(j.total, 1))}, endedWrongly.curve: {0}, endedLost.curve: {max(j.missed-j.best, 0)}}
	if j.stopped > 0 {
		r[endedWrongly.curve] = []float64{100 * float64(j.bad) / float64(j.stopped)}
	}
	return r
}

func showMaturing(r Results, rounds int, trainings []reporting) []Section {
	half := max(rounds/2, 1)
	first := Section{
		Title: "Purchases that come late",
		Figures: []Figure{
			r.figureOf([]string{conversionGroup}, "maturing-shown", "Offers: regret of those that are shown", shownRegret),
			r.figureOf([]string{conversionGroup}, "maturing-recommended", "Offers: regret of the recommended one", offeredRegret),
		},
		Tables: []Table{r.table(conversionGroup, "Offers, judged by what is paid within seven days, without noise", []column{
			{"shown, after " + whole(half), shownRegret, half}, {"shown, after all", shownRegret, Last},
			{"recommended, after " + whole(half), offeredRegret, half}, {"recommended, after all", offeredRegret, Last},
		}), r.pairedOffers(half)},
	}
	second := Section{Title: "Trainings that are ended early"}
	for _, t := range trainings {
		second.Tables = append(second.Tables, r.table(t.group, t.group+": accuracy of the best in percent, by the epochs that were trained", []column{
			{"a quarter of the epochs", epochAccuracy, epochShares / 4}, {"half", epochAccuracy, epochShares / 2}, {"three quarters", epochAccuracy, 3 * epochShares / 4}, {"all", epochAccuracy, Last},
			{endedEarly.label, endedEarly, 1}, {endedWrongly.label, endedWrongly, 1}, {endedLost.label, endedLost, 1},
		}))
		second.Tables = append(second.Tables, r.pairedTrainings(t.group))
		figure := r.figureOf([]string{t.group}, "maturing-"+map[bool]string{true: "network", false: "logistic"}[t.group == "network"], t.group+": the best by epochs", epochAccuracy)
		for i, p := range figure.Drawing.(chart.Figure).Panels {
			p.X = fmt.Sprintf("epochs, in shares of 1/%d", epochShares)
			figure.Drawing.(chart.Figure).Panels[i] = p
		}
		second.Figures = append(second.Figures, figure)
	}
	return []Section{first, second}
}
