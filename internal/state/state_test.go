package state

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// study is a state with a field of every kind.
type study struct {
	seq     uint64
	now     time.Duration
	done    bool
	paused  bool
	best    float64
	name    string
	low     int
	high    int
	order   []int
	weights []float64
	points  [][]float64
	jobs    []job
	latest  *job
	longest int
	memo    []float64
}

type job struct {
	id    int
	cost  float64
	words []string
}

func (s *study) visit(v *Visitor) {
	Number(v, "seq", &s.seq)
	Number(v, "now", &s.now)
	v.Flags("done paused", &s.done, &s.paused)
	v.Float("best", &s.best)
	v.Unhashed("a name decides nothing").Text("name", &s.name)
	v.Numbers("low high", &s.low, &s.high)
	v.Ints("order", &s.order)
	v.Floats("weights", &s.weights)
	Points(v, "points", &s.points)
	List(v, "jobs", &s.jobs, (*job).visit)
	Optional(v, "latest", &s.latest, (*job).visit)
	v.Rebuilt("from the jobs", "longest")
	v.Anew("it saves time only", "memo")
}

func (j *job) visit(v *Visitor) {
	Number(v, "id", &j.id)
	v.Float("cost", &j.cost)
	List(v, "words", &j.words, func(w *string, v *Visitor) { v.Text("", w) })
}

// some is a study with something in every field.
func some() *study {
	return &study{
		seq: math.MaxUint64, now: -time.Second, done: true, best: math.Copysign(0, -1), name: "a\x00b", low: math.MinInt, high: math.MaxInt,
		order: []int{3, -1, 200}, weights: []float64{math.NaN(), math.Inf(-1)}, points: [][]float64{{1, 2}, nil, {}},
		jobs: []job{{id: 1, cost: 0.5, words: []string{"x", ""}}, {id: 2}}, latest: &job{id: 3},
	}
}

func TestWhatWasWrittenIsReadToTheBit(t *testing.T) {
	for _, s := range []*study{some(), {}, {order: []int{}, jobs: []job{}}} {
		written := Bytes([]byte("head"), s.visit)
		var read study
		if err := Read(written[4:], read.visit); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(Bytes([]byte("head"), read.visit), written) || Difference(s.visit, read.visit) != "" || Digest(s.visit) != Digest(read.visit) {
			t.Errorf("%+v became %+v", s, read)
		}
		s.weights, read.weights = nil, nil // which NaN keeps from being equal
		if !reflect.DeepEqual(*s, read) {
			t.Errorf("%+v became %+v", *s, read)
		}
	}
	over := some() // whatever was there before
	if err := Read(Bytes(nil, (&study{}).visit), over.visit); err != nil || !reflect.DeepEqual(*over, study{}) {
		t.Errorf("%+v, %v", over, err)
	}
}

func TestTheDifferenceIsTheFirstWithItsPath(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*study)
	}{
		{"seq: 18446744073709551615, 7", func(s *study) { s.seq = 7 }},
		{"now: -1s, 2s", func(s *study) { s.now, s.best = 2*time.Second, 3 }},
		{"paused: false, true", func(s *study) { s.paused = true }},
		{"best: -0, 0", func(s *study) { s.best = 0 }},
		{"name: a\x00b, b", func(s *study) { s.name = "b" }},
		{"high: 9223372036854775807, 1", func(s *study) { s.high = 1 }},
		{"order[2]: 200, 201", func(s *study) { s.order[2] = 201 }},
		{"order: 3 elements, 2 elements", func(s *study) { s.order = s.order[:2] }},
		{"weights[1]: -Inf, 1", func(s *study) { s.weights[1] = 1 }},
		{"points[0][1]: 2, 3", func(s *study) { s.points[0][1] = 3 }},
		{"points[2]: 0 elements, 1 elements", func(s *study) { s.points[2] = []float64{1} }},
		{"jobs[0].words[1]: , y", func(s *study) { s.jobs[0].words[1] = "y" }},
		{"jobs[1].cost: 0, 1", func(s *study) { s.jobs[1].cost = 1 }},
		{"latest.id: 3, 4", func(s *study) { s.latest.id = 4 }},
		{"latest: true, false", func(s *study) { s.latest = nil }},
		{"", func(s *study) { s.points[1], s.points[2] = []float64{}, nil }}, // none is as good as empty
		{"", func(s *study) { s.longest, s.memo = 5, []float64{1} }},
	} {
		one, other := some(), some()
		c.change(other)
		if got := Difference(one.visit, other.visit); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		same := c.want == "" || strings.HasPrefix(c.want, "name")
		if (Digest(one.visit) == Digest(other.visit)) != same {
			t.Errorf("%q: the digest is the same: %v", c.want, !same)
		}
	}
}

func TestMarksSayWhatIsLeftOut(t *testing.T) {
	want := []Mark{{"name", Unhashed, "a name decides nothing"}, {"longest", Rebuilt, "from the jobs"}, {"memo", Anew, "it saves time only"}}
	if got := Marks(some().visit); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestBytesThatAreCutOffOrTooLongAreBroken(t *testing.T) {
	whole := Bytes(nil, some().visit)
	for n := range whole {
		if err := Read(whole[:n], new(study).visit); !errors.Is(err, ErrBroken) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	if err := Read(append(whole, 0), new(study).visit); !errors.Is(err, ErrBroken) {
		t.Errorf("one byte more: %v", err)
	}
}

// A length that is made up costs no more than a multiple of the bytes.
func TestALengthThatIsMadeUpCostsLittle(t *testing.T) {
	head := Bytes(nil, func(v *Visitor) {
		s := some()
		Number(v, "seq", &s.seq)
		Number(v, "now", &s.now)
		v.Flags("done paused", &s.done, &s.paused)
		v.Float("best", &s.best)
		v.Text("name", &s.name)
		v.Numbers("low high", &s.low, &s.high)
	})
	const most = 100_000
	for lists := range 4 { // empty ones before the one whose length is made up
		for _, n := range []uint64{most, 1 << 40, math.MaxUint64} {
			made := append(bytes.Clone(head), make([]byte, lists)...)
			for ; n >= 0x80; n >>= 7 {
				made = append(made, byte(n)|0x80)
			}
			made = append(append(made, byte(n)), bytes.Repeat([]byte{0xff}, most)...) // no number ends
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := Read(made, new(study).visit)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrBroken) || after.TotalAlloc-before.TotalAlloc > 10*most {
				t.Errorf("list %d: %v, %d bytes for %d", lists, err, after.TotalAlloc-before.TotalAlloc, len(made))
			}
		}
	}
}

// FuzzRead gives a state any bytes: they are refused, or written again they say the same.
func FuzzRead(f *testing.F) {
	f.Add(Bytes(nil, some().visit))
	f.Add(Bytes(nil, new(study).visit))
	f.Fuzz(func(t *testing.T, any []byte) {
		var s, again study
		if err := Read(any, s.visit); err != nil {
			return
		}
		if err := Read(Bytes(nil, s.visit), again.visit); err != nil || Difference(s.visit, again.visit) != "" {
			t.Errorf("%v, %s", err, Difference(s.visit, again.visit))
		}
	})
}

// A slice of a length that is known before has its elements read in place, and no other number of them.
func TestASliceOfKnownLengthIsReadInPlace(t *testing.T) {
	visit := func(jobs []job) func(*Visitor) {
		return func(v *Visitor) { Each(v, "jobs", jobs, (*job).visit) }
	}
	two := []job{{id: 1, words: []string{"x"}}, {id: 2, cost: 0.5}}
	written := Bytes(nil, visit(two))
	read := make([]job, 2)
	if err := Read(written, visit(read)); err != nil || !reflect.DeepEqual(read, two) {
		t.Errorf("%+v, %v", read, err)
	}
	if err := Read(written, visit(make([]job, 1))); !errors.Is(err, ErrBroken) {
		t.Errorf("two elements were read as one: %v", err)
	}
	if got := Difference(visit(two), visit(two[:1])); got != "jobs: 2 elements, 1 elements" {
		t.Errorf("difference %q", got)
	}
	other := []job{two[0], {id: 2, cost: 1}}
	if got := Difference(visit(two), visit(other)); got != "jobs[1].cost: 0.5, 1" || Digest(visit(two)) == Digest(visit(other)) {
		t.Errorf("difference %q", got)
	}
}
