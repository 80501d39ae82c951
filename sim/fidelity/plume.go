package fidelity

import "math"

// stability is how a plume widens under an atmospheric stability class of Pasquill and Gifford, over open country: after x meters
// its standard deviation is
//
//	across·x / √(1 + 0.0001 x) to the sides,  up·x (1 + bend·x)^power upwards.
type stability struct{ across, up, bend, power float64 }

// classes are the stability classes A (very unstable) to F (stable), as in Briggs 1973, "Diffusion estimation for small emissions"
// (ATDL-106, doi:10.2172/5118833), for distances from 100 m to 10 km. Shorter ones are extrapolated.
var classes = [...]stability{
	{0.22, 0.20, 0, 0},
	{0.16, 0.12, 0, 0},
	{0.11, 0.08, 0.0002, -0.5},
	{0.08, 0.06, 0.0015, -0.5},
	{0.06, 0.03, 0.0003, -1},
	{0.04, 0.016, 0.0003, -1},
}

// widths returns the standard deviations of the plume to the sides and upwards, in meters, at x meters downwind.
func (s stability) widths(x float64) (across, up float64) {
	return s.across * x / math.Sqrt(1+1e-4*x), s.up * x * math.Pow(1+s.bend*x, s.power)
}

// plume is a source that emits at a steady rate (g/s), height meters above the ground, in a steady wind (m/s).
type plume struct{ rate, height, wind float64 }

// concentration is that of a Gaussian plume which the ground reflects, in g/m³, x meters downwind of the source, y aside and z above
// the ground; none upwind.
func (p plume) concentration(s stability, x, y, z float64) float64 {
	if x <= 0 {
		return 0
	}
	across, up := s.widths(x)
	bell := func(d, sd float64) float64 { return math.Exp(-d * d / (2 * sd * sd)) }
	return p.rate / (2 * math.Pi * p.wind * across * up) * bell(y, across) * (bell(z-p.height, up) + bell(z+p.height, up))
}
