package space

import "math/bits"

// Set is a set of the parameters of a space, by their indices.
type Set [(MaxDim + 63) / 64]uint64

// everything has every parameter.
var everything = func() (all Set) {
	for k := range all {
		all[k] = 1<<64 - 1
	}
	return all
}()

// Has reports whether parameter i is in the set.
func (s Set) Has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s *Set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *Set) remove(i int) { s[i/64] &^= 1 << (i % 64) }

// unite adds what is in the other set.
func (s *Set) unite(other *Set) {
	for k, word := range other {
		s[k] |= word
	}
}

// count returns how many parameters are in the set.
func (s *Set) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}
