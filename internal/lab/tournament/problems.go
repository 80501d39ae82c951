package tournament

import (
	"slices"

	_ "github.com/tarry-bo/tarry/internal/lab/classifiers" // two of the problems
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/surrogate"
)

// The families of problems.
const (
	Classical = "classical"
	Gaussian  = "gaussian"
	Skewed    = "skewed"
	Mixed     = "mixed"
	High      = "high"
	Trained   = "trained"
	Lists     = "lists"
	Hills     = "hills"
	Nets      = "nets"
	Ranges    = "ranges"
)

// list is every problem of the halves but for the lists, which are read. A half is decided once and for all: a problem never changes it.
var list = []Problem{
	{Name: "branin", Family: Classical, Half: Tuning, Describe: "Branin, moved", draw: moved("branin", 0, false)},
	{Name: "goldstein", Family: Classical, Half: Tuning, Describe: "Goldstein-Price, moved: values over six decades", draw: moved("goldstein", 0, false)},
	{Name: "rastrigin:3", Family: Classical, Half: Tuning, Describe: "Rastrigin in 3 dimensions, moved and turned", draw: moved("rastrigin", 3, true)},
	{Name: "rosenbrock:4", Family: Classical, Half: Tuning, Describe: "Rosenbrock in 4 dimensions, moved", draw: moved("rosenbrock", 4, false)},
	{Name: "shekel", Family: Classical, Half: Tuning, Describe: "Shekel's ten narrow wells in 4 dimensions, moved", draw: moved("shekel", 0, false)},
	{Name: "hartmann6", Family: Classical, Half: Tuning, Describe: "Hartmann in 6 dimensions, moved", draw: moved("hartmann6", 0, false)},
	{Name: "gp-se:2", Family: Gaussian, Half: Tuning, Describe: "a draw with SE kernel, lengthscale 0.2, in 2 dimensions", draw: drawn(surrogate.SE, 2, 0.2, plain)},
	{Name: "gp-matern52:4", Family: Gaussian, Half: Tuning, Describe: "a draw with Matérn-5/2 kernel, lengthscale 0.5, in 4 dimensions", draw: drawn(surrogate.Matern52, 4, 0.5, plain)},
	{Name: "gp-rough:1", Family: Gaussian, Half: Tuning, Describe: "a draw with Matérn-3/2 kernel, lengthscale 0.1, in 1 dimension", draw: drawn(surrogate.Matern32, 1, 0.1, plain)},
	{Name: "exp-hartmann6", Family: Skewed, Half: Tuning, Describe: "exp(5 f) of Hartmann in 6 dimensions scaled to [0, 1], moved", draw: steepHartmann},
	{Name: "cubed-gp:2", Family: Skewed, Half: Tuning, Describe: "the cube of a draw, with heavy tails to both sides, in 2 dimensions", draw: drawn(surrogate.Matern52, 2, 0.25, cubed)},
	{Name: "mixed-gp", Family: Mixed, Half: Tuning, Describe: "two floats, an int of 12, a choice of 4 and a switch: draws that differ by choice", draw: mixedDraws},
	{Name: "ints", Family: Mixed, Half: Tuning, Describe: "a draw on four ints of 0 … 20", draw: latticeDraw},
	{Name: "rosenbrock:10", Family: High, Half: Tuning, Describe: "Rosenbrock in 10 dimensions, moved", draw: moved("rosenbrock", 10, false)},
	{Name: "levy:20", Family: High, Half: Tuning, Describe: "Levy in 20 dimensions, moved", draw: moved("levy", 20, false)},
	{Name: "svm-breast", Family: Trained, Half: Tuning, Describe: "two parameters of a support vector machine that is really trained", draw: trained("svm-breast")},

	{Name: "sixhump", Family: Classical, Half: Judging, Describe: "six-hump camel, moved", draw: moved("sixhump", 0, false)},
	{Name: "hartmann3", Family: Classical, Half: Judging, Describe: "Hartmann in 3 dimensions, moved", draw: moved("hartmann3", 0, false)},
	{Name: "levy:4", Family: Classical, Half: Judging, Describe: "Levy in 4 dimensions, moved and turned", draw: moved("levy", 4, true)},
	{Name: "zakharov:4", Family: Classical, Half: Judging, Describe: "Zakharov in 4 dimensions, moved and turned", draw: moved("zakharov", 4, true)},
	{Name: "ackley:5", Family: Classical, Half: Judging, Describe: "Ackley in 5 dimensions, moved and turned", draw: moved("ackley", 5, true)},
	{Name: "alpine1:6", Family: Classical, Half: Judging, Describe: "Alpine in 6 dimensions, moved", draw: moved("alpine1", 6, false)},
	{Name: "gp-matern32:2", Family: Gaussian, Half: Judging, Describe: "a draw with Matérn-3/2 kernel, lengthscale 0.3, in 2 dimensions", draw: drawn(surrogate.Matern32, 2, 0.3, plain)},
	{Name: "gp-se:5", Family: Gaussian, Half: Judging, Describe: "a draw with SE kernel, lengthscale 0.5, in 5 dimensions", draw: drawn(surrogate.SE, 5, 0.5, plain)},
	{Name: "gp-additive:8", Family: Gaussian, Half: Judging, Describe: "a sum of 8 draws with Matérn-5/2 kernel, lengthscale 0.25, of one coordinate each", draw: additive},
	{Name: "exp-gp:3", Family: Skewed, Half: Judging, Describe: "exp(5 f) of a draw scaled to [0, 1] in 3 dimensions", draw: drawn(surrogate.SE, 3, 0.35, steep)},
	{Name: "cubed-gp:4", Family: Skewed, Half: Judging, Describe: "the cube of a draw, with heavy tails to both sides, in 4 dimensions", draw: drawn(surrogate.SE, 4, 0.5, cubed)},
	{Name: "mixed-training", Family: Mixed, Half: Judging, Describe: "a stand-in for training: rate and width by their logarithms, depth, one of three methods, a switch", draw: standIn},
	{Name: "choices", Family: Mixed, Half: Judging, Describe: "five choices of four, whose effects come alone and in pairs", draw: choices},
	{Name: "ackley:12", Family: High, Half: Judging, Describe: "Ackley in 12 dimensions, moved and turned", draw: moved("ackley", 12, true)},
	{Name: "hartmann6-in-20", Family: High, Half: Judging, Describe: "Hartmann in 6 of 20 dimensions, moved; the others do nothing", draw: hidden},
	{Name: "logreg-breast", Family: Trained, Half: Judging, Describe: "three parameters of a logistic regression that is really trained", draw: trained("logreg-breast")},
}

// Problems returns the problems, those of the folder of lists among them, in the order of tables: by half, then family, those in reserve, and those with ranges that are too wide. Without
// a folder the lists are missing, and their names are returned.
func Problems(folder string) (problems []*Problem, missing []string, err error) {
	var all []Problem
	if folder == "" {
		for _, half := range []string{Tuning, Judging} {
			missing = append(missing, listName(half))
		}
	} else if all, err = listProblems(folder); err != nil {
		return nil, nil, err
	}
	for _, half := range []string{Tuning, Judging, Reserve, Wide} {
		place := 0
		for _, p := range slices.Concat(list, all, reserve, wide) {
			if p.Half == half {
				p.worlds, p.place = newWorlds(), place
				problems = append(problems, &p)
				place++
			}
		}
	}
	return problems, missing, nil
}

// trained is a problem of the laboratory that does not depend on the seed.
func trained(name string) func(*Problem, uint64) (sim.Problem, error) {
	return func(*Problem, uint64) (sim.Problem, error) { return sim.NewProblem(name, 0) }
}
