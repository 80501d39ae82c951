package loop

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"

	"github.com/tarry-bo/tarry/space"
)

// fingerprint tells configurations apart that give different studies, but for the budget, which may change.
func (c Config) fingerprint() uint64 {
	d := digest{fnv.New64a()}
	d.ints(c.Space.Dim(), c.Space.Size())
	for _, p := range c.Space.Parameters() {
		d.parameter(p)
	}
	for _, x := range c.Space.UnitPoints() {
		d.floats(x...)
	}
	d.text(c.Traits.Name)
	d.ints(bit(c.Traits.Model), int(c.Traits.Pending), bit(c.Traits.Draws), bit(c.Traits.Adapts), c.Traits.Barrier, len(c.Traits.Also))
	for _, w := range c.Traits.Also {
		d.ints(int(w.Output), int(w.Pending))
	}
	d.uints(c.Seed, uint64(c.Timeout), uint64(c.Lease), uint64(c.Patience), uint64(c.Window.Duration))
	d.ints(bit(c.Minimize), c.Initial, int(c.Design), c.Window.Rounds, bit(c.Window.Strict), c.Barrier, c.Pending, c.Retries)
	d.ints(bit(c.Exclusive), bit(c.FitBeside))
	d.text(c.Model.Kernel)
	d.ints(bit(c.Model.Known()), len(c.Model.Hyper), c.Model.Active, bit(c.Floor != nil))
	d.floats(c.Model.Hyper...)
	d.floats(c.Model.Noise, c.Range)
	if c.Floor != nil {
		d.floats(*c.Floor)
	}
	return d.Sum64()
}

func (d digest) parameter(p space.Parameter) {
	d.text(p.Name)
	d.ints(int(p.Kind), int(p.Role), bit(p.Log), len(p.Choices), len(p.Values))
	d.floats(p.Low, p.High, p.Step)
	for _, choice := range p.Choices {
		d.text(choice)
	}
	d.floats(p.Values...)
}

func (d digest) text(s string) {
	d.ints(len(s))
	d.Write([]byte(s))
}

// digest writes numbers to a hash.
type digest struct{ hash.Hash64 }

func (d digest) uints(values ...uint64) {
	var word [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(word[:], v)
		d.Write(word[:])
	}
}

func (d digest) ints(values ...int) {
	for _, v := range values {
		d.uints(uint64(int64(v)))
	}
}

func (d digest) floats(values ...float64) {
	for _, v := range values {
		d.uints(math.Float64bits(v))
	}
}
