package bandit

import (
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestTheMappingIsThatWorkedByHand(t *testing.T) {
	m := Mapping{V1: [][]float64{{.5, -1}, {2, .3}, {0, 1}}, V2: [][]float64{{1, 0}, {.5, 2}}}
	kappa, g, theta := []float64{.8, .3}, []float64{1, -2, .5}, make([]float64, 3)
	m.At(theta, kappa)
	for i, want := range []float64{-.125, 2.08, .6} {
		must.Near(t, "parameter", theta[i], want, 1e-14)
	}
	m.Base = []float64{10, 20, 30}
	m.At(theta, kappa)
	must.Near(t, "with a base", theta[1], 22.08, 1e-14)
	dV1, dV2 := [][]float64{{0, 0}, {0, 0}, {0, 0}}, [][]float64{{0, 0}, {0, 0}}
	m.AddSlopes(dV1, dV2, g, kappa)
	for i, row := range [][]float64{{.95, .6}, {-1.9, -1.2}, {.475, .3}} {
		for j, want := range row {
			must.Near(t, "dV1", dV1[i][j], want, 1e-14)
		}
	}
	for i, row := range [][]float64{{-2.8, -.88}, {-1.05, -.33}} {
		for j, want := range row {
			must.Near(t, "dV2", dV2[i][j], want, 1e-14)
		}
	}
}

// graph has an edge wherever a row has a 1.
func graph(rows ...string) [][]bool {
	out := make([][]bool, len(rows))
	for i, row := range rows {
		for _, c := range row {
			out[i] = append(out[i], c == '1')
		}
	}
	return out
}

func TestTheGraphKernelIsThatWorkedByHand(t *testing.T) {
	one, other := Degrees(graph("0110", "0010", "0001", "1000")), Degrees(graph("0100", "1011", "0100", "0010"))
	if want := []float64{0, 3, 1, 0}; !reflect.DeepEqual(one, want) {
		t.Errorf("in-degrees %v, want %v", one, want)
	}
	if want := []float64{0, 2, 2, 0}; !reflect.DeepEqual(other, want) {
		t.Errorf("in-degrees %v, want %v", other, want)
	}
	must.Near(t, "kernel", Cosine(one, other), .894427191, 1e-9)
	must.Near(t, "kernel without edges", Cosine(Degrees(graph("00", "00")), Degrees(graph("00", "00"))), 1, 0)
	for _, scale := range []float64{1e-320, 1e-200, 1e200, 1e307} {
		must.Near(t, "kernel of vectors of any length", Cosine([]float64{scale, 2 * scale}, []float64{1, 0}), .447213595, 1e-3)
		must.Near(t, "kernel of vectors of one length", Cosine([]float64{scale, 2 * scale}, []float64{2 * scale, -scale}), 0, 1e-9)
	}
	must.Near(t, "kernel of nothing", Cosine(nil, nil), 1, 0)
	must.Near(t, "kernel of nothing and something", Cosine([]float64{0}, []float64{1}), 0, 0)
}
