package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// prophet says of every value that it is N(12, 1), in units of 2 from 10 on, and issues the set of those within 1.0364 of 12
// where the point is odd.
type prophet struct{ policies.Uniform }

func (p prophet) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	proposals, err := p.Uniform.Propose(v, count, stream)
	f := &policies.Forecast{Mean: 1, Stddev: 0.5, Shift: 10, Scale: 2, Threshold: 0.3}
	if v.Round%2 == 1 {
		f.Target = 0.8
	}
	if v.Round == 6 {
		f.Stddev = math.NaN()
	}
	proposals[0].Forecast = f
	return proposals, err
}

// foreseen is a study in which #1 has no forecast, #2 and #4 have one, #3 and #5 have a set too, #6 has one that is no
// number, and #7 is pending. Its values are minimized, so that a prophet of 12 expects -12.
func foreseen(t *testing.T) string {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return madeUp(t, s, tarry.Options{Budget: 9, Initial: 1, Minimize: true, Policy: prophet{}}, func(study *tarry.Study) {
		for _, value := range []float64{-12, -13.1, -12.9, -14, -13.1, -12} {
			q, err := study.Ask()
			if err == nil {
				err = study.Tell(q.ID, value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := study.Ask(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestForecastsAsText(t *testing.T) {
	want := "7 evaluations: 1 pending, 6 observed\nforecasts: 75 % of 4 values in the central 80 %; calibrated sets held 50 % of 2, want 80 %\n\nbest "
	if got := call(t, "", "inspect", foreseen(t)); got.code != exitOK || !strings.Contains(got.out, want) {
		t.Errorf("code %d, %q is missing in:\n%s", got.code, want, got.out)
	}
	if got := call(t, "", "inspect", sampler(t)); strings.Contains(got.out, "forecasts") {
		t.Errorf("a study without forecasts:\n%s", got.out)
	}
}

func TestForecastsInCSV(t *testing.T) {
	_, rows := sheet(t, foreseen(t))
	want := []string{",,,", "-12,1,true,", "-12,1,true,true", "-12,1,false,", "-12,1,true,false", ",,,", "-12,1,,"}
	for i, row := range rows {
		if got := strings.Join([]string{row["forecast"], row["forecast_sd"], row["central"], row["held"]}, ","); i >= len(want) || got != want[i] {
			t.Errorf("#%d has %s, want %v", i+1, got, want)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
}

func TestForecastsInJSON(t *testing.T) {
	type document struct {
		Coverage    map[string]any
		Evaluations []struct{ Forecast map[string]any }
	}
	read := func(path string) (d document) {
		t.Helper()
		if err := json.Unmarshal([]byte(call(t, "", "inspect", path, "--json").out), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	same := func(what string, got any, want string) {
		t.Helper()
		if text, err := json.Marshal(got); err != nil || string(text) != want {
			t.Errorf("%s is %s, want %s (%v)", what, text, want, err)
		}
	}
	d := read(foreseen(t))
	same("coverage", d.Coverage, `{"central":3,"central_share":0.75,"held":1,"held_share":0.5,"issued":2,"judged":4,"target":0.8}`)
	for i, want := range []string{
		`null`, `{"central":true,"held":null,"mean":-12,"stddev":1}`, `{"central":true,"held":true,"mean":-12,"stddev":1}`,
		`{"central":false,"held":null,"mean":-12,"stddev":1}`, `{"central":true,"held":false,"mean":-12,"stddev":1}`, `null`,
		`{"central":null,"held":null,"mean":-12,"stddev":1}`,
	} {
		same("a forecast", d.Evaluations[i].Forecast, want)
	}
	same("coverage of nothing", read(sampler(t)).Coverage, `{"central":0,"central_share":null,"held":0,"held_share":null,"issued":0,"judged":0,"target":null}`)
}

// Of a forecast everything is told that is a number, whatever its sum would be; what is beyond all numbers is null in JSON and an empty cell.
func TestForecastsOfHugeValues(t *testing.T) {
	l, err := loop.New(loop.Config{Space: space3(t), Budget: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		f                 policies.Forecast
		json, cells, text string
	}{
		"a sum that overflows":     {policies.Forecast{Mean: 1.5, Stddev: 0.5, Scale: 1e308}, `{"mean":1.5e+308,"stddev":5e+307,"central":null,"held":null}`, "1.5e+308,5e+307,,", "1.5e+308 ± 5e+307"},
		"a mean that overflows":    {policies.Forecast{Mean: -3, Stddev: 0.5, Scale: 1e308}, `{"mean":null,"stddev":5e+307,"central":null,"held":null}`, ",5e+307,,", "beyond all numbers"},
		"a deviation that does so": {policies.Forecast{Mean: 1, Stddev: 3, Scale: 1e308}, `{"mean":1e+308,"stddev":null,"central":null,"held":null}`, "1e+308,,,", "1e+308, with a standard deviation beyond all numbers"},
	} {
		got := portrait.ForecastOf(l, loop.Evaluation{Forecast: &c.f})
		text, err := json.Marshal(got)
		if err != nil || string(text) != c.json {
			t.Fatalf("%s: %s, want %s (%v)", name, text, c.json, err)
		}
		if cells := strings.Join(forecastCells(got), ","); cells != c.cells {
			t.Errorf("%s: %s, want %s", name, cells, c.cells)
		}
		if text := foretold(got); text != c.text {
			t.Errorf("%s: %s, want %s", name, text, c.text)
		}
	}
	if got := portrait.ForecastOf(l, loop.Evaluation{Forecast: &policies.Forecast{Mean: math.NaN(), Stddev: 1, Scale: 1}}); got != nil {
		t.Errorf("what is no number is told: %+v", got)
	}
}

// What is recommended is told with what the model expects there, as text and as JSON; without a model that is said.
func TestTheRecommendedValueIsTheModels(t *testing.T) {
	dir := folder(t, `awk "BEGIN { print 5 - ($2 - 5)^2 + 0.5 * (($TARRY_EVALUATION * 7) % 5 - 2) }"`)
	for policy, want := range map[string]string{"gp-bucb": " ± ", "random": "recommended  the same, as measured: there is no model that says what to expect"} {
		if got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", policy+".db", "--budget", "14", "--policy", policy, "--", "./train.sh", "{lr}", "{layers}"); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		if got := callIn(t, dir, "", "inspect", policy+".db"); got.code != exitOK || !strings.Contains(got.out, want) || policy == "gp-bucb" && !strings.Contains(got.out, " is expected") {
			t.Errorf("%s: %+v", policy, got)
		}
		var found struct {
			Recommended struct{ Value float64 }
			Expected    *struct{ Mean, Stddev, Noise float64 }
		}
		if got := callIn(t, dir, "", "inspect", policy+".db", "--json"); json.Unmarshal([]byte(got.out), &found) != nil || (found.Expected == nil) != (policy == "random") {
			t.Errorf("%s: %+v", policy, got)
		}
		if e := found.Expected; e != nil && (e.Mean < 3 || e.Mean > 7 || !(e.Stddev > 0) || e.Noise < 0) {
			t.Errorf("%+v", *e)
		}
	}
}
