package actors

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// shelf is a study of three points that are known, each measured twice, and to whom that is known.
func shelf(t *testing.T, values ...float64) Config {
	t.Helper()
	p := must.Get(policies.Parse("auto"))(t)
	c := Config{Study: loop.Config{Space: must.Get(space.New(space.Int("i", 1, 3)))(t), Budget: 5, Traits: p.Traits()}, Policy: p}
	for i, v := range values {
		c.Known = append(c.Known, Observation{X: space.Point{float64(1 + i%3)}, Value: v})
	}
	return c
}

// What is known is known in whatever order it comes: a space that it exhausts is at its end with all of it, unless it says at last that
// there is noise, or somebody wants a point again.
func TestAllThatIsKnownIsThereBeforeTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		first  []space.Point
		ends   string
	}{
		"no noise":          {[]float64{0.123456, 0.53211, 0.2345, 0.123456, 0.53211, 0.2345}, nil, loop.ReasonPoints},
		"noise":             {[]float64{0.123456, 0.53211, 0.2345, 0.123456, 0.53211, 0.2346}, nil, ""},
		"a point is wanted": {[]float64{0.123456, 0.53211, 0.2345, 0.123456, 0.53211, 0.2345}, []space.Point{{2}}, ""},
	} {
		config := shelf(t, c.values...)
		store := &journal.Memory{}
		config.First, config.Journal = c.first, store
		d := must.Get(NewDriver(config))(t)
		if r := d.Loop().Result(); len(r.Evaluations) != 6 || r.Reason != c.ends || d.Loop().Finished() != (c.ends != "") || r.Best.Value != 0.53211 {
			t.Errorf("%s: %d values, %q", name, len(r.Evaluations), r.Reason)
		}
		d.Close()
		if back, _, err := journal.Replay(store); err != nil || len(back.Evaluations()) != 6 || back.Reason() != c.ends {
			t.Errorf("%s: replayed: %v", name, err)
		}
	}
}

// full is a store that has room for so many events.
type full struct {
	*journal.Memory
	room int
}

func (f *full) Append(r journal.Record) error {
	if f.room--; f.room < 0 {
		return io.ErrShortWrite
	}
	return f.Memory.Append(r)
}

// A study of which not everything was kept that it begins with does not go on as if it had begun without that.
func TestAStudyThatBrokeOffBeforeItBeganIsNotResumed(t *testing.T) {
	for _, room := range []int{0, 2} {
		config := shelf(t, 0.1, 0.2, 0.3)
		store := &full{&journal.Memory{}, room}
		config.Journal = store
		if _, err := NewDriver(config); !errors.Is(err, journal.ErrNotKept) {
			t.Fatal(err)
		}
		_, err := NewDriver(Config{Policy: config.Policy, Journal: store.Memory, Resume: true})
		if err == nil || !strings.Contains(err.Error(), "broke off before all was kept that it begins with") {
			t.Errorf("with %d events of 3: %v", room, err)
		}
	}
}
