package chart

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/stat"
)

// numbers are all kinds of numbers, ordinary ones the most.
func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64Range(0, 1), rapid.Float64Range(-100, 1e5), rapid.Float64(),
		rapid.SampledFrom([]float64{0, 1, -1, 1e-12, 5e-324, 1e300, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1e9, 1e9 + 1}),
	)
}

// names are short and long ones.
func names() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "ucb-sdf", "random", "ts-sdf", "delay poisson:10, window 5", "Größe ∞ <&>", "a\nb"}),
		rapid.Map(rapid.IntRange(1, 400), func(n int) string { return strings.Repeat("wide ", n/5) + strings.Repeat("W", n%5) }),
		rapid.Map(rapid.IntRange(1, 300), func(n int) string { return strings.Repeat("M", n) }),
		rapid.String(),
	)
}

func scales() *rapid.Generator[Scale] { return rapid.SampledFrom([]Scale{Linear, Log, Percent}) }

func curves() *rapid.Generator[Curve] {
	return rapid.Custom(func(t *rapid.T) Curve {
		c := Curve{Name: names().Draw(t, "name"), Baseline: rapid.Bool().Draw(t, "baseline"), Interval: rapid.Bool().Draw(t, "interval"),
			Policy: rapid.SampledFrom([]string{"", "", "random", "ts-sdf:nu=1", "unknown"}).Draw(t, "policy")}
		n := rapid.SampledFrom([]int{0, 1, 2, 5, 30, 1500}).Draw(t, "places")
		same := rapid.Bool().Draw(t, "all the same")
		e := stat.Estimate{N: 1, Mean: numbers().Draw(t, "mean"), SE: math.Abs(numbers().Draw(t, "error"))}
		if rapid.Bool().Draw(t, "given places") {
			c.X = make([]float64, n)
			x := numbers().Draw(t, "first place")
			for i := range c.X {
				c.X[i] = x * float64(i+1)
			}
		}
		for i := range n {
			if !same && i < 5 {
				e = stat.Estimate{N: 1, Mean: numbers().Draw(t, "mean"), SE: math.Abs(numbers().Draw(t, "error"))}
			}
			c.Y = append(c.Y, e)
		}
		return c
	})
}

func TestAnyFigureIsDrawnWithinItsPicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Figure{
			Title: names().Draw(t, "title"), Note: names().Draw(t, "note"), Columns: rapid.IntRange(0, 3).Draw(t, "columns"), Apart: rapid.Bool().Draw(t, "apart"),
		}
		for range rapid.IntRange(0, 5).Draw(t, "panels") {
			f.Panels = append(f.Panels, Panel{
				Title: names().Draw(t, "panel"), X: names().Draw(t, "x"), Y: names().Draw(t, "y"),
				Scale: scales().Draw(t, "scale"), Steps: rapid.Bool().Draw(t, "steps"), End: numbers().Draw(t, "end"),
				Low: numbers().Draw(t, "low"), High: numbers().Draw(t, "high"),
				Curves: rapid.SliceOfN(curves(), 0, 3).Draw(t, "curves"),
			})
		}
		wantsOrder(t, f.drawing())
	})
}

func TestAnyMarksAreDrawnWithinThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Panel{X: "x", Y: "y", Scale: scales().Draw(t, "scale"), Dots: "answers"}
		for range rapid.IntRange(1, 4).Draw(t, "points") {
			p.Points = append(p.Points, Point{numbers().Draw(t, "x"), numbers().Draw(t, "y")})
		}
		inspect(t, Figure{Panels: []Panel{p}}.drawing()).wantsWithin(t)
	})
}

func TestAnyHeatMapIsDrawnWithinItsPicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := HeatMap{Title: names().Draw(t, "title"), Note: names().Draw(t, "note"), Scale: names().Draw(t, "scale")}
		for range rapid.IntRange(0, 4).Draw(t, "panels") {
			p := HeatPanel{Title: names().Draw(t, "panel"), X: names().Draw(t, "x"), Y: names().Draw(t, "y"), Low: numbers().Draw(t, "low"), High: numbers().Draw(t, "high")}
			p.Rows = rapid.SliceOfN(names(), 0, 14).Draw(t, "rows")
			p.Columns = rapid.SliceOfN(names(), 0, 12).Draw(t, "columns")
			for range p.Rows {
				p.Cells = append(p.Cells, rapid.SliceOfN(numbers(), len(p.Columns), len(p.Columns)).Draw(t, "cells"))
			}
			h.Panels = append(h.Panels, p)
		}
		wantsOrder(t, h.drawing())
	})
}

func TestLargeTablesAreDrawn(t *testing.T) {
	p := HeatPanel{Title: "large", X: "x", Y: "y"}
	for i := range 300 {
		p.Rows = append(p.Rows, fmt.Sprintf("row %d", i))
		p.Cells = append(p.Cells, make([]float64, 150))
	}
	for k := range 150 {
		p.Columns = append(p.Columns, fmt.Sprintf("column %d", k))
	}
	wantsOrder(t, HeatMap{Panels: []HeatPanel{p}}.drawing())
}

func TestTheSameDataGiveTheSamePicture(t *testing.T) {
	f := Figure{Title: "t", Panels: []Panel{{Curves: []Curve{{Name: "a", Y: []stat.Estimate{{N: 1, Mean: 1}, {N: 1, Mean: 2}}}, {Name: "b", Policy: "pi"}}}}}
	var one, two bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &two} {
		if err := f.WriteSVG(w); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != two.String() || one.Len() == 0 {
		t.Error("they differ")
	}
}
