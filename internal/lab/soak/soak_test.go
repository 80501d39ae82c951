package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/loop"
)

// demo is the program with this command alone.
var demo = consoletest.Program(Command())

// mustSoak is the soak of a command.
func mustSoak(t *testing.T, args ...string) soaking {
	t.Helper()
	r, f := newSoak()
	if err := f.Read(args); err != nil {
		t.Fatal(err)
	}
	s := newSoaking(*r, &f.Errs)
	if err := f.Refusal(); err != nil {
		t.Fatal(err)
	}
	return s
}

// records reads the lines for machines, without what the machine decides.
func records(t *testing.T, text string) []record {
	t.Helper()
	var out []record
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		var o record
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		o.Worst, o.Seconds = 0, 0
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b record) int { return a.Study - b.Study })
	return out
}

func TestASoakPasses(t *testing.T) {
	if raced {
		t.Skip("run in full without the race detector")
	}
	tells := 2000 // the last study has 20
	studies := 1 + (tells-150+29)/30
	path := filepath.Join(t.TempDir(), "studies.jsonl")
	code, out, err := consoletest.Execute(t, demo, "soak", "-tells", strconv.Itoa(tells), "-large", "1", "-large-size", "150", "-size", "30", "-json", path)
	if code != console.ExitOK {
		t.Fatalf("code %d\n%s\n%s", code, out, err)
	}
	consoletest.Contains(t, out, "values", "fit failures", "worst proposal (s)", "Counters of all studies: Repeated ", "reproduce: go run ./cmd/demo soak -tells "+strconv.Itoa(tells))
	text, _ := os.ReadFile(path)
	all := records(t, string(text))
	if len(all) != studies || !all[0].Large || all[0].Tells != 150 || !all[19].Replayed {
		t.Fatalf("%d lines; first %+v, last %+v", len(all), all[0], all[len(all)-1])
	}
	sum, short := 0, 0
	for i, o := range all {
		want := 30
		switch i {
		case 0:
			want = 150
		case studies - 1:
			want = 20
		}
		sum += o.Tells
		if o.Tells < want && o.Ended == loop.ReasonPoints {
			short++
		} else if o.Tells != want || o.Ended != loop.ReasonBudget && o.Ended != loop.ReasonPatience {
			t.Errorf("study %d has %d tells, want %d; ended: %s", o.Study, o.Tells, want, o.Ended)
		}
	}
	if short == 0 || short > 15 || !regexp.MustCompile(fmt.Sprintf(`│ all +│ +%d │ +%d │`, studies, sum)).MatchString(out) {
		t.Errorf("%d studies ran out of points; the sum of the tells should be %d:\n%s", short, sum, out)
	}
}

func TestOneStudyOfASoakIsTheSameAlone(t *testing.T) {
	args := strings.Fields("soak -tells 120 -size 20 -seed 5 -policies gp-bucb,ucb-sdf -json - -parallel 2")
	_, all, _ := consoletest.Execute(t, demo, args...)
	code, one, err := consoletest.Execute(t, demo, append(args, "-study", "4")...)
	if code != console.ExitOK {
		t.Fatalf("code %d\n%s", code, err)
	}
	consoletest.Contains(t, err, "│ all ", "-study 4\n")
	several, single := records(t, all), records(t, one)
	if len(several) != 6 || len(single) != 1 || several[3] != single[0] {
		t.Errorf("alone  %+v\namong others %+v", single, several)
	}
	_, other, _ := consoletest.Execute(t, demo, append(args, "-study", "4", "-seed", "6")...)
	if o := records(t, other); o[0] == single[0] {
		t.Error("another seed gives the same study")
	}
}

func TestOnlyOneKindOfValues(t *testing.T) {
	_, out, _ := consoletest.Execute(t, demo, "soak", "-tells", "40", "-size", "10", "-only", "denormal", "-policies", "gp-bucb")
	consoletest.Contains(t, out, "│ denormal │       4 │", "-only denormal")
	if strings.Contains(out, "smooth") {
		t.Error(out)
	}
}

func TestWrongFlagsOfSoakAreRefused(t *testing.T) {
	dir := t.TempDir()
	code, out, err := consoletest.Execute(t, demo, "soak", "-tells", "0", "-large", "-1", "-large-size", "1", "-size", "many", "-seed", "-2", "-parallel", "1000",
		"-policies", "sgd", "-only", "nice", "-study", "x", "-json", dir, "-burn", "extra")
	if code != console.ExitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	consoletest.Contains(t, err, "-tells = 0", "-large = -1", "-large-size = 1", "-size = many", "-seed = -2", "-parallel = 1000", `policy "sgd"`,
		"-only = nice: want one of smooth, constant", "-study = x", "-json = "+dir, "flag -burn", "Run 'go run ./cmd/demo help soak' for help.")
	code, _, err = consoletest.Execute(t, demo, "soak", "-tells", "100", "-size", "50", "-study", "3")
	if code != console.ExitUsage || !strings.Contains(err, "-study = 3: want at most 2, the number of studies") {
		t.Errorf("code %d: %s", code, err)
	}
}

func TestHelpOfSoakNamesEveryFlag(t *testing.T) {
	code, out, _ := consoletest.Execute(t, demo, "help", "soak")
	if code != console.ExitOK {
		t.Errorf("code %d", code)
	}
	_, f := newSoak()
	for _, name := range f.Names() {
		consoletest.Contains(t, out, "  "+name)
	}
	consoletest.Contains(t, out, "outliers", "(default 1000000)", "Exit codes: ")
}

// after ends a context when so many lines were written.
type after struct {
	bytes.Buffer
	lines int
	end   context.CancelFunc
}

func (a *after) Write(p []byte) (int, error) {
	if a.lines--; a.lines == 0 {
		a.end()
	}
	return a.Buffer.Write(p)
}

func TestAnInterruptedSoakPrintsWhatIsComplete(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	lines, text := after{lines: 3, end: cancel}, bytes.Buffer{}
	code := demo.Run(ctx, strings.Fields("soak -tells 100000 -large 0 -size 10 -parallel 2 -only two -policies gp-bucb -json -"), &lines, &text)
	if code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	done := records(t, lines.String())
	if len(done) < 3 || len(done) > 20 {
		t.Errorf("%d studies", len(done))
	}
	consoletest.Contains(t, text.String(), "│ two ", fmt.Sprintf("demo: interrupted: %d of 10000 studies are complete", len(done)), "reproduce: ")
	for _, o := range done {
		if o.Tells != 10 && o.Ended != loop.ReasonPoints || o.Violation != "" {
			t.Errorf("%+v", o)
		}
	}
}

func TestEvaluationsOfAllStudiesAddUp(t *testing.T) {
	for _, c := range []struct {
		args           string
		studies, large int
	}{
		{"-tells 1000000", 9010, 10},
		{"-tells 2000", 20, 0},
		{"-tells 25000", 52, 2},
		{"-tells 20000", 2, 2},
		{"-tells 1 -size 50", 1, 0},
		{"-tells 101 -large 0", 2, 0},
	} {
		s := mustSoak(t, strings.Fields(c.args)...)
		if s.studies != c.studies || s.large != c.large || s.total(s.numbers()) != s.tells {
			t.Errorf("%s: %d studies, %d large, %d evaluations", c.args, s.studies, s.large, s.total(s.numbers()))
		}
	}
}

// Every configuration that can be drawn is one that the loop takes.
func TestStudiesOfASoakAreSound(t *testing.T) {
	s := mustSoak(t, "-large", "3")
	seen := map[string]bool{}
	for number := 1; number <= 600; number++ {
		d := s.draw(number)
		if err := d.config.Validate(); err != nil {
			t.Fatalf("study %d: %v", number, err)
		}
		total := 0
		for _, n := range d.slots {
			total += n
		}
		if total < 1 || total > maxSlots || d.large != (number <= 3) {
			t.Errorf("study %d: slots %v", number, d.slots)
		}
		seen[d.kind.Name], seen[d.domain.Name], seen[d.points.String()], seen[d.config.Traits.Name] = true, true, true, true
	}
	for _, name := range slices.Concat(hostile.Names(), modelled()[:1], []string{"hundred", "context", "list", "free", "collinear", "gp-bucb"}) {
		if !seen[name] {
			t.Errorf("no study with %s", name)
		}
	}
}

func TestTheCommandOfASoakMeansTheSame(t *testing.T) {
	r, f := newSoak()
	if err := f.Read(strings.Fields("-tells 999 -large 4 -large-size 30 -size 7 -seed 8 -policies gp-ucb -only huge -parallel 3")); err != nil {
		t.Fatal(err)
	}
	again, g := newSoak()
	if err := g.Read(strings.Fields(strings.TrimPrefix(r.commandLine(12), "go run ./cmd/demo soak "))); err != nil || g.Errs.Err() != nil {
		t.Fatal(err, g.Errs.Err())
	}
	want := *r
	want.study, want.parallel = 12, 0
	if *again != want {
		t.Errorf("got %+v, want %+v", *again, want)
	}
	var l check.List
	if s := newSoaking(*again, &l); s.parallel < 1 || l.Err() != nil {
		t.Errorf("%d at once, %v", s.parallel, l.Err())
	}
}

func TestProgressTellsRateAndTimeLeft(t *testing.T) {
	var out bytes.Buffer
	p := progress{w: &out, begin: time.Unix(0, 0), studies: 10, complete: 1, tells: 1000}
	p.report(time.Unix(20, 0), 250)
	p.report(time.Unix(20, 0), 0)
	want := "1 of 10 studies, 250 of 1000 tells, 12.5 tells/s, about 1m0s left\n1 of 10 studies, 0 of 1000 tells, 0.0 tells/s, unknown time left\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
