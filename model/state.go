package model

import (
	"slices"

	"github.com/tarry-bo/tarry/feedback"
)

// State is everything of a model that neither its configuration tells nor what happened to its queries (Open, Fail, Remove,
// Reveal): plain data for a snapshot, a digest or a test. What it leaves out makes no difference: the algebra.
type State struct {
	Fits    FitsState
	Outputs []OutputState // in the order of Config.Outputs
	Beliefs []BeliefState // in the order of Config.Beliefs
}

// FitsState is the schedule of fits, with the data of the one that is open: what has come since belongs to the next.
type FitsState struct {
	Started, Open int
	Output        Output // of the fit that is open
	X             [][]float64
	Y, Known      []float64
}

// OutputState is the state of an output.
type OutputState struct {
	Floor float64
	Prior PriorState
	Next  *PriorState // nil where none was adopted
	Size  int
	Urged bool

	Variances []float64 // known noise of each value, by number less one; none where nothing is known of any
}

// PriorState is a prior: the name of its kernel and its numbers as they are, since those of Kernel.Params went through a logarithm, from which
// they do not come back to the bit, its noise, and the warp that goes with it. Its mean never changes.
type PriorState struct {
	Name   string
	Kernel []float64
	Noise  float64
	Warp   float64
}

// BeliefState is the state of a belief.
type BeliefState struct {
	Greatest    Top
	Changed     []int
	Units       feedback.Units
	Best        Top
	Generation  int // counts rebuilds of the rows
	Base        []int
	BaseKnown   []float64 // known noise of these rows; none where nothing is known of any
	NoiseScale  float64
	Edits       []Edit
	Filled      int // edits after which the pool was filled
	Targets     []float64
	Unanswered  []int
	Failed      []int
	Hopeless    []int
	Spared      []int
	Suspects    int
	RebuildSoon bool
}

// State returns the state, which shares memory with the model: read only, until the next change. Cost O(1) for each output and
// belief.
func (m *Model) State() State {
	s := State{
		Fits:    FitsState{Started: m.fits.started, Open: m.fits.open},
		Outputs: make([]OutputState, len(m.outputs)), Beliefs: make([]BeliefState, len(m.beliefs)),
	}
	if f, open := m.Fitting(); open {
		s.Fits.Output, s.Fits.X, s.Fits.Y, s.Fits.Known = f.Output, f.X, f.Y, f.Known
	}
	for i := range m.outputs {
		o := &m.outputs[i]
		s.Outputs[i] = OutputState{Floor: o.floor, Prior: stateOf(o.learned), Size: o.size, Urged: o.urged, Variances: o.variances}
		if o.next != nil {
			next := stateOf(*o.next)
			s.Outputs[i].Next = &next
		}
	}
	for i := range m.beliefs {
		b := &m.beliefs[i]
		s.Beliefs[i] = BeliefState{
			Greatest: b.greatest, Changed: b.changed, Units: b.units, Best: b.best, Generation: b.rows.generation, Base: b.rows.base,
			BaseKnown: b.rows.baseKnown, NoiseScale: b.rows.noiseScale,
			Edits: b.rows.edits, Filled: b.rows.filled, Targets: b.targets, Unanswered: b.unanswered, Failed: b.failed,
			Hopeless: b.hopeless, Spared: b.spared, Suspects: b.suspects, RebuildSoon: b.rebuildSoon,
		}
	}
	return s
}

func stateOf(l learned) PriorState {
	return PriorState{l.prior.Kernel.Name(), l.prior.Kernel.Values(), l.prior.Noise, l.warp}
}

// Rows returns the numbers of the queries of each row: those of the base after the edits.
func (s BeliefState) Rows() []int {
	now := slices.Clone(s.Base)
	for _, e := range s.Edits {
		if e.Number == 0 {
			now = slices.Delete(now, e.Row, e.Row+1)
		} else {
			now = append(now, e.Number)
		}
	}
	return now
}
