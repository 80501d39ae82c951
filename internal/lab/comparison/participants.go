package comparison

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tarry-bo/tarry/internal/check"
	_ "github.com/tarry-bo/tarry/internal/lab/classifiers" // problems that can be asked for
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/sim"
)

// subject is a problem by name, as drawn by the first seed.
type subject struct {
	name   string
	first  sim.Problem
	spread func() sim.Spread // of first, measured when it is asked for
}

// noise is a standard deviation: absolute, relative to that of the values, or that of the problem.
type noise struct {
	sd       float64
	relative bool
	own      bool
}

// readProblems reads a list of names, as drawn by the first seed.
func readProblems(l *check.List, r request) []subject {
	var out []subject
	for _, name := range strings.Split(r.problemList, ",") {
		p, err := sim.NewProblem(name, r.seed)
		if err != nil {
			l.Join(console.Blame("-problem", err))
			continue
		}
		if slices.ContainsFunc(out, func(s subject) bool { return s.name == name }) {
			l.Add("-problem", name, "each problem once")
			continue
		}
		out = append(out, subject{name, p, sync.OnceValue(p.Spread)})
	}
	return out
}

// readNoise reads a standard deviation or a percentage; an empty text leaves it to the problem.
func readNoise(l *check.List, text string) noise {
	if text == "" {
		return noise{own: true}
	}
	number, relative := strings.CutSuffix(text, "%")
	sd, err := strconv.ParseFloat(number, 64)
	l.Require(err == nil && sd >= 0 && !math.IsInf(sd, 0), "-noise", text, "a standard deviation: a finite number ≥ 0, or a percentage such as 2%")
	if relative {
		sd /= 100
	}
	return noise{sd: sd, relative: relative}
}

// on says in words how much noise there is on a problem.
func (n noise) on(p sim.Problem) string {
	switch {
	case n.own && p.Observe != nil:
		return "noise of its own"
	case n.own && p.Noise > 0:
		return "noise sd " + console.Short(p.Noise)
	case n.own || n.sd == 0:
		return "no noise"
	case n.relative:
		return "noise sd " + console.Short(n.sd*100) + " % of the values' sd"
	}
	return "noise sd " + console.Short(n.sd)
}
