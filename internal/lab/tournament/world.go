package tournament

import (
	"fmt"
	"sync"

	"github.com/tarry-bo/tarry/sim"
)

// world is a problem as a seed draws it, with what is measured on it once for all policies.
type world struct {
	problem sim.Problem
	spread  sim.Spread
	unit    float64 // of regrets: what the best of ten random points leaves on average
}

// worlds keeps those that were drawn: all policies of a seed meet them one after the other.
type worlds struct {
	mutex sync.Mutex
	drawn map[uint64]func() (world, error)
}

func newWorlds() *worlds { return &worlds{drawn: map[uint64]func() (world, error){}} }

// world draws the problem, once for each seed.
func (p *Problem) world(seed uint64) (world, error) {
	if p.Family == Trained {
		seed = 0 // decides nothing, and what is measured is expensive
	}
	p.worlds.mutex.Lock()
	once := p.worlds.drawn[seed]
	if once == nil {
		once = sync.OnceValues(func() (world, error) { return p.newWorld(seed) })
		p.worlds.drawn[seed] = once
	}
	p.worlds.mutex.Unlock()
	return once()
}

func (p *Problem) newWorld(seed uint64) (world, error) {
	problem, err := p.draw(p, seed)
	if err != nil {
		return world{}, fmt.Errorf("problem %s: %w", p.Name, err)
	}
	problem.Name, problem.Describe, problem.Floor, problem.Range = p.Name, p.Describe, nil, 0
	w := world{problem: problem, spread: problem.Spread()}
	w.unit = problem.Maximum - w.spread.BestOfTen
	if !(w.unit > 0) {
		w.unit = 1
	}
	return w, nil
}
