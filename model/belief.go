package model

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Belief is what a policy is shown of an output: a posterior, in its units, with pending queries seen in one way. All of it
// is immutable.
type Belief struct {
	Want      Want
	Posterior *surrogate.Posterior // in Units; nil where nobody looks at one
	Rows      []int                // number of the query of each row of the posterior; −k where the row is a report of query k
	Units     feedback.Units       // of the posterior
	Best      float64              // greatest value that the belief has seen, in Units; −Inf before the first
	Incumbent space.Unit           // where it was seen, unit cube; nil before the first
	Outliers  []int                // numbers of the queries whose values count little, since they are far from what all others say; ascending
	Blamed    []int                // numbers of the queries that failed for their points, ascending; nil unless Config.Blank is set
	Penalties []int                // numbers of the queries whose values are taken for penalties, and their points for such as fail, ascending; nil where none is
}

// belief is an output seen with pending queries censored, hallucinated or ignored.
type belief struct {
	want     Want
	greatest Top   // greatest value that came and that the belief may see
	changed  []int // numbers of the queries whose row or target may have changed since the last Sync

	// As of the last Sync.
	units       feedback.Units
	best        Top // greatest value the belief sees
	rows        rows
	targets     []float64  // of the rows
	unanswered  []int      // rows without a usable answer
	failed      []int      // rows whose query failed, ascending: their target is a bad value, which counts unless Config.Blank is set
	hopeless    []int      // those of them that are infeasible beyond doubt
	spared      []int      // numbers of the latest queries that failed, may lose their rows and have none, ascending
	suspects    int        // failed rows that might have lost theirs at the last rebuild
	rebuildSoon bool       // too many rows were lifted by round-off
	doubts      []float64  // noise that the weights are, one for each; nil where there are none
	tolerance   float64    // noise of the row of a bad value, in the belief's units, or as a share of the prior's variance where that is known
	context     space.Unit // that the pool is at: that of the last ask; nil where the pool follows none

	algebra *algebra // what was computed so far; it belongs to the task of the open ask
	last    algebra  // as it was before the open ask, for results meanwhile
}

func newBelief(want Want) belief {
	return belief{want: want, units: feedback.Units{Scale: 1}, rows: rows{noiseScale: 1}, algebra: &algebra{}}
}

// sight is one belief with its output and the model.
type sight struct {
	*Model
	*output
	*belief
}

// of is belief k with what it is about.
func (m *Model) of(k int) sight {
	b := &m.beliefs[k]
	return sight{m, &m.outputs[b.want.Output], b}
}

// sync brings the belief up to date; hyperparameters that were learned since make its rows anew.
func (m sight) sync(learned bool) {
	m.units = m.measure()
	m.follow()
	m.mark()
	crowded := len(m.rows.now) > m.config.Active || len(m.rows.edits) > m.config.Active
	if learned || crowded || m.rebuildSoon || m.failing() {
		m.rebuildSoon = false
		m.rows.noiseScale = m.units.Scale
		members := m.members()
		m.rows.rebuild(members, m.knownOfAll(members))
		m.mark()
		m.suspects = m.losable()
	}
}

// mark says of each row what is in it, and which failures have none.
func (m sight) mark() {
	m.targets, m.unanswered, m.failed, m.hopeless = make([]float64, len(m.rows.now)), nil, nil, nil
	for i, number := range m.rows.now {
		var answered bool
		if m.targets[i], answered = m.target(number); !answered {
			m.unanswered = append(m.unanswered, i)
		}
		if number < 0 {
			continue
		}
		if failed, hopeless := m.failure(number); failed {
			m.failed = append(m.failed, i)
			if hopeless {
				m.hopeless = append(m.hopeless, i)
			}
		}
	}
	m.spared = m.withoutRow()
}

// shown is what a policy is shown without algebra.
func (m sight) shown() Belief {
	b := Belief{Want: m.want, Units: m.units, Best: math.Inf(-1)}
	if m.best.Number > 0 {
		b.Incumbent = m.points[m.best.Number-1]
		b.Best = m.units.To(m.best.Value)
	}
	if !m.config.Blind {
		b.Rows, b.Outliers, b.Penalties = m.rows.now, m.outliers, m.penalties()
	}
	return b
}
