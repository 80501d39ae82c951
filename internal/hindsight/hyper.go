package hindsight

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Model is the Gaussian process by which a query was chosen. Spreads are in the user's units, with a warp of the values those
// close to the best value, or to the anchor of the warp where none may be the best.
type Model struct {
	Kernel       string   `json:"kernel"`
	Warp         *Warp    `json:"warp"`           // null where values are learned as they are
	Outputscale  Number   `json:"outputscale_sd"` // prior standard deviation of the function around its level; NaN for a kernel of several and with a warp
	Noise        Number   `json:"noise_sd"`
	Lengthscales []Length `json:"lengthscales"`
	Other        []Named  `json:"other,omitempty"`            // hyperparameters
	Apart        bool     `json:"fidelities_apart,omitempty"` // whether values at lower fidelities say nothing of the greatest
	Rows         int      `json:"rows"`
	Answers      int      `json:"answers"`             // of the rows
	Outliers     []int    `json:"outliers,omitempty"`  // evaluations whose values count little, since they are far from what all others say
	Penalties    []int    `json:"penalties,omitempty"` // evaluations whose values are taken for penalties, and their points for such as fail
}

// Warp says that values are learned through a map of one of the shapes of feedback.Warp, u = |value − anchor|/scale away: −log(1 + u)
// below the best value, the anchor; arsinh u to both sides of the median; log(1 + u) above the worst value.
type Warp struct {
	Shape  string `json:"shape"`  // "below", "both" or "above", where greater values are better ones
	Anchor Number `json:"anchor"` // in the user's units and sense
	Scale  Number `json:"scale"`  // in the user's units
}

// Length is how far a parameter must move for the function to become another.
type Length struct {
	Parameter string `json:"parameter"`
	Unit      Number `json:"unit"`            // in the unit cube, of warped coordinates where these are
	Ratio     Number `json:"ratio,omitempty"` // how many times as steep the warp of the parameter is at the low end as at the high one (surrogate.Inputs); absent without
	Words     string `json:"words"`
}

// Named is a number with a name.
type Named struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
}

// model describes the posterior of a view; nil without one.
func model(v policies.View, sense outcome.Sense) *Model {
	if v.Posterior == nil {
		return nil
	}
	prior := v.Posterior.Prior()
	scale := v.Units.Scale
	m := &Model{Apart: surrogate.Apart(prior.Kernel), Kernel: prior.Kernel.Name(), Rows: v.Posterior.Len(), Outliers: v.Outliers, Penalties: v.Penalties, Outputscale: Number(math.NaN()), Lengthscales: []Length{}}
	if w := v.Units.Warp; !w.Straight() {
		m.Warp = &Warp{w.Shape.String(), Number(sense.Sign() * w.Anchor), Number(w.Scale)}
		scale = math.NaN()
	}
	near := v.Best
	if !outcome.Finite(near) {
		near = v.Units.To(v.Units.Warp.Anchor) // no value may be the best
	}
	m.Noise = Number(v.Units.Deviation(near, math.Sqrt(v.Posterior.Noise())))
	values, scales := prior.Kernel.Values(), 0
	for i, h := range prior.Kernel.Hyper() {
		switch h.Kind {
		case surrogate.Lengthscale:
			if l, varies := length(v.Space, prior.Kernel, h.Name, values[i]); varies {
				m.Lengthscales = append(m.Lengthscales, l)
			}
		case surrogate.Ratio: // told with the lengthscale
		case surrogate.Outputscale:
			if scales++; scales == 1 {
				m.Outputscale = Number(scale * math.Sqrt(values[i])) // NaN with a warp
			} else {
				m.Outputscale = Number(math.NaN())
			}
			m.Other = append(m.Other, Named{h.Name, Number(values[i])})
		default:
			m.Other = append(m.Other, Named{h.Name, Number(values[i])})
		}
	}
	if scales == 1 && len(m.Other) == 1 && m.Warp == nil {
		m.Other = nil
	}
	for _, a := range v.Sample().Came {
		if a {
			m.Answers++
		}
	}
	return m
}

// flat is the prior deviation of what the function changes along the range of a parameter, of the spread of the values, below which the
// parameter hardly matters: that of a lengthscale of three ranges, where the function varies as the values do.
const flat = 1.0 / 3

// matters reports whether a parameter does, by the kernel: with the others in the middle of their ranges.
func matters(k surrogate.Kernel, s space.Space, j int) bool {
	p, most := s.Parameter(j), 0.0
	low := slices.Repeat(space.Unit{0.5}, s.Dim())
	other := slices.Clone(low)
	low[j] = p.Unit(p.Value(0))
	for _, u := range []float64{0.25, 0.5, 0.75, 1} { // the ends alone are the same to a function with a period
		other[j] = p.Unit(p.Value(u))
		most = max(most, k.Diag(low)+k.Diag(other)-2*k.Eval(low, other))
	}
	return most >= flat*flat
}

// length is a lengthscale in the terms of its parameter, and false for one that is fixed. The name of a lengthscale ends with the
// number of the coordinate; one that does not is that of all.
func length(s space.Space, k surrogate.Kernel, name string, l float64) (Length, bool) {
	j := -1
	if at := strings.LastIndexByte(name, '['); at >= 0 {
		if _, err := fmt.Sscanf(name[at:], "[%d]", &j); err != nil || j >= s.Dim() {
			j = -1
		}
	}
	if j < 0 {
		return Length{Parameter: name, Unit: Number(l), Words: fmt.Sprintf("%.3g of the range of each parameter", l)}, true
	}
	p := s.Parameter(j)
	out := Length{Parameter: p.Name, Unit: Number(l), Words: along(p, l)}
	if warps := surrogate.InputsOf(k); warps != nil {
		out.Ratio = Number(warps[j])
		if scale := scaled(p, warps[j]); scale != "" {
			out.Words = fmt.Sprintf("%.3g of the range, %s", l, scale)
		}
	}
	if !matters(k, s, j) {
		out.Words += ": hardly matters"
	}
	return out, !p.Fixed()
}

// nearlyEven is a ratio of a warp, or its reciprocal, up to which a parameter is told of as if it had none.
const nearlyEven = 1.5

// scaled says along which scale of a parameter a warp of that ratio is even; nothing where that is hardly another than its own.
func scaled(p space.Parameter, ratio float64) string {
	if ratio <= nearlyEven && ratio >= 1/nearlyEven {
		return ""
	}
	end, steep := p.Value(0), ratio
	if ratio < 1 {
		end, steep = p.Value(1), 1/ratio
	}
	if p.Log || p.Levels() > 0 {
		return fmt.Sprintf("%.3g times as finely near %.6g as at the other end", steep, end)
	}
	return fmt.Sprintf("by the logarithm of its distance from %.6g plus %.3g", end, (p.High-p.Low)/(steep-1))
}

// along is a distance of the unit interval along a parameter: as a share of its range where it is beyond all numbers otherwise.
func along(p space.Parameter, l float64) string {
	factor := func(ratio float64) string {
		if f := math.Pow(ratio, l); !math.IsInf(f, 0) {
			return fmt.Sprintf("a factor of %.3g", f)
		}
		return fmt.Sprintf("%.3g times the range", l)
	}
	switch p.Kind {
	case space.KindCategorical, space.KindBool:
		return fmt.Sprintf("two choices are %.3g lengthscales apart", 1/l)
	case space.KindOrdered:
		return fmt.Sprintf("%.3g ranks", l*float64(p.Levels()))
	case space.KindInt:
		if p.Log {
			return factor((p.High + 1) / p.Low)
		}
	}
	switch {
	case p.Step != 0 || p.Kind == space.KindInt: // levels own equal shares
		return fmt.Sprintf("%.3g", l*float64(p.Levels())*cmp.Or(p.Step, 1))
	case p.Log:
		return factor(p.High / p.Low)
	}
	return fmt.Sprintf("%.3g", l*(p.High-p.Low))
}
