package tarry_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// site is a task: where its function is greatest is all that it has of its own.
func site(center float64) func(q tarry.Query) float64 {
	return func(q tarry.Query) float64 {
		u, v := q.Float("u")-center, q.Float("v")-0.5
		return 1 - 8*u*u - 0.3*v*v - 0.5/q.Float("effort")
	}
}

func siteSpace(t testing.TB) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(tarry.Float("u", 0, 1), tarry.Float("v", 0, 1), tarry.Ordered("effort", 1, 2, 4).AsFidelity(1, 2, 4)))(t)
}

func siteOptions(t testing.TB, seed uint64, learned *tarry.Learned) tarry.Options {
	t.Helper()
	return tarry.Options{BudgetCost: 50, Seed: seed, Workers: 1, Policy: must.Get(tarry.ParsePolicy("mft-mes:particles=4"))(t), Learned: learned}
}

// visited performs the study of a task.
func visited(t testing.TB, center float64, o tarry.Options) *tarry.Result {
	t.Helper()
	value := site(center)
	return must.Get(tarry.Maximize(t.Context(), siteSpace(t), func(_ context.Context, q tarry.Query) (float64, error) { return value(q), nil }, o))(t)
}

func TestStudiesLearnOneFromTheOther(t *testing.T) {
	var learned *tarry.Learned
	for i, center := range []float64{0.3, 0.6} {
		r := visited(t, center, siteOptions(t, uint64(i+1), learned))
		next := must.Get(r.Learn([]string{"one", "two"}[i]))(t)
		again := must.Get(r.Learn([]string{"one", "two"}[i]))(t)
		if !reflect.DeepEqual(next, again) || len(next.Tasks) != i+1 || len(next.Particles) != 4 {
			t.Fatalf("task %d: %v, and once more %v", i, next, again)
		}
		if task := next.Tasks[i]; task.Name == "" || task.Cost != r.Cost || task.Evaluations != len(r.Evaluations) || *task.Best != r.Best.Value {
			t.Errorf("task %d: %+v", i, task)
		}
		text := must.Get(json.Marshal(next))(t)
		learned = new(tarry.Learned)
		if err := json.Unmarshal(text, learned); err != nil || !reflect.DeepEqual(must.Get(json.Marshal(learned))(t), text) {
			t.Fatalf("%v: %s", err, text)
		}
	}
	s := must.Get(learned.Summary())(t)
	if d := s.Difference; !(d[0].Mean > d[1].Mean) || !(d[2].Mean > 0) {
		t.Errorf("u matters less than v: %+v", s)
	}
	if first, second := visited(t, 0.45, siteOptions(t, 9, nil)), visited(t, 0.45, siteOptions(t, 9, learned)); reflect.DeepEqual(first.Evaluations, second.Evaluations) {
		t.Error("what was learned makes no difference")
	} else if math.Abs(second.Best.Float("u")-0.45) > 0.03 {
		t.Errorf("the third task: %v", second.Best)
	}
}

func TestWhatWasLearnedMustFitTheStudy(t *testing.T) {
	learned := must.Get(visited(t, 0.3, siteOptions(t, 1, nil)).Learn("one"))(t)
	check := func(what, want string, s tarry.Space, change func(o *tarry.Options, k *tarry.Learned)) {
		t.Helper()
		o, k := siteOptions(t, 1, nil), *learned
		change(&o, &k)
		o.Learned = &k
		if err := o.Validate(s); err == nil || !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.Learned = what ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	policy := func(name string) func(o *tarry.Options, _ *tarry.Learned) {
		return func(o *tarry.Options, _ *tarry.Learned) { o.Policy = must.Get(tarry.ParsePolicy(name))(t) }
	}
	check("a policy that learns nothing", "nothing with policy mf-mes", siteSpace(t), policy("mf-mes"))
	check("more particles", "10 particles, as policy mft-mes has, found 4", siteSpace(t), policy("mft-mes"))
	check("another kernel", "kernel network, as policy mft-mes:particles=4:kernel=network has it, found matern52", siteSpace(t), policy("mft-mes:particles=4:kernel=network"))
	other := must.Get(tarry.NewSpace(tarry.Float("u", 0, 2), tarry.Float("v", 0, 1), tarry.Ordered("effort", 1, 2, 4).AsFidelity(1, 2, 4)))(t)
	check("another range", "found another parameter 1: {", other, func(*tarry.Options, *tarry.Learned) {})
	check("fewer parameters", "a space of 2 parameters, found 3", must.Get(tarry.NewSpace(tarry.Float("u", 0, 1), tarry.Ordered("effort", 1, 2, 4).AsFidelity(1, 2, 4)))(t), func(*tarry.Options, *tarry.Learned) {})
	for want, theta := range map[string][]float64{"what a study learned": {math.NaN()}, "sound particles: particle 1: 2 numbers": {1, 2}} {
		check("damaged particles", want, siteSpace(t), func(_ *tarry.Options, k *tarry.Learned) {
			k.Particles = append([][]float64{theta}, k.Particles[1:]...)
		})
	}
	check("no tasks", "sound particles: tasks []", siteSpace(t), func(_ *tarry.Options, k *tarry.Learned) { k.Tasks = nil })
}

func TestOtherPoliciesHaveNothingToTeach(t *testing.T) {
	o := siteOptions(t, 1, nil)
	o.Policy = must.Get(tarry.ParsePolicy("random"))(t)
	if _, err := visited(t, 0.3, o).Learn("one"); !errors.Is(err, tarry.ErrUnsupported) || !strings.Contains(err.Error(), "random") {
		t.Error(err)
	}
}

// What a task without noise taught misleads one that has some: it is left, and not written on.
func TestASequenceThatMisleadsIsLeft(t *testing.T) {
	study := func(noise float64, learned *tarry.Learned) *tarry.Result {
		where := must.Get(tarry.NewSpace(tarry.Float("u", 0, 1), tarry.Float("v", 0, 1)))(t)
		policy := must.Get(tarry.ParsePolicy("continual-mf-mes"))(t)
		s := must.Get(tarry.NewStudy(where, tarry.Options{Budget: 25, Seed: 3, Policy: policy, Learned: learned}))(t)
		stream := rand.New(rand.NewPCG(3, 4))
		for range 25 {
			q := must.Get(s.Ask())(t)
			if err := q.Tell(math.Sin(6*q.X[0])*math.Cos(2*q.X[1]) + noise*stream.NormFloat64()); err != nil {
				t.Fatal(err)
			}
		}
		return s.Result()
	}
	quiet := must.Get(study(0, nil).Learn("quiet"))(t)
	loud := study(0.3, quiet)
	if n := loud.Expected.Noise; math.Abs(n-0.3) > 0.15 {
		t.Errorf("noise of %v after values with 0.3", n)
	}
	before, after := must.Get(quiet.Summary())(t), must.Get(must.Get(loud.Learn("loud"))(t).Summary())(t)
	if before.Noise.Mean > 1e-4 || after.Noise.Mean < 0.05 {
		t.Errorf("noise is %v of the variance, and then %v", before.Noise, after.Noise)
	}
}
