package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

// late is a study of so many queries, of which every seventh is never answered, and the others after a time that grows tenfold with x.
func late(t *testing.T, queries int, o tarry.Options) string {
	t.Helper()
	o.Budget, o.Initial, o.Pending, o.Seed = 200, 2, 200, 4
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Categorical("kind", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	return madeUp(t, s, o, func(study *tarry.Study) {
		for k := range queries {
			q, err := study.Ask()
			if err != nil {
				t.Fatal(err)
			}
			if k%7 == 6 {
				continue
			}
			time.Sleep(time.Duration(float64(time.Second) * (1 + 0.2*math.Sin(float64(5*k))) * math.Exp(math.Ln10*q.X[0])))
			if err := study.Tell(q.ID, math.Sin(float64(k))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestDependenceInWords(t *testing.T) {
	for _, c := range []struct {
		rho, chance float64
		want        string
	}{
		{-0.54, 0.3, "no sign that delays depend on values (rank correlation -0.54, by chance 0.3)"},
		{-0.54, 0.015, "a hint, and no more, that good is fast: delays and values go against each other (rank correlation -0.54, by chance 0.015)"},
		{0.54, 0.04, "a hint, and no more, that good is slow: delays and values go together (rank correlation 0.54, by chance 0.04)"},
		{-0.9, 0.001, "good is fast: delays and values go against each other (rank correlation -0.90, by chance 0.001)"},
		{0.9, 0.001, "good is slow: delays and values go together (rank correlation 0.90, by chance 0.001); what is pending is better than a policy that censors takes it to be"},
	} {
		if got := dependence(c.rho, c.chance); got != c.want {
			t.Errorf("%v, %v: %s, want %s", c.rho, c.chance, got, c.want)
		}
	}
}

// What failed attempts take is part of what an answer costs, and the times of the law say that they are of the latest attempt.
func TestDelaysSayThatAttemptsWereTriedAgain(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `sleep 0.1; [ $TARRY_ATTEMPT = 3 ] || exit 3; echo $TARRY_EVALUATION`)
	if got := tune(t, dir, "--policy", "random", "--budget", "8", "--workers", "4", "--retries", "2"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	got := callIn(t, dir, "", "inspect", "s.db", "--delays")
	for _, want := range []string{"8 answered", "since the latest attempt at a query began; those before it take ", "a query whose latest attempt holds a slot", "with all its attempts"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in:\n%s", want, got.out)
		}
	}
	var report struct {
		Tried     float64 `json:"tried_s"`
		Quantiles []struct{ Share, Seconds float64 }
		Slots     struct {
			Held float64 `json:"held_s"`
		}
	}
	if err := json.Unmarshal([]byte(callIn(t, dir, "", "inspect", "s.db", "--delays", "--json").out), &report); err != nil {
		t.Fatal(err)
	}
	if report.Tried < .2 || report.Slots.Held < report.Tried+.1 || report.Quantiles[0].Seconds < .1 {
		t.Errorf("%+v, want more than .2 s before the latest attempt, and more than .3 s in all", report)
	}
}

func TestDelaysAreShown(t *testing.T) {
	path := late(t, 70, tarry.Options{})
	got := call(t, "", "inspect", path, "--delays")
	for _, want := range []string{
		"60 answered, 0 failed, 0 given up, 10 under way", "90 % within", "of all queries are never heard of", "closest law: never:0.1", "in AIC: never:0.1",
		"x: answers take ", " times as long at its upper end as at its lower one", "no sign that delays depend on values", "ever heard of", "\n 7  ",
		"a query that holds a slot as long as pays best", "heard of in an hour", "as many as there were at once", "the rest of the budget takes",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in:\n%s", want, got.out)
		}
	}
	var report struct {
		Known    bool
		Answered int
		Lost     float64
		Curve    []struct{ Seconds, Longer, Low, High float64 }
		Slow     []struct {
			Parameter string
			Factor    float64
		}
		Slots struct {
			Held, Heard, Idle float64
			Busiest, Rest     int
			Of                []struct {
				Slots   int
				PerHour float64 `json:"per_hour"`
			}
		}
		Pending []struct {
			ID     int
			Chance float64
			Silent float64 `json:"silent_s"`
		}
	}
	if err := json.Unmarshal([]byte(call(t, "", "inspect", path, "--delays", "--json").out), &report); err != nil {
		t.Fatal(err)
	}
	if !report.Known || report.Answered != 60 || report.Lost < .1 || report.Lost > .2 || len(report.Curve) < 12 || len(report.Slow) != 2 || len(report.Pending) != 10 {
		t.Errorf("%+v", report)
	}
	if s := report.Slots; s.Busiest != 10 || s.Rest != 130 || s.Heard < .7 || s.Heard > .95 || s.Idle < .1 || len(s.Of) != 6 || s.Of[5].PerHour < 39.9*s.Of[0].PerHour {
		t.Errorf("%+v", s)
	}
	for i, p := range report.Pending {
		if p.ID != 7*(i+1) || i < 8 && p.Chance > .2 || p.Silent < 0 {
			t.Errorf("%+v", p)
		}
	}
}

func TestBeforeFiveAnswersNothingIsKnownOfDelays(t *testing.T) {
	got := call(t, "", "inspect", late(t, 4, tarry.Options{Forget: 0.1, GiveUp: 0.1}), "--delays")
	if !strings.Contains(got.out, "nothing is known of the delays before 5 have been answered with a value") {
		t.Error(got.out)
	}
	empty := call(t, "", "inspect", late(t, 0, tarry.Options{}), "--delays", "--plot", t.TempDir())
	if empty.code != exitOK || !strings.Contains(empty.out, "0 answered") {
		t.Errorf("code %d: %s%s", empty.code, empty.out, empty.log)
	}
}

func TestWhatWasForgottenAndGivenUpIsCounted(t *testing.T) {
	path := late(t, 70, tarry.Options{Forget: 0.1, GiveUp: 0.01})
	if got := call(t, "", "inspect", path); !strings.Contains(got.out, "silent queries left out of the model: ") || !strings.Contains(got.out, "silent queries given up: ") {
		t.Error(got.out)
	}
	if got := call(t, "", "inspect", path, "--delays"); !strings.Contains(got.out, " given up, ") || strings.Contains(got.out, " 0 given up") {
		t.Error(got.out)
	}
}

func TestDelaysAreShownByThemselves(t *testing.T) {
	for _, with := range []string{"--csv", "--top=3", "--explain=2"} {
		if got := call(t, "", "inspect", "s.db", "--delays", with); got.code != exitUsage || !strings.Contains(got.log, "--delays with --csv, --top or --explain") {
			t.Errorf("%s: code %d, %s", with, got.code, got.log)
		}
	}
}
