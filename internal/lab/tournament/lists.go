package tournament

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// DataFolder is the name of the folder of lists.
const DataFolder = "tst-svm"

// listName is the problem of the lists of a half.
func listName(half string) string { return "svm-lists-" + half }

// Folder is the folder of lists at a path: the path, or what lies in it under its usual name.
func Folder(path string) string {
	if inner := filepath.Join(path, DataFolder); isFolder(inner) {
		return inner
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// listProblems are two problems whose seeds choose one of the measured tasks: every other task belongs to the other half.
// Tasks in which all configurations are alike are left out.
func listProblems(folder string) ([]Problem, error) {
	tasks, err := data.ReadTasks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; it is called %s and is not part of the program (Wistuba et al. 2015)", err, DataFolder)
	}
	if err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t data.Task) bool { return slices.Min(t.Accuracy) == slices.Max(t.Accuracy) })
	if len(tasks) < 2 {
		return nil, fmt.Errorf("%s: %d tasks with different accuracies, want at least 2, one for each half", folder, len(tasks))
	}
	var out []Problem
	for k, half := range []string{Tuning, Judging} {
		var mine []data.Task
		for i, t := range tasks {
			if i%2 == k {
				mine = append(mine, t)
			}
		}
		out = append(out, Problem{
			Name: listName(half), Family: Lists, Half: half,
			Describe: fmt.Sprintf("a list of %d measured configurations of a support vector machine, on one of %d data sets", len(mine[0].Configs), len(mine)),
			draw: func(p *Problem, seed uint64) (sim.Problem, error) {
				return listed(mine[p.stream(seed, 0).IntN(len(mine))]) // drawn, so that even and odd seeds meet all tasks
			},
		})
	}
	return out, nil
}

// listed is a task as a finite list.
func listed(t data.Task) (sim.Problem, error) {
	var parameters []space.Parameter
	for j := range t.Configs[0] {
		low, high := math.Inf(1), math.Inf(-1)
		for _, c := range t.Configs {
			low, high = min(low, c[j]), max(high, c[j])
		}
		parameters = append(parameters, space.Float(fmt.Sprintf("config%d", j+1), low, high))
	}
	s, err := space.List(space.PointsOf(t.Configs), parameters...)
	values := map[uint64]float64{}
	for i, c := range t.Configs {
		values[space.Hash(space.Point(c))] = t.Accuracy[i]
	}
	return sim.Problem{Space: s, Maximum: slices.Max(t.Accuracy), Value: func(x space.Point) float64 {
		v, known := values[space.Hash(x)]
		if !known {
			return math.NaN()
		}
		return v
	}}, err
}
