package fidelity

import (
	"math"
	"math/cmplx"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/rng"
)

// What Zhang 2024, chapter 4, says of the network, and 3GPP TR 38.901 of urban microcells.
const (
	cells        = 3
	cellUsers    = 10
	users        = cells * cellUsers
	baseAntennas = 16
	userAntennas = 4
	carrier      = 3.5 // GHz
	baseHeight   = 15.0
	nearest      = 18.0 // meters from the serving base station, along the ground
	farthest     = 200.0
	sightSpread  = 4.0     // dB, standard deviation of the shadowing with line of sight
	blockSpread  = 7.82    // dB, and without
	noiseLevel   = -121.38 // dBm: about that of 180 kHz
	strayStep    = 10.0    // meters, the most that a user moves from task to task
)

// What it does not say.
const (
	userHeight = 1.5
	siteGap    = 346.41016151377545 // meters between two sites, 200·√3
)

// The powers of the direct and of the scattered part with line of sight, as shares: -0.2 and -13.5 dB.
var (
	directPart  = math.Pow(10, -0.02)
	scatterPart = math.Pow(10, -1.35)
)

// sightLoss is the path loss in dB over d meters with line of sight.
func sightLoss(d float64) float64 { return 32.4 + 21*math.Log10(d) + 20*math.Log10(carrier) }

// blockedLoss is the path loss in dB over d meters without line of sight, for a user at that height.
func blockedLoss(d, height float64) float64 {
	return max(sightLoss(d), 35.3*math.Log10(d)+22.4+21.3*math.Log10(carrier)-0.3*(height-1.5))
}

// sightChance is the probability of a line of sight over d meters along the ground.
func sightChance(d float64) float64 {
	if d <= nearest {
		return 1
	}
	return nearest/d + math.Exp(-d/36)*(1-nearest/d)
}

// place is a point on the ground, as a complex number of meters.
type place = complex128

// bases are where the base stations stand: the corners of a triangle.
var bases = [cells]place{0, siteGap, cmplx.Rect(siteGap, math.Pi/3)}

// uplinkLayout is where the users are, those of the first cell first, and what of their links does not change when they move.
type uplinkLayout struct {
	users  [users]place
	facing [users]float64        // the orientation of the user's antennas
	sight  [users][cells]float64 // there is a line of sight where its chance is above this
	shadow [users][cells]float64 // in standard deviations
}

// layUplink places the users of the first task: uniform in distance and direction around their own base station.
func layUplink(stream *rand.Rand) uplinkLayout {
	var l uplinkLayout
	for u := range l.users {
		l.users[u] = bases[u/cellUsers] + cmplx.Rect(nearest+(farthest-nearest)*stream.Float64(), 2*math.Pi*stream.Float64())
		l.facing[u] = 2 * math.Pi * stream.Float64()
		for c := range cells {
			l.sight[u][c], l.shadow[u][c] = stream.Float64(), stream.NormFloat64()
		}
	}
	return l
}

// stray moves each user by up to 10 m, uniformly in the disc around it. Who would leave the ring around the own base station stays.
func (l *uplinkLayout) stray(stream *rand.Rand) {
	for u, at := range l.users {
		to := at + cmplx.Rect(strayStep*math.Sqrt(stream.Float64()), 2*math.Pi*stream.Float64())
		if d := cmplx.Abs(to - bases[u/cellUsers]); d >= nearest && d <= farthest {
			l.users[u] = to
		}
	}
}

// uplinkTask returns the layout of a task, and the stream with the rest of its chances.
func uplinkTask(seed uint64, task int) (uplinkLayout, *rand.Rand) {
	l := layUplink(rng.New(seed, rng.Problem, 0))
	stream := rng.New(seed, rng.Task, 0)
	for k := 1; k <= task; k++ {
		stream = rng.New(seed, rng.Task, uint64(k))
		l.stray(stream)
	}
	return l, stream
}

// uplinkPath is what lies between a user and a base station.
type uplinkPath struct {
	loss     float64 // dB, without shadowing
	shadow   float64 // dB, to be taken away from the loss
	sighted  bool
	arriving float64 // direction from the base station to the user, radians
}

// path returns the path between a user and a base station.
func (l *uplinkLayout) path(u, c int) uplinkPath {
	along := l.users[u] - bases[c]
	flat := cmplx.Abs(along)
	d := math.Hypot(flat, baseHeight-userHeight)
	if l.sight[u][c] < sightChance(flat) {
		return uplinkPath{loss: sightLoss(d), shadow: sightSpread * l.shadow[u][c], sighted: true, arriving: cmplx.Phase(along)}
	}
	return uplinkPath{loss: blockedLoss(d, userHeight), shadow: blockSpread * l.shadow[u][c], arriving: cmplx.Phase(along)}
}

// channel is the matrix from the antennas of a user to those of a base station, by rows of the base station's.
type channel [baseAntennas * userAntennas]complex128

// draw returns a channel of the path, in units in which a transmitter of 1 mW over a loss of 0 dB is as strong as the noise: Rayleigh
// fading without line of sight. With it, most of the power comes as one plane wave with a random phase, between two rows of antennas half
// a wavelength apart.
func (p uplinkPath) draw(facing float64, stream *rand.Rand) channel {
	var h channel
	amplitude := math.Pow(10, (p.shadow-p.loss-noiseLevel)/20)
	scatter, direct := amplitude*math.Sqrt(0.5), 0.0
	if p.sighted {
		scatter, direct = scatter*math.Sqrt(scatterPart), amplitude*math.Sqrt(directPart)
	}
	phase := 2 * math.Pi * stream.Float64()
	for i := range baseAntennas {
		for j := range userAntennas {
			wave := phase + math.Pi*(float64(i)*math.Cos(p.arriving)-float64(j)*math.Cos(p.arriving-facing))
			h[i*userAntennas+j] = complex(scatter*stream.NormFloat64(), scatter*stream.NormFloat64()) + cmplx.Rect(direct, wave)
		}
	}
	return h
}
