package surrogate

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// What draws keep for later ones must not show: every draw is, to the bit, that of a posterior which never drew before,
// whatever branches were drawn from, in whatever order, and after rows were removed.
func TestWhatADrawKeepsNeverShows(t *testing.T) {
	points, x, y := study(400)
	k := everyKernel()[0]
	pool := NewPool(k, points, false)
	post := condition(t, Prior{Kernel: k, Noise: 0.01}, x[:60], y[:60], pool)
	choices := rand.New(rand.NewPCG(1, 2))
	family := []*Posterior{post}
	for i := 60; i < 400; i++ {
		from := family[len(family)-1-choices.IntN(min(3, len(family)))] // sometimes an older one: a branch
		next := from.Append(x[i], y[i])
		if choices.IntN(25) == 0 {
			next = next.Remove(choices.IntN(next.Len()))
		}
		family = append(family, next)
		if choices.IntN(3) > 0 {
			continue
		}
		one := family[choices.IntN(len(family))]
		fresh := *one
		fresh.joint = &jointCache{}
		if got, want := one.DrawJoint(stream(uint64(i))), fresh.DrawJoint(stream(uint64(i))); !slices.Equal(got, want) {
			t.Fatalf("with %d rows a draw differs from that of a posterior that never drew", one.Len())
		}
	}
}

func TestManyMayDrawAtOnce(t *testing.T) {
	points, x, y := study(200)
	k := everyKernel()[0]
	post := condition(t, Prior{Kernel: k, Noise: 0.01}, x, y, NewPool(k, points, false))
	want := post.DrawJoint(stream(1))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got := post.Append(points[0], 1).DrawJoint(stream(2)); len(got) != len(want) {
				t.Error("a draw of the wrong length")
			}
			if !slices.Equal(post.DrawJoint(stream(1)), want) {
				t.Error("a draw beside others differs")
			}
		})
	}
	wait.Wait()
}

func TestDrawsTogetherAreDrawsOneAfterAnother(t *testing.T) {
	points, x, y := study(100)
	k := everyKernel()[0]
	post := condition(t, Prior{Kernel: k, Noise: 0.01}, x, y, NewPool(k, points[:20], false))
	one := stream(3)
	for i, draw := range post.DrawsJoint(4, stream(3)) {
		if want := post.DrawJoint(one); !slices.Equal(draw, want) {
			t.Errorf("draw %d is %v, want %v", i, draw, want)
		}
	}
	empty := condition(t, Prior{Kernel: k, Noise: 0.01}, x, y, NewPool(k, nil, false))
	if got := empty.DrawsJoint(2, stream(3)); len(got) != 2 || len(got[0]) != 0 {
		t.Errorf("%v over no points", got)
	}
	mustPanic(t, "DrawsJoint", func() { condition(t, Prior{Kernel: k, Noise: 0.01}, x, y, nil).DrawsJoint(1, stream(3)) })
}
