package loop

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"

	"github.com/tarry-bo/tarry/space"
)

// fingerprint tells configurations apart that give different studies, but for the budgets, which may change. Snapshots have it: one of a study without an
// opening is that of before there was any.
func (c Config) fingerprint() uint64 {
	d := digest{fnv.New64a()}
	d.space(c.Space)
	for _, o := range c.Options() {
		if !o.Free && (o.Field != &c.Opening || !o.IsZero()) {
			fmt.Fprintf(d, "%q %q ", o.Name, o.Text())
		}
	}
	return d.Sum64()
}

func (d digest) space(s space.Space) {
	d.ints(s.Dim(), s.Size())
	for _, p := range s.Parameters() {
		d.parameter(p)
	}
	for _, x := range s.UnitPoints() {
		d.floats(x...)
	}
}

// parameter writes what a parameter was made of.
func (d digest) parameter(p space.Parameter) {
	fmt.Fprintf(d, "%q %d %d %v %q %#v ", p.Name, p.Kind, p.Role, p.Log, p.Choices, p.Conditions)
	d.ints(len(p.Values), len(p.Costs))
	d.floats(p.Low, p.High, p.Step)
	d.floats(p.Values...)
	d.floats(p.Costs...)
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
