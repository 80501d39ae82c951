package bandit

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// hills are tasks over a grid of 12 by 6 points: each has a hill at some place of a ridge, and nothing elsewhere.
func hills(t testing.TB, tasks int) Tasks {
	t.Helper()
	s := must.Get(space.New(space.Int("i", 0, 11), space.Int("j", 0, 5)))(t)
	out := Tasks{Space: s}
	for k := range s.Combinations() {
		out.Arms = append(out.Arms, s.Combination(k))
	}
	stream := rng.New(3, rng.Test, 0)
	for range tasks {
		at, values := 0.2+0.6*stream.Float64(), make([]float64, len(out.Arms))
		for i, x := range out.Arms {
			values[i] = math.Exp(-20*(x[0]-at)*(x[0]-at) - 8*(x[1]-0.8)*(x[1]-0.8))
		}
		out.Values = append(out.Values, values)
	}
	return out
}

func TestDerivativesOfAnEpisodeAreThoseOfDifferences(t *testing.T) {
	tasks := hills(t, 1)
	shape := network.Shape{Inputs: 2, Layers: []int{4, 3}}
	stream := rng.New(1, rng.Test, 0)
	theta := initial(shape, stream)
	e := newEpisode(newArms(shape, tasks.Arms), 6)
	load := func() parameters {
		p := decoded(theta, len(tasks.Arms))
		e.arms.load(p.weights, p.scale)
		return p
	}
	e.play(load(), tasks.Values[0], 0.1, stream)
	const weight, h = 0.7, 1e-5
	at := func() float64 {
		p := load()
		e.replay(p)
		return weight * e.learn(p, theta, tasks.Values[0], 0, make([]float64, len(theta)))
	}
	grad, p := make([]float64, len(theta)), load()
	clear(e.dfeatures)
	e.learn(p, theta, tasks.Values[0], weight, grad)
	e.finish(grad)
	for i := range theta {
		old := theta[i]
		theta[i] = old + h
		up := at()
		theta[i] = old - h
		down := at()
		theta[i] = old
		if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-7+1e-5*math.Abs(want) {
			t.Errorf("derivative %d is %v, want %v", i, grad[i], want)
		}
	}
	if floats.Norm(grad, 2) < 1e-4 {
		t.Errorf("derivatives %v tell nothing", grad)
	}
}

// earned is what a bandit expects to earn with the next play, on the mean over plays of new tasks.
func earned(t testing.TB, k Knowledge, tasks Tasks, plays int) float64 {
	t.Helper()
	arms, stream, sum := k.Over(tasks.Arms), rng.New(9, rng.Test, 0), 0.0
	e := newEpisode(arms, plays)
	p := parameters{explore: k.Explore, eta: k.Eta}
	for _, values := range tasks.Values {
		e.play(p, values, 0, stream)
		sum += e.learn(p, make([]float64, firstWeight+len(k.Weights)), values, 0, make([]float64, firstWeight+len(k.Weights))) / float64(len(tasks.Values))
	}
	return sum
}

func TestWhoHasLearnedEarnsMoreOnNewTasks(t *testing.T) {
	all := hills(t, 60)
	known, fresh := all, all
	known.Values, fresh.Values = all.Values[:40], all.Values[40:]
	s := Settings{Layers: []int{8, 8}, Plays: 8, Steps: 150}
	after := must.Get(Learn(known, s, rng.New(1, rng.Test, 0)))(t)
	untaught := learned(known, network.Shape{Inputs: 2, Layers: s.Layers}, initial(network.Shape{Inputs: 2, Layers: s.Layers}, rng.New(1, rng.Test, 0)))
	before, now := earned(t, untaught, fresh, 30), earned(t, after, fresh, 30)
	if now < 1.3*before {
		t.Errorf("earns %v, and %v before it learned", now, before)
	}
	again := must.Get(Learn(known, s, rng.New(1, rng.Test, 0)))(t)
	if !reflect.DeepEqual(again, after) {
		t.Error("the same stream taught something else")
	}
	if err := after.Validate(); err != nil {
		t.Error(err)
	}
	var read Knowledge
	if err := json.Unmarshal(must.Get(json.Marshal(after))(t), &read); err != nil {
		t.Fatal(err)
	}
	if got := earned(t, read, fresh, 30); got != now {
		t.Errorf("read from JSON it earns %v, want %v", got, now)
	}
}

func TestTheKernelIsOneAtThePointItself(t *testing.T) {
	tasks := hills(t, 1)
	shape := network.Shape{Inputs: 2, Layers: []int{4}}
	k := learned(tasks, shape, initial(shape, rng.New(1, rng.Test, 0))).Over(tasks.Arms)
	row, other := make([]float64, len(tasks.Arms)), make([]float64, len(tasks.Arms))
	k.Row(row, 5)
	k.Row(other, 17)
	if row[5] != 1 || row[17] != other[5] || row[17] >= 1 || row[17] <= 0 {
		t.Errorf("kernel %v at the point, %v and %v between two", row[5], row[17], other[5])
	}
}

func TestLearningNamesWhatIsWrong(t *testing.T) {
	good := hills(t, 2)
	for want, change := range map[string]func(*Tasks, *Settings){
		"0 tasks":                func(t *Tasks, _ *Settings) { t.Values = nil },
		"task 2 has 3 values":    func(t *Tasks, _ *Settings) { t.Values = [][]float64{t.Values[0], {0, 1, 2}} },
		"task 1 has 72 values":   func(t *Tasks, _ *Settings) { t.Values = [][]float64{make([]float64, 72)}; t.Values[0][7] = math.NaN() },
		"arm 2":                  func(t *Tasks, _ *Settings) { t.Arms = []space.Unit{t.Arms[0], {0.5}} },
		"Settings.Rate":          func(_ *Tasks, s *Settings) { s.Rate = 2 },
		"Settings.Layers":        func(_ *Tasks, s *Settings) { s.Layers = []int{0} },
		"Settings.Steps = -1":    func(_ *Tasks, s *Settings) { s.Steps = -1 },
		"a space of dimension 0": func(t *Tasks, _ *Settings) { t.Space = space.Space{} },
	} {
		tasks, settings := good, Settings{}
		change(&tasks, &settings)
		if _, err := Learn(tasks, settings, rng.New(1, rng.Test, 0)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestContentThatIsWrongIsRefused(t *testing.T) {
	shape := network.Shape{Inputs: 2, Layers: []int{4}}
	good := learned(hills(t, 1), shape, initial(shape, rng.New(1, rng.Test, 0)))
	for want, change := range map[string]func(*Knowledge){
		"no space":    func(k *Knowledge) { k.Space = space.Space{} },
		"explore NaN": func(k *Knowledge) { k.Explore = math.NaN() },
		"eta +Inf":    func(k *Knowledge) { k.Eta = math.Inf(1) },
		"scale -1":    func(k *Knowledge) { k.Scale = -1 },
		"layers []":   func(k *Knowledge) { k.Layers = nil },
		"weights":     func(k *Knowledge) { k.Weights = k.Weights[1:] },
		"a weight":    func(k *Knowledge) { k.Weights = append([]float64{math.NaN()}, k.Weights[1:]...) },
	} {
		bad := good
		change(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Of tasks whose values depend on one of two parameters, as their context says, a bandit learns something else for each context, and
// loses nothing by that. (It gains next to nothing either: whatever the kernel, the first plays are uniform.)
func TestWhatIsLearnedGoesWithTheContext(t *testing.T) {
	all := hills(t, 1)
	all.Values = nil
	contexts := Contexts{Kernel: Cosine, Rank: 3}
	stream := rng.New(5, rng.Test, 0)
	for k := range 40 {
		at, values := stream.Float64(), make([]float64, len(all.Arms))
		for i, x := range all.Arms {
			values[i] = math.Exp(-20 * (x[k%2] - at) * (x[k%2] - at))
		}
		all.Values = append(all.Values, values)
		contexts.Features = append(contexts.Features, []float64{float64(k % 2), float64(1 - k%2)})
	}
	s := Settings{Layers: []int{8, 8}, Plays: 8, Steps: 150}
	by := must.Get(LearnByContext(all, contexts, s, rng.New(1, rng.Test, 0)))(t)
	together := must.Get(Learn(all, s, rng.New(1, rng.Test, 0)))(t)
	with, without := 0.0, 0.0
	for side := range 2 {
		fresh := all
		fresh.Values = nil
		for k := side; k < 400; k += 2 {
			fresh.Values = append(fresh.Values, all.Values[k%40])
		}
		k := by.At(contexts.Features[side])
		if err := k.Validate(); err != nil {
			t.Fatal(err)
		}
		with, without = with+earned(t, k, fresh, 8)/2, without+earned(t, together, fresh, 8)/2
	}
	if reflect.DeepEqual(by.At(contexts.Features[0]), by.At(contexts.Features[1])) {
		t.Error("the same is learned for both contexts")
	}
	if with < without-0.01 {
		t.Errorf("earns %v with the context, %v without", with, without)
	}
	for _, bad := range []Contexts{{}, {Features: contexts.Features[1:]}, {Features: contexts.Features, Kernel: Cosine, Rank: -1}} {
		if _, err := LearnByContext(all, bad, s, rng.New(1, rng.Test, 0)); err == nil || !strings.Contains(err.Error(), "want 40") {
			t.Errorf("error %v", err)
		}
	}
}
