package loop

import (
	"fmt"
	"hash/fnv"

	"github.com/tarry-bo/tarry/space"
)

// fingerprint tells configurations apart that give different studies, but for the budget, which may change.
func (c Config) fingerprint() uint64 {
	d := digest{fnv.New64a()}
	d.space(c.Space)
	for _, o := range c.Options() {
		if !o.Free {
			fmt.Fprintf(d, "%q %q ", o.Name, o.Text())
		}
	}
	return d.Sum64()
}

func (d digest) space(s space.Space) {
	fmt.Fprintf(d, "%#v %d ", s.Parameters(), s.Size())
	for _, x := range s.UnitPoints() {
		d.floats(x...)
	}
}
