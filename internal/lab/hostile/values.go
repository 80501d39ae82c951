package hostile

import (
	"math"
	"math/rand/v2"
)

var kinds = []Kind{
	{Name: "smooth", What: "a hill with a ripple and a little noise", value: smooth},
	{Name: "constant", What: "one value", value: func(Query, *rand.Rand) float64 { return 7.25 }},
	{Name: "two", What: "two values, by chance", value: func(_ Query, s *rand.Rand) float64 { return float64(s.IntN(2)) }},
	{Name: "duplicates", What: "three points again and again", Points: Duplicates, value: smooth},
	{Name: "collinear", What: "points on a line", Points: Collinear, value: smooth},
	{Name: "corners", What: "points in the corners of the cube", Points: Corners, value: smooth},
	{Name: "close", What: "points 1e-9 apart", Points: Close, value: smooth},
	{Name: "noiseless", What: "three points again and again, a known model with a noise of 1e-12", Points: Duplicates, Known: true, value: smooth},
	{Name: "noiseless-close", What: "points 1e-9 apart, a known model with a noise of 1e-12", Points: Close, Known: true, value: smooth},
	{Name: "steps", What: "plateaus", value: func(q Query, _ *rand.Rand) float64 { return math.Floor(4 * hill(q)) }},
	{Name: "huge", What: "values of the size of 1e300", value: scaled(1e300)},
	{Name: "tiny", What: "values of the size of 1e-300", value: scaled(1e-300)},
	{Name: "limits", What: "the greatest and the least finite number, and zero", value: oneOf(math.MaxFloat64, -math.MaxFloat64, 0)},
	{Name: "mixed", What: "1e300 beside 1e-300 and zero", value: oneOf(1e300, -1e300, 1e-300, -1e-300, 0)},
	{Name: "denormal", What: "multiples of the least positive number", value: denormal},
	{Name: "offset", What: "1e12, and the hill in the fourth decimal", value: offset},
	{Name: "cauchy", What: "tails without a mean", value: func(q Query, s *rand.Rand) float64 { return hill(q) + math.Tan(math.Pi*(s.Float64()-0.5)) }},
	{Name: "pareto", What: "a tail of index 1/2 on either side", value: pareto},
	{Name: "outliers", What: "one value in a hundred is 1e12 times as large", value: outliers},
	{Name: "nonfinite", What: "two values in five are NaN or infinite", value: nonfinite},
	{Name: "alternating", What: "the sign alternates", value: alternating},
	{Name: "order", What: "values that drift with the order in which they are asked for", value: func(q Query, s *rand.Rand) float64 { return smooth(q, s) + float64(q.Order) }},
}

// hill is a smooth function in about [-1.2, 0.2]; the seed moves its top.
func hill(q Query) float64 {
	y, phase := 0.0, float64(q.Seed%1000)
	for i, x := range q.X {
		top := 0.5 + 0.3*math.Sin(phase+float64(i))
		y -= (x - top) * (x - top) / float64(len(q.X))
	}
	if len(q.X) > 0 {
		y += 0.2 * math.Sin(9*q.X[0])
	}
	return y
}

func smooth(q Query, stream *rand.Rand) float64 { return hill(q) + 0.01*stream.NormFloat64() }

func scaled(size float64) func(Query, *rand.Rand) float64 {
	return func(q Query, stream *rand.Rand) float64 { return size * smooth(q, stream) }
}

func oneOf(values ...float64) func(Query, *rand.Rand) float64 {
	return func(_ Query, stream *rand.Rand) float64 { return values[stream.IntN(len(values))] }
}

func denormal(_ Query, stream *rand.Rand) float64 {
	v := math.Float64frombits(uint64(stream.IntN(1000)))
	if stream.IntN(2) == 0 {
		return -v
	}
	return v
}

// offset keeps about one digit of the hill: at 1e12 neighboring numbers are 1.2e-4 apart.
func offset(q Query, stream *rand.Rand) float64 {
	return 1e12 + 1e-3*hill(q) + 1e-4*stream.NormFloat64()
}

func pareto(q Query, stream *rand.Rand) float64 {
	u := 1 - stream.Float64() // above zero
	tail := 1 / (u * u)
	if stream.IntN(2) == 0 {
		tail = -tail
	}
	return hill(q) + tail
}

func outliers(q Query, stream *rand.Rand) float64 {
	y := smooth(q, stream)
	if stream.Float64() < 0.01 {
		return 1e12 * y
	}
	return y
}

func nonfinite(q Query, stream *rand.Rand) float64 {
	switch stream.IntN(10) {
	case 0, 1:
		return math.NaN()
	case 2:
		return math.Inf(1)
	case 3:
		return math.Inf(-1)
	}
	return smooth(q, stream)
}

func alternating(q Query, stream *rand.Rand) float64 {
	y := 3 + smooth(q, stream)
	if q.Number%2 == 1 {
		return -y
	}
	return y
}
