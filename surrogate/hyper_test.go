package surrogate

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Names are in the order in which they were always listed: a seed that draws one of them draws the same.
func TestKernelsAreListedInAFixedOrder(t *testing.T) {
	if got := strings.Join(KernelNames(), " "); got != "se matern12 matern32 matern52 periodic linear dot additive-se additive-matern52 quadric quartic rq warped-se warped-matern32 warped-matern52 warped-rq" {
		t.Errorf("kernels %s", got)
	}
	for _, name := range KernelNames() {
		k, err := NewKernel(name, 3)
		if err != nil || k.Name() != name || k.Dim() != 3 {
			t.Errorf("%s made %v (%v)", name, k, err)
		}
	}
}

// Whoever keeps a kernel needs its values alone, which come back to the bit where logarithms would not.
func TestValuesComeBackToTheBit(t *testing.T) {
	for _, k := range everyKernel() {
		values, logs := k.Values(), k.Params()
		if len(values) != len(k.Hyper()) || len(logs) != len(values) {
			t.Fatalf("%s: %d values, %d logarithms, %d descriptions", k.Name(), len(values), len(logs), len(k.Hyper()))
		}
		for i := range values {
			if logs[i] != math.Log(values[i]) {
				t.Errorf("%s: logarithm %v of %v", k.Name(), logs[i], values[i])
			}
			values[i] = math.Pi / float64(i+3)
		}
		again := k.WithValues(values)
		want := slices.Clone(values)
		values[0] = 99 // of the caller
		if got := again.Values(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", k.Name(), got, want)
		}
		if got := again.WithValues(k.Values()); got.Eval(xa, xb) != k.Eval(xa, xb) {
			t.Errorf("%s: covariance %v, want %v", k.Name(), got.Eval(xa, xb), k.Eval(xa, xb))
		}
	}
}

// The bounds in which a kernel says that its hyperparameters lie are those of Validate.
func TestKernelsSayWhatValidateWants(t *testing.T) {
	for _, k := range everyKernel() {
		for i, h := range k.Hyper() {
			for v, valid := range map[float64]bool{
				h.Low: true, h.High: true, h.Low * (1 - 1e-9): false, h.High * (1 + 1e-9): false, math.NaN(): false,
			} {
				values := k.Values()
				values[i] = v
				if err := k.WithValues(values).Validate(); (err == nil) != valid {
					t.Errorf("%s: %s = %v: %v", k.Name(), h.Name, v, err)
				}
			}
			if strings.Contains(h.Name, "lengthscale") != (h.Kind == Lengthscale) || strings.HasSuffix(h.Name, "outputscale") != (h.Kind == Outputscale) {
				t.Errorf("%s: %s is of kind %d", k.Name(), h.Name, h.Kind)
			}
		}
	}
}

// Marks reach the parts of composites, and no marks are none.
func TestCategoriesReachEveryPart(t *testing.T) {
	a, b, c := []float64{0.1, 0.1}, []float64{0.1, 0.3}, []float64{0.1, 0.9}
	marks := []bool{false, true}
	for _, k := range everyKernel() {
		marked := k.WithCategories(marks)
		if same := marked.Eval(a, b) == marked.Eval(a, c); same != tells(k) {
			t.Errorf("%s: distances count as one: %v", k.Name(), same)
		}
		none, nothing := marked.WithCategories([]bool{false, false}), marked.WithCategories(nil)
		if none.Eval(a, b) == none.Eval(a, c) || none.Eval(a, b) != nothing.Eval(a, b) {
			t.Errorf("%s: marks that are false count", k.Name())
		}
	}
}

// tells reports whether a kernel can tell categories from numbers in all its parts.
func tells(k Kernel) bool {
	switch k := k.(type) {
	case Stationary, Additive, Warped:
		return true
	case Sum:
		return tells(k.Left) && tells(k.Right)
	case Product:
		return tells(k.Left) && tells(k.Right)
	case ICM:
		return k.Axis().At != 1 && tells(k.Base()) // the coordinate that is marked
	}
	return false
}
