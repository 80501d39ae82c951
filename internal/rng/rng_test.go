package rng

import "testing"

func TestSameKeySameNumbers(t *testing.T) {
	a, b := New(7, Noise, 3), New(7, Noise, 3)
	for i := range 100 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("draw %d: %d and %d from one key", i, x, y)
		}
	}
}

func TestEveryPartOfTheKeyMatters(t *testing.T) {
	first := map[uint64]string{}
	for seed := range uint64(3) {
		for _, name := range []Name{Policy, Fit, Noise, Delay} {
			for index := range uint64(3) {
				v := New(seed, name, index).Uint64()
				if prev, ok := first[v]; ok {
					t.Fatalf("stream (%d,%s,%d) starts like %s", seed, name, index, prev)
				}
				first[v] = string(name)
			}
		}
	}
}

// The numbers themselves are pinned: if they move, every recorded study would replay differently.
func TestStreamIsPinned(t *testing.T) {
	r := New(1, Policy, 17)
	got := [3]uint64{r.Uint64(), r.Uint64(), r.Uint64()}
	want := [3]uint64{0x39ddd0d40a7369ef, 0x415e23b9edbd1716, 0x28f04bc85ddfc813}
	if got != want {
		t.Fatalf("stream (1, policy, 17) = %#x, want %#x", got, want)
	}
}
