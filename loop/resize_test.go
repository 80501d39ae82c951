package loop

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// A worker that gets fewer slots goes on with what it runs, and gets nothing more before it runs less; and slots that are counted one by
// one, the dumb way, agree with the loop's whatever happens.
func TestSlotsMayBecomeFewer(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	studies := uint64(40)
	if raced {
		studies = 4
	}
	for seed := range studies {
		stream := rng.New(seed, rng.Test, 1)
		d := drive(t, Config{Space: s, Budget: 300, Initial: 300, Pending: 300, Exclusive: seed%2 == 0})
		slots := map[int]int{}
		running := map[int][]Dispatch{}
		take := func(effects []Effect) {
			for _, e := range effects {
				if e, is := e.(Dispatch); is {
					running[e.Worker] = append(running[e.Worker], e)
					if len(running[e.Worker]) > slots[e.Worker] {
						t.Fatalf("seed %d: worker %d runs %d with %d slots, and got more", seed, e.Worker, len(running[e.Worker]), slots[e.Worker])
					}
				}
			}
			free := 0
			for w, n := range slots {
				free += max(n-len(running[w]), 0)
			}
			if free > 0 && !d.l.Finished() && len(d.l.Evaluations()) < 300 {
				t.Fatalf("seed %d: %d slots are free", seed, free)
			}
		}
		for k := 0; k < 200 && !d.l.Finished(); k++ {
			w := 1 + stream.IntN(3)
			switch n := stream.IntN(6); {
			case slots[w] == 0 && len(running[w]) == 0 && n < 2 && d.l.ledger.worker(w) == nil:
				slots[w] = 1 + stream.IntN(4)
				take(d.step(0, WorkerJoined{w, slots[w]}))
			case n == 2 && d.l.ledger.worker(w) != nil:
				slots[w] = stream.IntN(6)
				take(d.step(0, WorkerResized{w, slots[w]}))
			case n == 3 && stream.IntN(10) == 0 && d.l.ledger.worker(w) != nil:
				slots[w], running[w] = 0, nil
				take(d.step(0, WorkerLeft{w, "gone"}))
			case len(running[w]) > 0:
				i := stream.IntN(len(running[w]))
				e := running[w][i]
				running[w] = slices.Delete(running[w], i, i+1)
				take(d.step(0, FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(stream.Float64())}))
			}
			if k%20 == 0 {
				cut(t, d.l.Config(), d.l)
			}
		}
	}
}

func TestSlotsThatCannotBeAreCountedAndDropped(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Config{Space: s, Budget: 5, Initial: 5})
	d.step(0, WorkerJoined{1, 2})
	d.step(0, WorkerResized{1, -1})
	d.step(0, WorkerResized{1, MaxSlots + 1})
	d.step(0, WorkerResized{7, 1})
	if c := d.l.Counters(); c.Dropped != 2 || c.Unknown != 1 || d.l.ledger.slots() != 2 {
		t.Errorf("%+v, %d slots", c, d.l.ledger.slots())
	}
	d.step(0, WorkerResized{1, 0})
	if w := d.l.Waits(); !slices.ContainsFunc(w, func(w Wait) bool { return w.For == AwaitsWorker }) {
		t.Errorf("without slots it waits for %v", w)
	}
}
