package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

var kills = flag.Int("kills", usualKills, "how often the program is killed in TestKilledAgainAndAgain and its relative")

// slowHill takes a few hundredths of a second, reports a value on its way, notes the value that it found, and says it.
const slowHill = `
value=$(awk "BEGIN { print 1 - (log($1)/log(10)+2)^2/4 - ($2-5)^2/20 }")
echo "{\"report\": $value, \"step\": 1}"
sleep 0.0$((TARRY_EVALUATION * 7 % 10))
echo "$TARRY_EVALUATION $value" >> trace
sleep 0.0$((TARRY_EVALUATION * 3 % 10))
echo "$value"
`

// A process that is killed at any moment, again and again, loses nothing that it acknowledged and counts nothing twice; its
// journal is whole each time; and in the end the best value is the best that the objective ever produced.
func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, slowHill)
	budget := 20 + 12**kills
	values := killed(t, dir, *kills, budget)
	best := math.Inf(-1)
	for _, v := range values {
		best = max(best, v)
	}
	if len(values) != budget || best != bestOf(t, filepath.Join(dir, "trace")) {
		t.Errorf("%d values, the best is %v, the objective's best was %v", len(values), best, bestOf(t, filepath.Join(dir, "trace")))
	}
}

// The same with a timeout that falls together with the ends of the commands, and with all that learned delays and reports may lead to, for the policies: a few, or with many kills all of
// them. Nothing hangs either.
func TestKilledAgainAndAgainCloseToTheTimeout(t *testing.T) {
	t.Parallel()
	names := []string{"auto", "batch:q=3", "locbo"}
	if all := policies.General(); *kills >= len(all) {
		names = all
	}
	each := max(*kills/len(names), 1)
	budget := 20 + 12*each
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if each <= 2 { // with more kills they would hold each other up
				t.Parallel()
			}
			var dir string
			var values map[int]float64
			for timeout := 120 * time.Millisecond; len(values) < budget/8 && timeout < 5*time.Second; timeout *= 2 { // on a loaded machine little ends in time
				dir = folder(t, slowHill)
				values = killed(t, dir, each, budget, "--timeout", timeout.String(), "--grace", "50ms", "--policy", name,
					"--forget", "0.3", "--weigh-pending", "--give-up", "0.02", "--stop-early", "0.02")
			}
			trace, err := os.ReadFile(filepath.Join(dir, "trace"))
			if err != nil {
				t.Fatal(err)
			}
			for number, v := range values {
				if !strings.Contains("\n"+string(trace), fmt.Sprintf("\n%d %g\n", number, v)) {
					t.Errorf("evaluation %d has %v, which its command never said", number, v)
				}
			}
			t.Logf("%d of %d evaluations have a value", len(values), budget)
		})
	}
}

// killed runs a study through so many kills and to its end, and returns its values by evaluation.
func killed(t *testing.T, dir string, times, budget int, flags ...string) map[int]float64 {
	t.Helper()
	study := filepath.Join(dir, "s.db")
	stream := rand.New(rand.NewPCG(1, 2))
	known := map[int]float64{} // acknowledged values by evaluation
	next := func() []string {
		if store, err := sqlite.Read(study); err == nil {
			store.Close()
			return []string{"resume", "s.db"}
		}
		args := []string{"tune", "--space", "space.yaml", "--budget", strconv.Itoa(budget), "--workers", "8", "--study", "s.db"}
		return slices.Concat(args, flags, []string{"--", "./train.sh", "{lr}", "{layers}"})
	}
	start := 100 * time.Millisecond // more than it takes to begin
	for life := 0; life < times; life++ {
		said := live1(t, dir, start+time.Duration(stream.IntN(600))*time.Millisecond, next()...)
		store, err := sqlite.Read(study)
		if errors.Is(err, sqlite.ErrNoStudy) {
			life, start = life-1, 2*start // it was killed before it had begun
			continue
		}
		if err != nil {
			t.Fatalf("life %d: %v", life+1, err)
		}
		values, _ := whole(t, store, len(flags) > 0)
		store.Close()
		for number, value := range known {
			if got, there := values[number]; !there || got != value {
				t.Fatalf("life %d: evaluation %d had value %v, now %v (%v)", life+1, number, value, got, there)
			}
		}
		for number, value := range said {
			if got, there := values[number]; !there || fmt.Sprintf("%.6g", got) != value {
				t.Fatalf("life %d: evaluation %d was said to have %v, the journal has %v (%v)", life+1, number, value, got, there)
			}
		}
		known = values
	}
	last := callIn(t, dir, "", next()...)
	if last.code != exitOK && last.code != exitNoValue {
		t.Fatalf("the last life: %+v", last)
	}
	if got := callIn(t, dir, "", "verify", "s.db"); got.code != exitOK {
		t.Fatalf("verify: %+v", got)
	}
	store, err := sqlite.Read(study)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	values, l := whole(t, store, len(flags) > 0)
	if (last.code == exitOK) != (len(values) > 0) {
		t.Errorf("%d values, and the last life says %+v", len(values), last)
	}
	late := 0 // what was given up for lost gives its budget back, and what comes after all takes it again
	for _, e := range l.Evaluations() {
		switch e.Status {
		case loop.Pending:
			t.Errorf("evaluation %d is still pending", e.Number)
		case loop.Late:
			late++
		}
	}
	if spent := l.Spent(); spent < budget || spent > budget+late {
		t.Errorf("%d of %d were spent, %d came late", spent, budget, late)
	}
	return values
}

// live1 runs the program for so long, kills it, and returns the values that it said had come.
func live1(t *testing.T, dir string, after time.Duration, args ...string) map[int]string {
	t.Helper()
	cmd := program(t, dir, args...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer kill.Stop()
	said := map[int]string{}
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		words := strings.Fields(line)
		if len(words) >= 3 && strings.HasPrefix(words[1], "#") {
			if _, err := strconv.ParseFloat(words[2], 64); err == nil {
				number, _ := strconv.Atoi(words[1][1:])
				said[number] = words[2]
			}
		}
	}
	cmd.Wait()
	return said
}

// whole checks a journal, and returns the values in it by evaluation, and what it leads to.
func whole(t *testing.T, store *sqlite.Store, given bool) (values map[int]float64, l *loop.Loop) {
	t.Helper()
	if err := store.Verify(); err != nil {
		t.Fatal(err)
	}
	report, err := journal.Verify(store)
	if err != nil {
		t.Fatal(err)
	}
	values = map[int]float64{}
	for _, e := range report.Loop.Evaluations() {
		switch {
		case e.Status == loop.Pending:
		case e.Status.Valued():
			values[e.Number] = e.Value
		case !given || e.Status != loop.TimedOut && e.Status != loop.Lost && e.Status != loop.Stopped:
			t.Fatalf("evaluation %d is %v: %s", e.Number, e.Status, e.Reason)
		}
	}
	if c := report.Loop.Counters(); c.Contradictory > 0 || c.Repeated > 0 || c.Unknown > 0 {
		t.Fatalf("counters %+v", c)
	}
	return values, report.Loop
}

// bestOf is the greatest value that the objective noted.
func bestOf(t *testing.T, trace string) float64 {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(-1)
	for line := range strings.Lines(string(text)) {
		_, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("trace line %q", line)
		}
		best = max(best, v)
	}
	return best
}
