package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "sdf-svm", Title: "Tuning an RBF-SVM", Source: "Verma et al. 2022, Fig. 2",
		About: "C in [1e-4, 100] and gamma in [1e-4, 10] of a support vector machine with a Gaussian kernel, on linear scales as in the paper, and on " +
			"logarithmic ones. The data are split 70/30, stratified by class; the accuracy on the 30 % is what is maximized. One query a round; " +
			"delays are Poisson with mean 10 rounds and m = 20, or always 10.",
		Rounds: 100,
		Data:   "pima-diabetes.csv or its folder; without it the embedded Breast Cancer Wisconsin data",
		Plan:   planSVM,
	})
}

// Names of the files in a folder of data.
const (
	pimaFile   = "pima-diabetes.csv"
	pimaLabel  = "Outcome"
	curvesFile = "bo-sdf-svm-curves.csv"
)

// svmData is what the machines are trained on, and what others reached on it.
type svmData struct {
	set         data.Dataset
	standardize bool
	reported    []data.ReportedCurve
	facts       []Fact
	fingerprint string
}

// readSVMData reads the table at the path, raw as in the paper, or takes the embedded data, standardized.
func readSVMData(path string) (svmData, error) {
	if path == "" {
		set, err := data.BreastCancer()
		return svmData{set: set, standardize: true, facts: []Fact{
			{"data", fmt.Sprintf("Breast Cancer Wisconsin (embedded), %d rows of %d features, standardized; another split for each seed", len(set.X), len(set.Features))},
		}}, err
	}
	file := inFolder(path, pimaFile)
	set, err := data.ReadTable(file, pimaLabel)
	if err != nil {
		return svmData{}, err
	}
	d := svmData{set: set, facts: []Fact{
		{"data", fmt.Sprintf("%s, %d rows of %d features, as they are; another split for each seed", set.Name, len(set.X), len(set.Features))},
	}}
	if d.fingerprint, err = data.Fingerprint(file); err != nil {
		return svmData{}, err
	}
	d.reported, err = beside(file, curvesFile)
	return d, err
}

// on is the problem of a seed.
func (d svmData) on(log bool) func(seed uint64) (sim.Problem, error) {
	return func(seed uint64) (sim.Problem, error) {
		h, err := halve(d.set, seed, d.standardize)
		if err != nil {
			return sim.Problem{}, err
		}
		s, err := space.New(scaled(log, "C", svmC[0], svmC[1]), scaled(log, "gamma", svmGamma[0], svmGamma[1]))
		return accuracyProblem("svm", s, func(x space.Point) float64 { return h.svm(x[0], x[1]) }), err
	}
}

// The ranges of the paper.
var (
	svmC     = [2]float64{1e-4, 100}
	svmGamma = [2]float64{1e-4, 10}
)

// corner is the accuracy at the largest C and the smallest gamma, in percent.
const corner = "corner"

func planSVM(in Input) (Plan, error) {
	d, err := readSVMData(in.Data)
	if err != nil {
		return Plan{}, err
	}
	arms := accuracyArms(d.on, in.Rounds, withCorner)
	return Plan{Arms: arms, Facts: append(d.facts, paperModel...), Fingerprint: d.fingerprint, Show: func(r Results) []Section {
		return append(showAccuracies(r, "sdf-svm", "Accuracy of the tuned SVM", in.Rounds), d.showReported(r)...)
	}}, nil
}

func withCorner(s sim.Scenario, o sim.Performance) Record {
	r := accuracies(s, o)
	r[corner] = []float64{100 * s.Problem.Value([]float64{svmC[1], svmGamma[0]})}
	return r
}
