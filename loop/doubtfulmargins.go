package loop

import (
	"math"

	"github.com/tarry-bo/tarry/policies"
)

// feasibilityDoubtful reports whether, of a finite space whose constraints are measured with noise, some point is better than all that are clearly feasible, and may be
// feasible or not as far as its margins tell: then a second query there tells, although values have no noise. Elsewhere, where points are many, those near by
// tell as much. Cost O(n) where margins at one point have differed, O(1) otherwise.
func (l *Loop) feasibilityDoubtful() bool {
	if !l.ledger.scatter || l.points == 0 {
		return false
	}
	noise, points := l.marginNoise()
	clear, doubtful := math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		switch worst := p.worst(noise); {
		case worst <= -1:
		case worst > 1 && !math.IsInf(p.value, 1):
			clear = max(clear, p.value)
		default:
			doubtful = max(doubtful, p.value)
		}
	}
	return doubtful > clear
}

// marginsAt is what was measured at a point: the value, greater being better and +Inf where none that came means something, and of each constraint the mean margin.
type marginsAt struct {
	value float64
	count float64
	means []float64
}

// worst is the least mean margin in units of what is clear: above 1 the point is clearly feasible, and below -1 clearly not.
func (p marginsAt) worst(noise []float64) float64 {
	worst := math.Inf(1)
	for k, mean := range p.means {
		if noise[k] == 0 && mean == 0 {
			continue // exactly what is allowed
		}
		worst = min(worst, mean*math.Sqrt(p.count)/noise[k])
	}
	return worst
}

// marginNoise returns what is clear of a single margin of each constraint, by those that were measured at one point, and what was measured at each point of the target. Of
// few that are at one point the deviation is badly known, and more is asked.
func (l *Loop) marginNoise() (noise []float64, points []marginsAt) {
	noise, free := make([]float64, len(l.config.Constraints)), 0.0
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if !l.learned(e) || l.ledger.last(e.X, l.learned) != e {
			continue
		}
		p := marginsAt{value: math.Inf(1), means: make([]float64, len(noise))}
		if valued := l.ledger.last(e.X, l.remembers); valued != nil {
			p.value = l.config.Sense().Sign() * valued.Value
		}
		squares, failed := make([]float64, len(noise)), 0.0
		for other := range l.ledger.at(e.X) {
			switch {
			case l.forbidden(other):
				failed = math.Inf(1)
			case rules[other.Status].fails && !l.learned(other):
				failed++
			}
			if !l.learned(other) {
				continue
			}
			p.count++
			for k := range noise {
				margin := l.config.Constraints[k].Margin(other.Constraints[k])
				delta := margin - p.means[k]
				p.means[k] += delta / p.count
				squares[k] += delta * (margin - p.means[k])
			}
		}
		for k, s := range squares {
			noise[k] += s
		}
		if free += p.count - 1; !e.Below && failed <= p.count { // where most queries fail one more tells nothing
			points = append(points, p)
		}
	}
	for k, s := range noise {
		noise[k] = policies.ClearMargin * (1 + 2/free) * math.Sqrt(s/free)
	}
	return noise, points
}
