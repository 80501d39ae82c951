package langevin

import "math"

// Channel is what every device meets.
type Channel struct {
	Gain  float64 // h, which the devices invert
	Power float64 // P0, the most that a device may send on average over the entries
	Noise float64 // N0
}

// PowerLimit is the greatest amplitude that the power allows whatever the gradient: (A Peak/h)² ≤ P0.
func (c Channel) PowerLimit(coding Coding) float64 {
	return c.Gain * math.Sqrt(c.Power) / coding.Peak()
}

// PrintedLimit is the greatest amplitude that leaves as much noise as Langevin dynamics without quantization want, as the source has it for
// both codings: η² N0/A² ≥ 2η, its (A.19).
func PrintedLimit(step, noise float64) float64 { return math.Sqrt(step * noise / 2) }

// Match returns a step and an amplitude under which small gradients meet noise of the temperature that they want (ours; for one bit the
// source forgets that the quantizer shrinks the drift and adds noise of its own):
//
//	η² (N0/A² + Variance) = 2 η Drift.
//
// The step is the one that is given, or the greatest one for which the most amplitude suffices.
func (c Coding) Match(step, most, noise float64, devices int) (matched, amplitude float64) {
	drift, variance := 2*c.Drift(), c.Variance(devices)
	if greatest := drift / (variance + noise/(most*most)); greatest < step {
		return greatest, most
	}
	return step, math.Sqrt(step * noise / (drift - step*variance))
}
