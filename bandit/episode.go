package bandit

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/network"
)

// What is learned is one vector: numbers without bounds for the share of exploration, η and the scale, then the weights.
const (
	atExplore = iota
	atEta
	atScale
	firstWeight
)

// parameters are that vector, in use for N arms.
type parameters struct {
	explore, eta, scale float64
	weights             []float64
}

func decoded(theta []float64, arms int) parameters {
	return parameters{
		explore: leastExplore + (mostExplore-leastExplore)/(1+math.Exp(-theta[atExplore])),
		eta:     min(math.Exp(theta[atEta])/float64(arms), mostEta),
		scale:   min(math.Exp(theta[atScale]), mostScale),
		weights: theta[firstWeight:],
	}
}

// dexplore is the derivative of the share by its number.
func dexplore(theta float64) float64 {
	s := 1 / (1 + math.Exp(-theta))
	return (mostExplore - leastExplore) * s * (1 - s)
}

// Play is a play of an arm: its reward in [0, 1], and the probability with which it was drawn.
type Play struct {
	Arm                 int
	Reward, Probability float64
}

// episode is memory for the plays of one task under one vector of parameters, and the derivatives of what they earn.
type episode struct {
	arms        *Arms
	plays       []Play
	rows        [][]float64 // of the kernel, one for each play
	scores      [][]float64 // before each play, and after the last
	slopes      []float64   // by the scores, summed from the last play back
	one, soft   []float64
	probability []float64
	dfeatures   []float64
}

func newEpisode(arms *Arms, plays int) *episode {
	e := &episode{arms: arms, plays: make([]Play, plays), dfeatures: make([]float64, arms.count*arms.width)}
	for range plays {
		e.rows = append(e.rows, make([]float64, arms.count))
	}
	for range plays + 1 {
		e.scores = append(e.scores, make([]float64, arms.count))
	}
	for _, v := range []*[]float64{&e.slopes, &e.one, &e.soft, &e.probability} {
		*v = make([]float64, arms.count)
	}
	return e
}

// play draws the plays, from what those before earned. Rewards are values with noise of that standard deviation, cut off at 0 and 1.
func (e *episode) play(p parameters, values []float64, noise float64, stream *rand.Rand) {
	for i := range e.plays {
		Probabilities(e.probability, e.scores[i], p.explore)
		arm := Draw(e.probability, stream)
		e.plays[i] = Play{arm, min(max(values[arm]+noise*stream.NormFloat64(), 0), 1), e.probability[arm]}
		e.take(i, p)
	}
}

// take computes the scores after play i.
func (e *episode) take(i int, p parameters) {
	play := e.plays[i]
	e.arms.Row(e.rows[i], play.Arm)
	copy(e.scores[i+1], e.scores[i])
	floats.AddScaled(e.scores[i+1], p.eta*play.Reward/play.Probability, e.rows[i])
}

// replay computes the scores of the plays that there are.
func (e *episode) replay(p parameters) {
	for i := range e.plays {
		e.take(i, p)
	}
}

// learn returns the mean over the plays of the expected value of the next one, and adds its derivatives by the parameters, times
// weight, to grad, those by the features to dfeatures. Plays and their probabilities are taken as they are: what else might have been
// played has no part in the derivatives.
func (e *episode) learn(p parameters, theta, values []float64, weight float64, grad []float64) (earned float64) {
	clear(e.slopes)
	count := float64(len(e.plays))
	for i := len(e.plays) - 1; i >= 0; i-- {
		value, d := Slopes(e.one, e.soft, e.scores[i+1], values, p.explore)
		earned += value / count
		grad[atExplore] += weight / count * d * dexplore(theta[atExplore])
		floats.AddScaled(e.slopes, weight/count, e.one)
		share := p.eta * e.plays[i].Reward / e.plays[i].Probability
		grad[atEta] += share * floats.Dot(e.slopes, e.rows[i])
		copy(e.one, e.slopes)
		floats.Scale(share, e.one)
		grad[atScale] += e.arms.addSlopes(e.dfeatures, e.one, e.rows[i], e.plays[i].Arm)
	}
	return earned
}

// finish adds the derivatives by the weights and forgets those by the features.
func (e *episode) finish(grad []float64) {
	e.arms.pass.Backward(e.dfeatures, grad[firstWeight:], nil)
	clear(e.dfeatures)
}

// initial is where learning starts: no more than a share of 0.3 of exploration, and a network drawn at random.
func initial(shape network.Shape, stream *rand.Rand) []float64 {
	const startExplore, startEta, startScale, spread = 0.3, 3, 1, 2
	theta := make([]float64, firstWeight+shape.Weights())
	share := (startExplore - leastExplore) / (mostExplore - leastExplore)
	theta[atExplore] = math.Log(share / (1 - share))
	theta[atEta], theta[atScale] = math.Log(startEta), math.Log(startScale)
	for i := range theta[firstWeight:] {
		theta[firstWeight+i] = spread * stream.NormFloat64()
	}
	return theta
}
