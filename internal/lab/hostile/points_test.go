package hostile

import (
	"math"
	"slices"
	"testing"
)

func TestPointsLieInTheCube(t *testing.T) {
	for _, p := range append(Forced(), Free) {
		for number := range 200 {
			for _, v := range p.At(9, number, 7) {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%v: coordinate %v", p, v)
				}
			}
		}
		if a, b := p.At(9, 3, 4), p.At(9, 3, 4); !slices.Equal(a, b) {
			t.Errorf("%v: %v, then %v", p, a, b)
		}
	}
}

// different counts the distinct points among the first hundred in three dimensions.
func different(p Points) int {
	var all [][]float64
	for number := range 100 {
		x := p.At(2, number, 3)
		if !slices.ContainsFunc(all, func(y []float64) bool { return slices.Equal(x, y) }) {
			all = append(all, x)
		}
	}
	return len(all)
}

func TestForcedPointsAreFew(t *testing.T) {
	for p, want := range map[Points]int{Free: 100, Duplicates: 3, Collinear: 100, Corners: 8, Close: 10} {
		if got := different(p); got != want {
			t.Errorf("%v: %d different points, want %d", p, got, want)
		}
	}
}

func TestCollinearPointsLieOnALine(t *testing.T) {
	a, b := Collinear.At(4, 1, 3), Collinear.At(4, 2, 3)
	for number := 3; number < 50; number++ {
		c := Collinear.At(4, number, 3)
		for i, j := range []int{1, 2, 0} { // the cross product vanishes
			if cross := (b[i]-a[i])*(c[j]-a[j]) - (b[j]-a[j])*(c[i]-a[i]); math.Abs(cross) > 1e-15 {
				t.Fatalf("point %d is %v off the line", number, cross)
			}
		}
	}
}

func TestClosePointsAreApartByLittle(t *testing.T) {
	for number := range 50 {
		a, b := Close.At(4, number, 2), Close.At(4, number+1, 2)
		if d := math.Abs(a[0] - b[0]); d > 9.001e-9 || d > 0 && d < 0.999e-9 {
			t.Errorf("points %v apart", d)
		}
	}
}

func TestPlacesHaveNames(t *testing.T) {
	for p, want := range map[Points]string{Free: "free", Close: "close", -1: "Points(-1)", places: "Points(5)"} {
		if got := p.String(); got != want {
			t.Errorf("%d is called %q, want %q", int(p), got, want)
		}
	}
}
