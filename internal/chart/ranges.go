package chart

import (
	"math"
	"slices"
)

// yAxes are the axes of the panels. Those of a row that show the same have the same one, and so have all rows where none is
// squeezed into less than half of it.
func (f Figure) yAxes() []yAxis {
	rows := make([]yAxis, len(f.Panels))
	for i := range f.Panels {
		rows[i] = f.yAxis(f.alike(i, true))
	}
	out := slices.Clone(rows)
	for i := range f.Panels {
		all := f.alike(i, false)
		whole := f.yAxis(all)
		if !slices.ContainsFunc(all, func(k int) bool { return !(rows[k].length() >= whole.length()/2) }) {
			out[i] = whole
		}
	}
	return out
}

// alike are the panels that show the same as panel i, itself among them: those of its row, or all.
func (f Figure) alike(i int, row bool) []int {
	columns, _ := f.grid()
	var out []int
	for k, p := range f.Panels {
		q := f.Panels[i]
		same := !f.Apart && p.Y == q.Y && p.Scale == q.Scale && p.Low == q.Low && p.High == q.High && (!row || k/columns == i/columns)
		if k == i || same {
			out = append(out, k)
		}
	}
	return out
}

// yAxis is the axis for some panels that are alike.
func (f Figure) yAxis(panels []int) yAxis {
	p := f.Panels[panels[0]]
	for _, k := range panels[1:] {
		p.Curves, p.Points = slices.Concat(p.Curves, f.Panels[k].Curves), slices.Concat(p.Points, f.Panels[k].Points)
	}
	return p.yAxis()
}

// yNumbers are the numbers that the errors and the points cover.
func (p Panel) yNumbers() span {
	out := nothing()
	for _, c := range p.Curves {
		for _, e := range c.Y {
			if e.Known() {
				low, high := e.Ends()
				out = out.with(low).with(e.Mean).with(high)
			}
		}
	}
	for _, at := range p.Points {
		out = out.with(at.Y)
	}
	return out
}

// logDecades is the most that a logarithmic axis shows.
const logDecades = 9

// logRange returns the ends of a logarithmic y axis: a power of ten at or below the least positive mean, or twice or five times
// that where the highest number is close, and somewhat above that number.
func (p Panel) logRange() span {
	high, low := p.yNumbers().high, math.Inf(1)
	for _, c := range p.Curves {
		for _, e := range c.Y {
			if e.Known() && e.Mean > 0 {
				low = min(low, e.Mean)
			}
		}
	}
	if high < 10/hugest || math.IsInf(high, 0) || low > high {
		return span{0.1, 1} // nothing but zeros, or nothing
	}
	lowest := max(math.Floor(math.Log10(low)), math.Floor(math.Log10(high))-logDecades)
	end := math.Pow(10, max(lowest, -300))
	for _, m := range []float64{5, 2} {
		if m*end <= low && high < 100*m*end {
			return span{m * end, high * 1.2}
		}
	}
	return span{end, high * 1.2}
}

// xAxis are the ends of the x axis.
func (p Panel) xAxis() span {
	numbers, given, sparse := nothing(), len(p.Points) > 0, len(p.Points) > 0 && len(p.Curves) == 0
	for _, c := range p.Curves {
		given, sparse = given || c.X != nil, sparse || c.X != nil && len(c.X) < fewest
		for i := range c.Y {
			numbers = numbers.with(c.place(i))
		}
	}
	for _, at := range p.Points {
		numbers = numbers.with(at.X)
	}
	if p.End > 0 {
		numbers = numbers.with(p.End)
	}
	switch {
	case !given:
		return span{0, max(numbers.high, 1)} // 1, 2, …
	case sparse && p.End <= 0 || !numbers.usable():
		return numbers.linear()
	case numbers.low > 0 && numbers.low <= numbers.high/3:
		return span{0, numbers.high}
	default: // lines go from end to end
		return numbers
	}
}
