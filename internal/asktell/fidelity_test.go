package asktell_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// trainingSpace has a fidelity between its parameters.
func trainingSpace(t testing.TB) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1), tarry.Ordered("epochs", 1, 3, 9, 27).AsFidelity(2, 5, 10, 30), tarry.Float("decay", 0, 1)))(t)
}

// asked is an answer with what tests of fidelities look at.
type asked struct {
	Queries []struct {
		ID   int
		X    map[string]float64
		Cost float64
	}
	Best, Recommended *struct {
		ID    int
		X     map[string]float64
		Value float64
	}
	Error string
}

func parsed(t testing.TB, answer string) (a asked) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// What is wanted is judged at the greatest fidelity: a value at a lower one is never the best, however great it is.
func TestTheBestIsOfTheGreatestFidelityAlone(t *testing.T) {
	for _, policy := range []string{"random", "auto", "mf-mes"} {
		s := server(t, trainingSpace(t), tarry.Options{Budget: 24, Pending: 1, Seed: 3, Policy: must.Get(tarry.ParsePolicy(policy))(t)})
		serve(t, s, `{"op":"observe","x":{"lr":0.5,"epochs":9,"decay":0.5},"value":1000}`)
		below, target := 0, 0
		for k := range 20 {
			if k%3 == 0 {
				serve(t, s, fmt.Sprintf(`{"op":"enqueue","x":{"lr":%v,"epochs":%d}}`, float64(k)/12, []int{1, 3, 9}[k%9/3]))
			}
			q := parsed(t, serve(t, s, `{"op":"ask"}`)[0]).Queries[0]
			value := q.X["lr"]
			if q.X["epochs"] < 27 {
				value += 100
				below++
			} else {
				target++
			}
			answers := serve(t, s, fmt.Sprintf(`{"op":"tell","id":%d,"value":%v}`, q.ID, value), `{"op":"best"}`, `{"op":"state"}`)
			r := s.Study.Result()
			for _, e := range []*tarry.Evaluation{r.Best, r.Recommended} {
				if target == 0 && e != nil || target > 0 && (e == nil || e.X[1] != 27 || e.Value > 1) {
					t.Fatalf("%s: after %d at the target: %v", policy, target, e)
				}
			}
			best, state := parsed(t, answers[1]), parsed(t, answers[2])
			if target == 0 && (best.Best != nil || state.Best != nil || state.Recommended != nil) {
				t.Fatalf("%s: nothing at the target, but %v", policy, answers)
			}
			if target > 0 && (best.Best.X["epochs"] != 27 || state.Best.X["epochs"] != 27 || state.Recommended.X["epochs"] != 27) {
				t.Fatalf("%s: %v", policy, answers)
			}
		}
		if below == 0 || target == 0 {
			t.Errorf("%s: %d below the target, %d at it", policy, below, target)
		}
	}
}

func TestAQuerySaysWhatItsFidelityCosts(t *testing.T) {
	s := server(t, trainingSpace(t), tarry.Options{Budget: 6, Pending: 6, Seed: 1, Policy: random(t)})
	a := serve(t, s, `{"op":"ask"}`, `{"op":"enqueue","x":{"lr":0.5,"epochs":3}}`, `{"op":"ask"}`)
	for i, want := range map[int]float64{0: 30, 2: 5} {
		if q := parsed(t, a[i]).Queries[0]; q.Cost != want {
			t.Errorf("%s: want the cost %v", a[i], want)
		}
	}
}

func TestAFidelityThatIsLeftOutIsTheGreatest(t *testing.T) {
	s := server(t, trainingSpace(t), tarry.Options{Budget: 6, Seed: 1, Policy: random(t)})
	a := serve(t, s, `{"op":"observe","x":{"lr":0.5,"decay":0.5},"value":4}`, `{"op":"enqueue","x":{"lr":0.25}}`, `{"op":"ask"}`, `{"op":"best"}`,
		`{"op":"observe","x":{"lr":0.5,"epochs":9},"value":4}`, `{"op":"observe","x":{"lr":0.5,"epochs":2,"decay":0},"value":4}`, `{"op":"enqueue","x":{}}`)
	if q := parsed(t, a[2]).Queries[0]; q.X["epochs"] != 27 || q.X["lr"] != 0.25 {
		t.Error(a[2])
	}
	if best := parsed(t, a[3]).Best; best == nil || best.Value != 4 || best.X["epochs"] != 27 {
		t.Error(a[3])
	}
	for i, want := range map[int]string{4: "x.decay: missing", 5: "x.epochs = 2: want", 6: "x: empty"} {
		if e := parsed(t, a[i]).Error; !strings.HasPrefix(e, want) {
			t.Errorf("%s: want %s", a[i], want)
		}
	}
}

func TestACostThatIsToldIsKeptAndNoneIsBelowZero(t *testing.T) {
	s := server(t, trainingSpace(t), tarry.Options{Budget: 6, Seed: 1, Policy: random(t)})
	a := serve(t, s, `{"op":"ask"}`, `{"op":"tell","id":1,"value":1,"cost":-1}`, `{"op":"tell","id":1,"value":1,"cost":7.5}`)
	if want := "cost = -1: want a finite number ≥ 0"; parsed(t, a[1]).Error != want {
		t.Errorf("%s: want %s", a[1], want)
	}
	if e, _ := s.Study.Evaluation(1); e.Cost != 7.5 || e.Value != 1 {
		t.Errorf("%s: %+v", a[2], e)
	}
}
