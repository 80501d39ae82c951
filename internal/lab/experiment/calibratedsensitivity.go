package experiment

import (
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "calibrated-sensitivity", Title: "What calibration depends on", Source: "Deshpande et al. 2024, table 4",
		About: "Forrester with one thing changed at a time: the kernel, the splits that the recalibrator learns from, the recalibrator, the number of initial points, " +
			"their design, the acquisition. One query after the other, no delay, no noise.",
		Rounds: 25,
		Plan:   planSensitivity,
	})
}

// sensitivity is a setting: the default with one thing changed.
type sensitivity struct {
	group     string
	kernel    string
	of        string // the acquisition
	corrected string // how calibrated learns
	initial   int
	design    space.Design
}

// Names of what is changed.
const (
	byKernel      = "kernel"
	bySplits      = "splits"
	byRecalibrate = "recalibrator"
	byInitial     = "initial points"
	byDesign      = "design"
	byAcquisition = "acquisition"
)

// sensitivities are the settings. The first is the default.
func sensitivities() []sensitivity {
	standard := sensitivity{"default", "se", "ucb", "set=loo", 3, space.Uniform}
	out := []sensitivity{standard}
	change := func(what, name string, to func(*sensitivity)) {
		s := standard
		s.group = what + ": " + name
		to(&s)
		out = append(out, s)
	}
	for _, k := range []string{"matern52", "linear", "periodic"} {
		change(byKernel, k, func(s *sensitivity) { s.kernel = k })
	}
	change(bySplits, "forward in time", func(s *sensitivity) { s.corrected = "set=forward" })
	change(byRecalibrate, "4 levels", func(s *sensitivity) { s.corrected = "set=loo:levels=4" })
	change(byRecalibrate, "online, steps of 0.05", func(s *sensitivity) { s.corrected = "set=issued" })
	change(byRecalibrate, "online, steps of 0.2", func(s *sensitivity) { s.corrected = "set=issued:eta=0.2" })
	for _, n := range []int{4, 7, 10} {
		change(byInitial, whole(n), func(s *sensitivity) { s.initial = n })
	}
	for _, d := range []space.Design{space.LatinHypercube, space.Halton} {
		change(byDesign, d.String(), func(s *sensitivity) { s.design = d })
	}
	for _, of := range []string{"ei", "pi"} {
		change(byAcquisition, of, func(s *sensitivity) { s.of = of })
	}
	return out
}

func planSensitivity(in Input) (Plan, error) {
	var arms []Arm
	for _, c := range sensitivities() {
		for _, m := range []struct{ name, learned string }{{armPlain, "set=none"}, {armCorrected, c.corrected}} {
			s := study{
				problem: underKernel("forrester", c.kernel), policy: "calibrated:of=" + c.of + ":" + m.learned, law: "fixed:1", rounds: in.Rounds,
				adjust: func(s *sim.Scenario) { s.Initial, s.Design = c.initial, c.design },
			}
			arms = append(arms, s.arm(c.group, m.name, c.initial, calibratedRecord))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"default", "kernel SE, upper quantile of 90 %, leave-one-out predictions, 9 levels, 3 initial points, uniform; hyperparameters learned from the answers"},
		{"area", "mean over the queries of the simple regret, as a share of that of the initial design; less is better"},
		{"won", "share of the seeds in which the calibrated form has less area; equal up to a millionth counts half"},
		{"not here", "Sobol points, for which there are Halton's; a recalibrator by Gaussian process or regression: here they are empirical quantiles, all at once or followed online"},
	}, Show: showSensitivity}, nil
}

// darkest is the area with the darkest color: under the linear kernel nothing is found, and it is 1.
const darkest = 0.4

func showSensitivity(r Results) []Section {
	t := Table{Caption: "Calibrated against plain", Head: []string{"setting", "area, plain", "area, calibrated", "calibrated minus plain", "won", "found, plain", "found, calibrated"}}
	heat := chart.HeatPanel{X: "quantiles", Y: "setting", Columns: []string{armPlain, armCorrected}, High: darkest}
	for _, g := range r.Groups() {
		plain, corrected := r.At(g, armPlain, area, 1), r.At(g, armCorrected, area, 1)
		t.Rows = append(t.Rows, []string{
			g, plain.String(), corrected.String(), r.Difference(g, armCorrected, armPlain, area, 1).Signed(), r.won(g, armCorrected, armPlain, area).String(),
			r.At(g, armPlain, found, 1).String(), r.At(g, armCorrected, found, 1).String(),
		})
		heat.Rows = append(heat.Rows, g)
		heat.Cells = append(heat.Cells, []float64{plain.Mean, corrected.Mean})
	}
	s := Section{Title: "What calibration depends on", Tables: []Table{t}, Text: []string{
		"The source claims an area of .28 with calibration against .35 without by default, and no difference with 10 initial points.",
	}}
	s.Figures = []Figure{{Name: "calibrated-sensitivity", Caption: "Means over the seeds; the table has the errors.", Drawing: chart.HeatMap{
		Title: "Area under the simple regret of Forrester", Note: r.over("mean"), Scale: "share of the initial regret", Panels: []chart.HeatPanel{heat},
	}}}
	return []Section{s}
}
