package surrogate

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// RatioTrial weighs ratios of a Warped kernel, one coordinate at a time, by the evidence of a few targets. Each costs a fraction of what conditioning a Prior does:
// a ratio changes one term of every distance, a longer lengthscale their unit alone, and nothing is allocated. Memory: three matrices of n².
type RatioTrial struct {
	of      Stationary
	noise   float64 // variance
	x       []space.Unit
	targets []float64 // less their mean
	ratios  Inputs
	kept    []float64 // squared scaled distances for ratios, row i at i·n with its first i entries
	tried   []float64 // the same with the ratio that is tried
	factor  []float64
	solved  []float64
	columns [2][]float64 // a coordinate of all points, warped as before and as tried
}

// NewRatioTrial returns a trial for points (n of length d) and targets (length n) under the warped kernel, noise of that variance and a constant mean. It reports what
// Prior.Condition does. Cost O(d n²).
func NewRatioTrial(k Warped, noise, mean float64, x []space.Unit, y []float64) (*RatioTrial, error) {
	if err := (Prior{Kernel: k, Noise: noise, Mean: mean}).Validate(); err != nil {
		return nil, err
	}
	if err := checkData(k.Dim(), x, y); err != nil {
		return nil, err
	}
	n := len(x)
	t := &RatioTrial{
		of: k.Of, noise: noise, x: x, ratios: append(Inputs(nil), k.Ratios...), targets: append([]float64(nil), y...),
		kept: make([]float64, n*n), tried: make([]float64, n*n), factor: make([]float64, n*n), solved: make([]float64, n),
		columns: [2][]float64{make([]float64, n), make([]float64, n)},
	}
	floats.AddConst(-mean, t.targets)
	bent := kept(k, x)
	for i := range n {
		k.behind().squaredDistances(t.kept[i*n:i*n+i], k.bent(x[i]), bent[:i])
	}
	copy(t.tried, t.kept)
	return t, nil
}

// Try takes another ratio, from 1e-6 to 1e6, for coordinate j, and for the others those that are kept. A ratio of a category changes nothing. Cost O(n²).
func (t *RatioTrial) Try(j int, ratio float64) {
	copy(t.tried, t.kept)
	if t.of.categorical(j) {
		return
	}
	n, before, now := len(t.x), t.columns[0], t.columns[1]
	for i, x := range t.x {
		before[i], _, _ = warp(math.Log(t.ratios[j]), x[j])
		now[i], _, _ = warp(math.Log(ratio), x[j])
	}
	unit := 1 / (t.of.Lengthscales[j] * t.of.Lengthscales[j])
	for i := range n {
		replaceSquares(t.tried[i*n:i*n+i], before, now, before[i], now[i], unit)
	}
}

// replaceSquares takes the squares of a-before[k], in units, out of dst[k], and those of b-now[k] in.
//
//go:norace
//go:nocheckptr
func replaceSquares(dst, before, now []float64, a, b, unit float64) {
	writes(dst)
	reads(before)
	reads(now)
	before, now = before[:len(dst)], now[:len(dst)]
	for k, r2 := range dst {
		p, q := a-before[k], b-now[k]
		dst[k] = max(r2+(q*q-p*p)*unit, 0)
	}
}

// Keep makes a ratio of coordinate j one of those that are kept, and tries no other. Cost O(n²).
func (t *RatioTrial) Keep(j int, ratio float64) {
	t.Try(j, ratio)
	copy(t.kept, t.tried)
	t.ratios[j] = ratio
}

// LogEvidence is that of the targets with the ratios that are tried, and lengthscales so many times as long: Posterior.LogEvidence up to round-off, and -Inf where
// Prior.Condition would need jitter or fail. Cost n³/3 flops.
func (t *RatioTrial) LogEvidence(longer float64) float64 {
	n, unit := len(t.x), 1/(longer*longer)
	diagonal := t.of.Diag(nil) + t.noise
	for i := range n {
		row := t.factor[i*n : i*n+i]
		floats.ScaleTo(row, unit, t.tried[i*n:i*n+i])
		t.of.Family.values(row, t.of.Outputscale)
		raise(row, t.of.constant())
		t.factor[i*n+i] = diagonal
	}
	copy(t.solved, t.targets)
	sum := -0.5 * float64(n) * logTwoPi
	for j := range n { // a column of the factor after the other: its entries do not wait for each other
		row := vector(t.factor[j*n : j*n+j])
		below := blas64.General{Rows: n - j, Cols: j, Stride: n, Data: t.factor[j*n:]}
		column := blas64.Vector{N: n - j, Inc: n, Data: t.factor[j*n+j:]}
		if j > 0 {
			blas64.Gemv(blas.NoTrans, -1, below, row, 1, column)
		}
		pivot := column.Data[0]
		if !(pivot > leastPivot*diagonal) {
			return math.Inf(-1)
		}
		root := math.Sqrt(pivot)
		blas64.Scal(1/root, column)
		column.Data[0] = root
		t.solved[j] = (t.solved[j] - dotShort(row.Data, t.solved[:j])) / root
		sum -= 0.5*t.solved[j]*t.solved[j] + math.Log(root)
	}
	return sum
}
