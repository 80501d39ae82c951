package space

import "math"

// Value maps u in [0, 1] to user units. The k levels of a discrete parameter own equal shares of [0, 1] (equal
// shares of the logarithm with Log); the ends of a float's range are reached exactly. NaN stays NaN, unless the parameter
// has a single value.
func (p Parameter) Value(u float64) float64 {
	u = min(max(u, 0), 1)
	switch p.Kind {
	case KindCategorical:
		return owner(u, float64(len(p.Choices)))
	case KindBool:
		return owner(u, float64(len(truths)))
	case KindOrdered:
		k := owner(u, float64(len(p.Values)))
		if math.IsNaN(k) {
			return k
		}
		return p.Values[int(k)]
	case KindInt:
		return p.whole(u)
	}
	return p.real(u)
}

// whole is Value of an int.
func (p Parameter) whole(u float64) float64 {
	switch {
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High+1)
		return min(max(math.Floor(math.Exp(lo+u*(hi-lo))), p.Low), p.High)
	case p.Step != 0:
		return p.Low + owner(u, p.last()+1)*p.Step
	}
	n := p.High - p.Low + 1
	return p.Low + min(math.Floor(u*n), n-1)
}

// real is Value of a float.
func (p Parameter) real(u float64) float64 {
	switch {
	case u == 0 || p.Low == p.High:
		return p.Low
	case p.Step != 0:
		s := p.stepped()
		return s.at(owner(u, s.count))
	case u == 1:
		return p.High
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High)
		return min(max(math.Exp(lo+u*(hi-lo)), p.Low), p.High)
	}
	return min(max(p.Low+u*(p.High-p.Low), p.Low), p.High)
}

// Unit maps v in user units to [0, 1]. A level of a discrete parameter goes to the middle of its share. A number between
// two levels, of a float with a step or of an ordered parameter, goes to the middle of the nearer level's share. A single
// value goes to the middle of the interval.
func (p Parameter) Unit(v float64) float64 {
	switch p.Kind {
	case KindCategorical:
		return inside(middle(v, float64(len(p.Choices))))
	case KindBool:
		return inside(middle(v, float64(len(truths))))
	case KindOrdered:
		return middle(float64(nearestOf(p.Values, v)), float64(len(p.Values)))
	case KindInt:
		return p.unitOfWhole(v)
	}
	return p.unitOfReal(v)
}

func inside(u float64) float64 { return min(max(u, 0), 1) }

// unitOfWhole is Unit of an int.
func (p Parameter) unitOfWhole(v float64) float64 {
	switch {
	case p.Low == p.High:
		return 0.5
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High+1)
		return inside(((math.Log(v)+math.Log(v+1))/2 - lo) / (hi - lo))
	case p.Step != 0:
		return inside(middle((v-p.Low)/p.Step, p.last()+1))
	}
	return inside((v - p.Low + 0.5) / (p.High - p.Low + 1))
}

// unitOfReal is Unit of a float.
func (p Parameter) unitOfReal(v float64) float64 {
	switch {
	case p.Low == p.High:
		return 0.5
	case p.Step != 0:
		s := p.stepped()
		return middle(s.rank(v), s.count)
	case v == p.High:
		return 1
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High)
		return inside((math.Log(v) - lo) / (hi - lo))
	}
	return inside((v - p.Low) / (p.High - p.Low))
}
