package sim

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/space"
)

// The network of Kim et al. 2025, sec. V-D, with what their program adds: three sites with three sectors each. What neither
// says is where the corridors of the UAVs lie; here they frame the cells.
const (
	antennas        = 9
	usersPerSector  = 4
	usersPerAirway  = 7
	antennaOffset   = 1.0 // from its site, in meters as all lengths
	antennaHeight   = 25.0
	groundHeight    = 1.5
	airHeight       = 150.0
	leastDistance   = 10.0 // of ground users from their site
	mostDistance    = 120.0
	beamwidthUp     = 10.0 // degrees
	beamwidthAside  = 65.0
	greatestGain    = 8.0 // dB
	leastGain       = -30.0
	leastPower      = 6.0 // dBm
	mostPower       = 46.0
	noisePower      = -100.0                     // dBm
	carrierLoss     = 6.020599913279624          // dB at 2 GHz, 20 log10 2
	decibel         = 0.230258509299404568401799 // ln(10)/10
	airwayGap       = 10.0                       // from the cells to the corridors
	airwayThickness = 20.0
)

// sites are where the antennas stand, and sectors their boresights with the azimuths between which their ground users are, in
// degrees; the widths of the sectors differ in the program.
var (
	sites   = [...][2]float64{{0, 0}, {0, 200}, {171, 100}}
	sectors = [...]struct{ boresight, from, to float64 }{{90, 30, 150}, {210, 150, 300}, {330, 300, 390}}
)

// network is the users with their links.
type network struct{ ground, air []user }

// user is the links from all antennas to one user.
type user [antennas]link

// link is what the path from an antenna takes away, in dB, and under which elevation the antenna sees the user, in degrees.
type link struct{ loss, aside, elevation float64 }

// layout places the users: those on the ground uniformly over the area of the ring of each sector, the UAVs evenly on the
// diagonals of four corridors.
func layout(stream *rand.Rand) network {
	var n network
	for _, site := range sites {
		for _, s := range sectors {
			for range usersPerSector {
				near, far := leastDistance*leastDistance, mostDistance*mostDistance
				radius := math.Sqrt(near + (far-near)*stream.Float64())
				azimuth := radians(s.from + (s.to-s.from)*stream.Float64())
				n.ground = append(n.ground, linked(site[0]+radius*math.Cos(azimuth), site[1]+radius*math.Sin(azimuth), groundHeight, groundLoss))
			}
		}
	}
	for _, a := range airways() {
		for i := range usersPerAirway {
			share := float64(i) / (usersPerAirway - 1)
			n.air = append(n.air, linked(a[0]+share*(a[2]-a[0]), a[1]+share*(a[3]-a[1]), airHeight, airLoss))
		}
	}
	return n
}

// airways are the corridors, as the ends of their diagonals: left, right, below and above the cells.
func airways() [4][4]float64 {
	left, right := -mostDistance-airwayGap, sites[2][0]+mostDistance+airwayGap
	below, above := -mostDistance-airwayGap, sites[1][1]+mostDistance+airwayGap
	return [4][4]float64{
		{left - airwayThickness, below, left, above},
		{right, below, right + airwayThickness, above},
		{left, below - airwayThickness, right, below},
		{left, above, right, above + airwayThickness},
	}
}

// linked is a user at a place.
func linked(x, y, height float64, loss func(distance float64) float64) user {
	var u user
	for i, site := range sites {
		for k, s := range sectors {
			angle := radians(s.boresight)
			dx, dy := x-site[0]-antennaOffset*math.Cos(angle), y-site[1]-antennaOffset*math.Sin(angle)
			flat, up := math.Hypot(dx, dy), height-antennaHeight
			turned := math.Remainder(degrees(math.Atan2(dy, dx))-s.boresight, 360)
			u[i*len(sectors)+k] = link{
				loss: loss(math.Hypot(flat, up)), aside: 12 * square(turned/beamwidthAside), elevation: degrees(math.Atan2(up, flat)),
			}
		}
	}
	return u
}

// groundLoss and airLoss are path losses in dB at a distance in meters (3GPP TR 38.901, urban macro without line of sight, and
// TR 36.777, aerial with line of sight).
func groundLoss(distance float64) float64 { return 13.54 + 39.08*math.Log10(distance) + carrierLoss }
func airLoss(distance float64) float64    { return 28 + 22*math.Log10(distance) + carrierLoss }

// gain is the gain of an antenna in dB, up degrees off its tilt, where the other axis takes aside dB away.
func gain(up, aside float64) float64 {
	return min(max(greatestGain-12*square(up/beamwidthUp)-aside, leastGain), greatestGain)
}

// receives is what the user receives at a point of the problem, which has the powers in dBm and then the tilts in degrees.
func (u *user) receives(x space.Point) received {
	var r received
	for b, l := range u {
		r[b] = math.Exp(decibel * (x[b] + gain(l.elevation-x[antennas+b], l.aside) - l.loss - noisePower))
	}
	return r
}

// atBest is what the user would receive if the antenna that it can hear best were all for it, and the others silent.
func (u *user) atBest() received {
	var r received
	best, strongest := 0, math.Inf(-1)
	for b, l := range u {
		if power := mostPower + gain(0, l.aside) - l.loss - noisePower; power > strongest {
			best, strongest = b, power
		}
	}
	r[best] = math.Exp(decibel * strongest)
	return r
}

func square(v float64) float64  { return v * v }
func radians(v float64) float64 { return v * math.Pi / 180 }
func degrees(v float64) float64 { return v * 180 / math.Pi }
