package comparison

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/sim"
)

// demo is the program with this command alone.
var demo = consoletest.Program(Command())

var wall = regexp.MustCompile(`"wall_ms":[0-9.e+-]+`)

func TestJSONDoesNotDependOnParallelRunsButOnTheSeed(t *testing.T) {
	args := strings.Fields("sim -problem branin,ackley:3 -policies random,batch:q=3:of=random -delay poisson:4 -rounds 25 -seeds 3 -noise 1% -json -")
	lines := func(more ...string) string {
		code, out, err := consoletest.Execute(t, demo, append(args, more...)...)
		if code != console.ExitOK {
			t.Fatalf("code %d\n%s", code, err)
		}
		consoletest.Contains(t, err, "branin", "simple regret", "reproduce: go run ./cmd/demo sim")
		return wall.ReplaceAllString(out, "")
	}
	one := lines("-parallel", "1")
	if four := lines("-parallel", "4"); four != one {
		t.Errorf("-parallel 4 gives\n%s\n-parallel 1 gives\n%s", four, one)
	}
	if other := lines("-seed", "2"); other == one {
		t.Error("another seed gives the same runs")
	}
}

func TestJSONHasALineForEachRunInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	code, out, err := consoletest.Execute(t, demo, "sim", "-problem", "forrester,branin", "-policies", "random,batch:q=2:of=random", "-delay", "fixed:4", "-window", "3",
		"-rounds", "12", "-seeds", "2", "-seed", "7", "-json", path)
	if code != console.ExitOK || !strings.HasPrefix(out, "forrester: ") || !strings.Contains(out, "\nbranin: ") {
		t.Fatalf("code %d, stderr %s, stdout:\n%s", code, err, out)
	}
	file, _ := os.ReadFile(path)
	var keys []string
	var labels []string
	for line := range strings.Lines(string(file)) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		labels = append(labels, strings.Join([]string{r["problem"].(string), r["policy"].(string), string(rune('0' + int(r["seed"].(float64))))}, " "))
		simple, cumulative := r["simple_regret"].([]any), r["cumulative_regret"].([]any)
		if len(simple) != 12 || len(cumulative) != 12 || r["rounds"] != 12. || r["delay"] != "fixed:4" || r["window"] != 3. {
			t.Errorf("%s", line)
		}
		keys = regexp.MustCompile(`"([a-z_]+)":`).FindAllString(line, -1)
	}
	want := "forrester random 7|forrester random 8|forrester batch:q=2:of=random 7|forrester batch:q=2:of=random 8|" +
		"branin random 7|branin random 8|branin batch:q=2:of=random 7|branin batch:q=2:of=random 8"
	if got := strings.Join(labels, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	consoletest.Golden(t, "keys.txt", strings.Join(keys, "\n")+"\n")
}

func TestNullStandsForNoAnswerYet(t *testing.T) {
	_, out, _ := consoletest.Execute(t, demo, "sim", "-problem", "branin", "-policies", "random", "-delay", "fixed:9", "-initial", "5", "-rounds", "6", "-seeds", "1", "-json", "-")
	// The answer of query 1 can be used for query 10, that is, after 4 queries that count.
	if !regexp.MustCompile(`"simple_regret":\[null,null,null,[0-9.e]+,`).MatchString(out) {
		t.Error(out)
	}
}

func TestNoiseInPercentIsMeasuredOnTheProblem(t *testing.T) {
	sd := func(noise string) float64 {
		_, out, err := consoletest.Execute(t, demo, "sim", "-problem", "branin", "-policies", "random", "-rounds", "2", "-seeds", "1", "-noise", noise, "-json", "-")
		var r record
		if json.Unmarshal([]byte(out), &r) != nil {
			t.Fatal(err)
		}
		return r.Noise
	}
	p, _ := sim.NewProblem("branin", 1)
	if got, want := sd("2%"), 0.02*p.Spread().Stddev; math.Abs(got-want) > 1e-12*want {
		t.Errorf("2%% gives %v, want %v", got, want)
	}
	if got := sd("0.25"); got != 0.25 {
		t.Errorf("0.25 gives %v", got)
	}
}

func TestDelaysThatDependOnTheValueKnowItsRange(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "random", "-delay", "never:0.1+value:1,9")
	s, err := c.scenario(job{})
	if want := s.Problem.Spread().Low; err != nil || s.Low != want {
		t.Errorf("Low = %v, want %v (%v)", s.Low, want, err)
	}
	if s, _ := mustCompare(t, "-problem", "branin").scenario(job{}); s.Low != 0 {
		t.Errorf("Low was measured without need: %v", s.Low)
	}
}

func TestPicturesAreWrittenForEachProblem(t *testing.T) {
	dir := t.TempDir()
	code, out, err := consoletest.Execute(t, demo, "sim", "-problem", "branin,ackley:3", "-policies", "random", "-delay", "fixed:2", "-rounds", "15", "-seeds", "2", "-plot", filepath.Join(dir, "p.svg"))
	if code != console.ExitOK {
		t.Fatalf("code %d\n%s", code, err)
	}
	for _, name := range []string{"p-branin", "p-ackley-3"} {
		f := must.Get(os.Open(filepath.Join(dir, name+".png")))(t)
		picture, err := png.Decode(f)
		f.Close()
		if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 750 {
			t.Errorf("%s.png: %v", name, err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, name+".svg")); err != nil || !bytes.Contains(text, []byte("cumulative regret")) {
			t.Errorf("%s.svg: %v", name, err)
		}
		consoletest.Contains(t, out, name+".png")
	}
}

// mustCompare is the comparison of a sim command.
func mustCompare(t *testing.T, args ...string) comparison {
	t.Helper()
	r, f := newSim()
	r.policyList = "random,batch:of=random"
	if err := f.Parse(args, console.Streams{}); err != nil {
		t.Fatal(err)
	}
	return must.Get(settle(r, f))(t)
}

// flat is a simulator without a simulation: every regret is the seed.
func flat(_ context.Context, s sim.Scenario, _ ...sim.Observer) (sim.Performance, error) {
	var out sim.Performance
	for range s.Rounds {
		out.SimpleRegret = append(out.SimpleRegret, float64(s.Seed))
		out.CumulativeRegret = append(out.CumulativeRegret, float64(s.Seed))
	}
	return out, nil
}

func TestAnInterruptKeepsWhatIsComplete(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-seeds", "4", "-rounds", "10", "-parallel", "2", "-json", "-", "-plot", filepath.Join(t.TempDir(), "x.png"))
	ctx, cancel := context.WithCancel(context.Background())
	var runs atomic.Int64
	stubborn := func(ctx context.Context, s sim.Scenario, o ...sim.Observer) (sim.Performance, error) {
		if s.Seed == 1 || s.Policy.Traits().Barrier > 1 { // the first run never ends by itself
			<-ctx.Done()
			return sim.Performance{}, ctx.Err()
		}
		if runs.Add(1) == 3 {
			cancel()
		}
		return flat(ctx, s, o...)
	}
	var out, errors bytes.Buffer
	code := console.Report(c.simulate(ctx, stubborn, console.Streams{Stdout: &out, Stderr: &errors}), &errors)
	if code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	consoletest.Contains(t, errors.String(), "│ random          │     3 │", "no picture", "reproduce: ", "demo: interrupted: 3 of 8 runs are complete")
	var seeds []uint64
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, r.Seed)
	}
	if len(seeds) != 3 || seeds[0] != 2 || seeds[1] != 3 || seeds[2] != 4 {
		t.Errorf("lines of the seeds %v, want 2 3 4", seeds)
	}
}

func TestAnInterruptBeforeTheFirstRunIsComplete(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errors bytes.Buffer
	if code := demo.Run(ctx, strings.Fields("sim -problem branin -policies random"), &out, &errors); code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	consoletest.Contains(t, errors.String(), "interrupted: 0 of 10 runs")
}

func TestAFailedRunIsNamed(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-seeds", "3", "-rounds", "10", "-parallel", "1")
	broken := errors.New("no more memory")
	fails := func(ctx context.Context, s sim.Scenario, o ...sim.Observer) (sim.Performance, error) {
		if s.Seed == 2 {
			return sim.Performance{}, broken
		}
		return flat(ctx, s, o...)
	}
	var out, text bytes.Buffer
	err := c.simulate(context.Background(), fails, console.Streams{Stdout: &out, Stderr: &text})
	if code := console.Report(err, &text); code != console.ExitFailure || !errors.Is(err, broken) {
		t.Errorf("code %d, %v", code, err)
	}
	consoletest.Contains(t, text.String(), "demo: problem branin, policy random, seed 2: no more memory")
}

func TestLinesThatCannotBeWrittenEndTheComparison(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-seeds", "3", "-rounds", "10", "-json", "-")
	var text bytes.Buffer
	if code := console.Report(c.simulate(context.Background(), flat, console.Streams{Stdout: consoletest.Full{}, Stderr: &text}), &text); code != console.ExitFailure {
		t.Errorf("code %d", code)
	}
	consoletest.Contains(t, text.String(), "demo: no space left")
}
