package policies

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

func TestParse(t *testing.T) {
	p, err := Parse("ucb-sdf:nu=1:sigma=predictive")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.(UCBSDF).Width; got.Nu != 1 || got.Sigma != Predictive {
		t.Errorf("%+v", got)
	}
	if p.Traits().Name != "ucb-sdf:nu=1:sigma=predictive" {
		t.Errorf("name %q", p.Traits().Name)
	}
	p, err = Parse("gp-bucb:beta=theory:r=0.2:bf=2:delta=0.05")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.(UCB).Beta.schedule(srinivasFailures, 0); got != (Theory{Norm: 2, Factor: .2, Failures: 1, Delta: .05}) {
		t.Errorf("%+v", got)
	}
	if got := p.Traits().Name; got != "gp-bucb:beta=theory:bf=2:r=0.2:delta=0.05" {
		t.Errorf("name %q", got)
	}
	far := defaultLocal
	far.Length = math.Inf(1)
	for spec, want := range map[string]Policy{
		"log-ei":                  LogEI{Pending: feedback.Hallucinate},
		"log-ei:pending=ignore":   LogEI{},
		"pi:pending=censor:xi=.5": PI{Pending: feedback.Censor, Xi: .5},
		"gp-qucb:p=0.7":           QUCB{Pending: feedback.Hallucinate, P: .7},
		"gp-qucb:p=bayes":         QUCB{Pending: feedback.Hallucinate, Bayes: true},
		"calibrated:set=issued":   Recalibrated{Pending: feedback.Hallucinate, Set: Issued},
		"locbo:l=inf:of=quantile": LOCBO{Pending: feedback.Hallucinate, Local: far, Quantile: defaultQuantile},
	} {
		if got, err := Parse(spec); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v (%v)", spec, got, want, err)
		}
	}
	p, err = Parse("batch:q=7:of=ts-sdf/nu~2")
	if err != nil {
		t.Fatal(err)
	}
	if tr := p.Traits(); tr.Barrier != 7 || tr.Name != "batch:q=7:of=ts-sdf/nu~2" || !tr.Draws {
		t.Errorf("%+v", tr)
	}
}

func TestDefaultsOfTheCallerFillWhatIsNotGiven(t *testing.T) {
	if p, err := Parse("ucb-sdf:beta=theory", "by=2"); err != nil || p.Traits().Name != "ucb-sdf:by=2:beta=theory" {
		t.Errorf("%q (%v)", p.Traits().Name, err)
	}
	for spec, want := range map[string]string{
		"ucb-sdf":                  "ucb-sdf:sigma=predictive",
		"ucb-sdf:sigma=latent":     "ucb-sdf",
		"gp-bts":                   "gp-bts",
		"gp-qucb:p=bayes":          "gp-qucb:p=bayes:sigma=predictive",
		"pi:xi=0.5":                "pi:xi=0.5",
		"batch:q=2:of=gp-ucb":      "batch:q=2:of=gp-ucb/sigma~predictive",
		"gp-bucb:sigma=predictive": "gp-bucb:sigma=predictive",
	} {
		p, err := Parse(spec, "sigma=predictive")
		if err != nil || p.Traits().Name != want {
			t.Errorf("%s became %q, want %q (%v)", spec, p.Traits().Name, want, err)
		}
		if again, err := Parse(want); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%s does not make the same policy again (%v)", want, err)
		}
	}
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	for spec, want := range map[string]string{
		"ucb":                         "want one of asy-ts, auto, batch, bpe-delay, calibrated, cbo",
		"ucb-sdf:nu=-1":               "nu = -1",
		"ucb-sdf:nu=NaN":              "nu = NaN",
		"ucb-sdf:mu=1":                "one of the options nu, by, beta, bf, r, delta, sigma",
		"calibrated:eta=0.1":          "eta only with set=issued",
		"locbo:forget=10:eta=1":       "Decay = 10",
		"ocbo:set=loo":                "one of the options of, levels",
		"warped:pending=censor":       "one of hallucinate, ignore",
		"random:x=1":                  "no options",
		"ucb-sdf:nu":                  "want key=value",
		"ucb-sdf:nu=1:nu=2":           "given twice",
		"gp-ucb:sigma=wide":           "one of latent, predictive",
		"gp-ucb:beta=wide":            "beta = wide",
		"gp-ucb:beta=-1":              "beta = -1",
		"asy-ts:features=1.5":         "whole number",
		"ucb-sdf:nu=1:beta=7":         "beta only without nu",
		"ts-sdf:nu=1:by=2":            "by only without nu",
		"batch:of=nothing":            "of = nothing",
		"ucb-sdf:":                    "after the colon",
		"batch:q=2:of=ucb-sdf/":       "after the colon",
		"ucb-sdf:nu=1:":               "want key=value",
		"gp-qucb:p=0.5":               "0.5 < p < 1",
		"gp-qucb:p=NaN":               "0.5 < p < 1",
		"gp-qucb:p=frequentist":       "bayes, or a number",
		"log-ei:pending=hope":         "one of hallucinate, ignore, censor",
		"log-ei:xi=1":                 "one of the options pending",
		"pi:xi=0":                     "xi = 0",
		"gp-ucb:beta=theory:r=0":      "r = 0",
		"gp-ucb:delta=0.1":            "delta only with beta=theory",
		"batch:of=batch":              "without a barrier",
		"ucb-sdf:beta=theory:delta=2": "delta = 2",
	} {
		if _, err := Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", spec, err, want)
		}
	}
	if _, err := Parse("ucb-sdf:nu=0:sigma=x:zeta=1"); err == nil || strings.Count(err.Error(), "want") != 3 {
		t.Errorf("not all violations at once: %v", err)
	}
}

func TestRegistryIsSortedAndDocumented(t *testing.T) {
	if !slices.IsSorted(Names()) || len(Names()) < 8 {
		t.Errorf("names %v", Names())
	}
	for _, e := range All() {
		if e.Summary == "" || e.Source == "" {
			t.Errorf("%s has no summary or source", e.Name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was taken twice")
		}
	}()
	Register(Entry{Name: "random"}, Uniform{})
}

func TestZeroValuesWork(t *testing.T) {
	for want, p := range map[string]Policy{
		"log-ei:pending=ignore": LogEI{}, "pi:pending=ignore": PI{}, "gp-qucb:pending=ignore": QUCB{}, "log-ei": LogEI{Pending: feedback.Hallucinate},
		"gp-qucb:pending=censor": QUCB{Pending: feedback.Censor}, "gp-ucb": UCB{}, "asy-ts": Thompson{}, "ucb-sdf": UCBSDF{}, "ts-sdf": TSSDF{}, "random": Uniform{}, "batch:q=5:of=gp-bucb": Batch{},
	} {
		if got := p.Traits().Name; got != want {
			t.Errorf("%T is named %q, want %q", p, got, want)
		}
	}
}
