package portrait_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// of is a study as a portrait takes it.
func of(name string, l *loop.Loop, elapsed time.Duration) portrait.Study {
	return portrait.Study{Name: name, Header: journal.NewHeader(l.Config()), Loop: l, Begun: time.Unix(1e9, 0), Elapsed: elapsed}
}

// whole is the portrait of a journal, read from its beginning.
func whole(t testing.TB, name string, store *journal.Memory, r portrait.Range) portrait.Portrait {
	t.Helper()
	l, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	_, at := l.Now()
	k := portrait.NewSketch()
	k.Follow(l)
	p := k.Portrait(of(name, l, at), r)
	p.Complete(of(name, l, at), k)
	return p
}

// rough plays a study with answers that come in any order, late, twice, not at all or with a failure, and calls after behind each step.
func rough(t testing.TB, study *tarry.Study, contexts []float64, steps int, value func(q tarry.Query) tarry.Outcome, after func()) {
	t.Helper()
	stream := rand.New(rand.NewPCG(7, 7))
	var open, over []tarry.Query
	for range steps {
		time.Sleep(time.Duration(stream.IntN(3000)) * time.Millisecond)
		if len(open) < 6 && stream.IntN(2) == 0 {
			if q, err := study.Ask(contexts...); err == nil {
				open = append(open, q)
			} else if errors.Is(err, tarry.ErrEnded) {
				return
			}
		} else if len(open) > 0 {
			i := stream.IntN(len(open))
			q := open[i]
			open = append(open[:i], open[i+1:]...)
			switch stream.IntN(9) {
			case 0:
				study.Fail(q.ID, fmt.Errorf("out of memory on gpu %d", stream.IntN(2)))
				over = append(over, q)
			case 1:
				study.Cancel(q.ID.Evaluation, "not wanted")
				over = append(over, q)
			case 2: // lost, until its lease ends
			default:
				study.TellOutcome(q.ID, value(q))
			}
		} else if len(over) > 0 {
			study.TellOutcome(over[0].ID, value(over[0]))
			over = over[1:]
		}
		after()
	}
}

// played is the journal of a study that rough plays.
func played(t *testing.T, s tarry.Space, o tarry.Options, policy string, steps int, value func(q tarry.Query) tarry.Outcome) *journal.Memory {
	t.Helper()
	store := &journal.Memory{}
	synctest.Test(t, func(t *testing.T) {
		o.Journal, o.Policy, o.Seed = store, must.Get(tarry.ParsePolicy(policy))(t), 3
		study := must.Get(tarry.NewStudy(s, o))(t)
		defer study.Close()
		var contexts []float64
		for range s.Contexts() {
			contexts = append(contexts, 1)
		}
		rough(t, study, contexts, steps, value, func() {})
	})
	return store
}

// many is the journal of a study of n evaluations, each answered at once but for every hundredth.
func many(t testing.TB, s tarry.Space, n int) *journal.Memory {
	t.Helper()
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: n, Pending: n, Journal: store, Policy: must.Get(tarry.ParsePolicy("random"))(t)}))(t)
	defer study.Close()
	for i := range n {
		q := must.Get(study.Ask())(t)
		switch i % 100 {
		case 17:
		case 40:
			study.Fail(q.ID, fmt.Errorf("exit code %d", i%7))
		default:
			study.Tell(q.ID, q.X[0]-q.X[len(q.X)-1]/9)
		}
	}
	return store
}
