package chart

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Look is how a curve is drawn. The looks of policies are those of policyLooks; what is no policy is black or gray.
type Look struct {
	Color  color.NRGBA
	Dashes []vg.Length // nil: none
	Mark   Mark
}

// line is the line of the curve.
func (l Look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.Color, Width: lineWidth, Dashes: l.Dashes}
}

// glyph is its mark.
func (l Look) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.Color, Radius: markRadius, Shape: l.Mark}
}

// Sizes of curves and of their marks, in points.
const (
	lineWidth  = 1.8 * vg.Length(1)
	markRadius = 3.4 * vg.Length(1)
)

// dashes tell lines of the same color apart.
var dashes = [...][]vg.Length{nil, {8, 4}, {2, 3}, {10, 3, 2, 3}}

// siblingDashes are those of a policy that has the color of another one, which it is nearest to.
var siblingDashes = []vg.Length{9, 3}

// baselineDashes are those of random search and of what curves are held against.
var baselineDashes = []vg.Length{5, 2.5}

// light is the color of the band around a curve.
func (l Look) light() color.Color {
	c := l.Color
	c.A = 0x30
	return c
}

// Pale is the color for areas that belong to the curve.
func (l Look) Pale() color.Color { return mixed(l.Color, rgb(0xffffff), 0.5) }

// LookOf returns the look of a policy, with or without options; of one that is not known it is neutral.
func LookOf(policy string) Look {
	_, look := Curve{Policy: policy}.style()
	return look
}

// variant is the look number i of the curves of one policy: of the same color, and told apart by dashes and by the inside of
// the mark, eight of them.
func (l Look) variant(i int) Look {
	if k := i % len(dashes); k > 0 && l.Dashes != nil {
		l.Dashes = dashes[1+k%(len(dashes)-1)] // the most different one first
	} else if k > 0 {
		l.Dashes = dashes[k]
	}
	if (i+i/len(dashes))%2 > 0 {
		l.Mark = l.Mark.turned()
	}
	return l
}

// level is the look number i of n settings of one policy: a shade of its color, from dark to light.
func (l Look) level(i, n int) Look {
	const deep, pale, lightest = 0.6, 0.5, 0.3
	dark, light := mixed(l.Color, rgb(0x000000), deep), l.Color
	if luminance(light) < lightest { // else it would be too light for a line
		light = mixed(light, rgb(0xffffff), pale)
	}
	l.Color = mixed(dark, light, float64(i)/float64(n-1))
	l.Dashes = dashes[i%len(dashes)]
	return l
}

// neutral is the look number i of what is no policy: black, told apart by dashes, and gray when these are used up.
func neutral(i int) Look {
	l := Look{Color: rgb(0x000000), Dashes: dashes[i%len(dashes)]}
	if i/len(dashes)%2 > 0 {
		l.Color = rgb(0x999999)
	}
	return l
}

// style is the policy of a curve, empty for none that is known, and how that is drawn.
func (c Curve) style() (policy string, look Look) {
	if c.Baseline {
		return "", Look{Color: baselineInk, Dashes: baselineDashes}
	}
	policy = policyOf(c.Policy)
	if look, known := policyLooks[policy]; known {
		return policy, look
	}
	return "", neutral(0)
}

// family is what is drawn of a policy: how many curves, and whether any is under the name of the policy or its options.
type family struct {
	curves int
	named  bool
}

// fewSettings is the number of settings of a policy from which on they are levels.
const fewSettings = 3

// looksOf are the looks of curves by their names: the first curve of a name decides. Curves of one policy have its color. They
// are levels where there are some and all have names of their own, as settings of the policy have; else they are variants, of
// which the policy without options is the first.
func looksOf(curves []Curve) map[string]Look {
	families, out := map[string]family{}, map[string]Look{}
	var distinct []Curve
	for _, c := range curves {
		if slices.ContainsFunc(distinct, func(other Curve) bool { return other.Name == c.Name }) {
			continue
		}
		distinct = append(distinct, c)
		policy, _ := c.style()
		f := families[policy]
		families[policy] = family{f.curves + 1, f.named || c.Name == c.Policy || c.Name == policy}
	}
	next := map[string]int{} // number of the next curve of a policy
	for _, c := range distinct {
		policy, look := c.style()
		i, f := next[policy], families[policy]
		switch {
		case c.Baseline || c.Name == policy && policy != "":
			out[c.Name] = look
			continue
		case policy == "":
			look = neutral(i)
		case f.named:
			look = look.variant(i + 1) // the first is for the policy without options
		case f.curves >= fewSettings:
			look = look.level(i, f.curves)
		default:
			look = look.variant(i)
		}
		next[policy]++
		out[c.Name] = look
	}
	return out
}
