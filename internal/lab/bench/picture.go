package bench

import (
	"fmt"

	"gonum.org/v1/plot/plotter"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// costChart shows what a long study cost over its evaluations: times, memory and rows.
type costChart struct {
	title, subtitle     string
	evaluations         float64
	usual, rebuilt, fit plotter.XYs // seconds
	median              plotter.XYs // running, of all suggestions
	heap, rows          plotter.XYs // MB, number
}

// chart is the picture of what was played.
func (s *longStudy) chart() costChart {
	c := costChart{
		title:    fmt.Sprintf("%s on %s: what a suggestion costs over %s", s.benchmark.policySpec, s.Problem.Name, s.extent()),
		subtitle: fmt.Sprintf("%s; %s, GOMAXPROCS=%d", s.conditions(), processor(), s.benchmark.cpus),
	}
	seconds := make([]float64, len(s.suggestions))
	for i, t := range s.suggestions {
		at := plotter.XY{X: float64(t.evaluation), Y: t.seconds}
		if t.rebuilt {
			c.rebuilt = append(c.rebuilt, at)
		} else {
			c.usual = append(c.usual, at)
		}
		seconds[i] = t.seconds
		c.rows = append(c.rows, plotter.XY{X: at.X, Y: float64(t.rows)})
		c.evaluations = at.X
	}
	medians := runningMedian(seconds, medianWindow)
	for _, i := range evenly(len(medians), maxMedians) {
		c.median = append(c.median, plotter.XY{X: c.rows[i].X, Y: medians[i]})
	}
	for _, f := range s.fits {
		c.fit = append(c.fit, plotter.XY{X: float64(f.evaluation), Y: f.seconds})
	}
	for _, h := range s.heaps {
		c.heap = append(c.heap, plotter.XY{X: float64(h.evaluation), Y: h.mb})
	}
	c.rows = corners(c.rows)
	return c
}

// extent says how much of the study was played.
func (s *longStudy) extent() string {
	all := console.Plural(s.benchmark.study, "evaluation")
	if done := s.nextFrom() - 1; done < s.benchmark.study {
		return fmt.Sprintf("the first %d of %s", done, all)
	}
	return all
}

// medianWindow is how many suggestions the running median looks at, maxMedians how many medians are drawn.
const (
	medianWindow = 51
	maxMedians   = 1000
)

// runningMedian returns the median of the window around each value, as far as there are values.
func runningMedian(values []float64, window int) []float64 {
	out := make([]float64, len(values))
	half := window / 2
	for i := range values {
		out[i] = medianOf(values[max(i-half, 0):min(i+half+1, len(values))])
	}
	return out
}

// evenly returns at most about count of n places, evenly spread, the first and the last among them.
func evenly(n, count int) []int {
	var out []int
	step := max((n+count-1)/count, 1)
	for i := 0; i < n; i += step {
		out = append(out, i)
	}
	if n > 0 && out[len(out)-1] != n-1 {
		out = append(out, n-1)
	}
	return out
}

// corners leaves out the points that lie on the straight line between their neighbours.
func corners(points plotter.XYs) plotter.XYs {
	var out plotter.XYs
	for i, p := range points {
		if i > 0 && i < len(points)-1 {
			before, after := points[i-1], points[i+1]
			if (p.Y-before.Y)*(after.X-p.X) == (after.Y-p.Y)*(p.X-before.X) {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
