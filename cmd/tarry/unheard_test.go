package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// deaf tunes ./train.sh until its journal is as wanted, and kills the program. Then it lets the commands go on, and waits
// until one attempt has ended.
func deaf(t *testing.T, dir, attempt string, wanted func(*loop.Loop) bool, flags ...string) {
	t.Helper()
	args := append([]string{"tune", "--space", "space.yaml", "--study", "s.db", "--policy", "random"}, flags...)
	cmd := program(t, dir, append(args, "--", "./train.sh")...)
	must(t, cmd.Start())
	for so := false; !so; time.Sleep(10 * time.Millisecond) {
		store, err := sqlite.Read(filepath.Join(dir, "s.db"))
		if err != nil {
			continue // it has not begun
		}
		l, _, err := journal.Replay(store)
		must(t, err, store.Close())
		so = wanted(l)
	}
	cmd.Process.Kill()
	cmd.Wait()
	must(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o644))
	for ended := false; !ended; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "s.db.logs", attempt, "exit.json"))
		ended = err == nil
	}
}

// status is that of an evaluation when deaf looks.
func status(number int, want loop.Status) func(*loop.Loop) bool {
	return func(l *loop.Loop) bool {
		all := l.Evaluations()
		return len(all) >= number && all[number-1].Status == want
	}
}

// resumed goes on with a study and returns what its journal says in the end.
func resumed(t *testing.T, dir string, code int) (called, *loop.Loop) {
	t.Helper()
	got := callIn(t, dir, "", "resume", "s.db")
	if got.code != code {
		t.Fatalf("%+v", got)
	}
	store, err := sqlite.Read(filepath.Join(dir, "s.db"))
	must(t, err)
	defer store.Close()
	report, err := journal.Verify(store)
	must(t, err)
	return got, report.Loop
}

// stubborn outlives its timeout until it may go on.
const stubborn = `trap '' TERM; while [ ! -e go ]; do sleep 0.02; done; `

// A value that came when nobody listened any more counts: also that of an evaluation which had been given up, and also where
// the study had ended with it.
func TestAValueThatCameAfterItsEvaluationWasGivenUpIsTold(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, budget := range []string{"1", "2"} {
		dir := folder(t, `[ $TARRY_EVALUATION = 2 ] && { while [ ! -e go ]; do sleep 0.02; done; echo 3; exit; }; `+stubborn+`echo 7`)
		deaf(t, dir, "000001.1", status(1, loop.TimedOut), "--budget", budget, "--timeout", "1s", "--grace", "5m")
		got, l := resumed(t, dir, exitOK)
		if e := l.Evaluations()[0]; e.Status != loop.Late || e.Value != 7 || !strings.Contains(got.out, "best #1 ") || !strings.Contains(got.log, "attempt 000001.1 ended unheard: 7") {
			t.Errorf("budget %s: %+v\n%+v", budget, e, got)
		}
		if again, l := resumed(t, dir, exitOK); strings.Contains(again.log, "unheard") || l.Counters().Repeated > 0 {
			t.Errorf("budget %s: it is told again: %+v", budget, again)
		}
	}
}

// The value of an earlier attempt counts although a later one has failed.
func TestAValueOfAnEarlierAttemptIsTold(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `[ $TARRY_ATTEMPT = 2 ] && exit 3; `+stubborn+`echo '{"value": 7, "cost": 2}'`)
	deaf(t, dir, "000001.1", status(1, loop.Failed), "--budget", "1", "--workers", "2", "--retries", "1", "--timeout", "1s", "--grace", "5m")
	_, l := resumed(t, dir, exitOK)
	if e := l.Evaluations()[0]; e.Status != loop.Late || e.Value != 7 || e.Cost != 2 {
		t.Errorf("%+v", e)
	}
}

// What an attempt has left whose evaluation still waits is the outcome of the next attempt, once.
func TestAValueOfAnEvaluationThatWaitsIsToldOnce(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `echo x >> begun; [ $TARRY_ATTEMPT = 1 ] || exec sleep 300; `+stubborn+`echo 7`)
	deaf(t, dir, "000001.1", func(l *loop.Loop) bool {
		return len(l.Evaluations()) > 0 && l.Evaluations()[0].Attempt == 2
	}, "--budget", "1", "--workers", "2", "--retries", "1", "--timeout", "2s", "--grace", "5m")
	got, l := resumed(t, dir, exitOK)
	e, c := l.Evaluations()[0], l.Counters()
	if e.Status != loop.Observed || e.Value != 7 || c.Repeated+c.Contradictory+c.Unknown > 0 || strings.Contains(got.log, "unheard") {
		t.Errorf("%+v, %+v\n%+v", e, c, got)
	}
	if begun, _ := os.ReadFile(filepath.Join(dir, "begun")); strings.Count(string(begun), "x") > 2 {
		t.Errorf("it was run again: %s", begun)
	}
}

// So counts the word of a command that its point is infeasible.
func TestThatAPointIsInfeasibleIsToldLate(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, stubborn+`echo 'too thin' >&2; exit 65`)
	deaf(t, dir, "000001.1", status(1, loop.TimedOut), "--budget", "1", "--timeout", "1s", "--grace", "5m")
	got, l := resumed(t, dir, exitNoValue)
	if e := l.Evaluations()[0]; e.Status != loop.Infeasible || e.Reason != "exit code 65: too thin" || !strings.Contains(got.log, "attempt 000001.1 ended unheard: infeasible, exit code 65: too thin") {
		t.Errorf("%+v\n%+v", e, got)
	}
	if again, l := resumed(t, dir, exitNoValue); strings.Contains(again.log, "unheard") || l.Counters().Repeated > 0 {
		t.Errorf("it is told again: %+v", again)
	}
}

// What a command has said when its time is up counts although it does not end by itself.
func TestWhatACommandHasSaidWhenItsTimeIsUpCounts(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `
case $TARRY_EVALUATION in
1) echo 7; exec sleep 300;;
2) trap 'exit 65' TERM; while :; do sleep 0.02; done;;
3) printf 9; exec sleep 300;;
esac
echo 1`)
	got := tune(t, dir, "--budget", "4", "--workers", "4", "--timeout", "2s", "--grace", "10s", "--policy", "random")
	for _, want := range []string{"best #1 ", "1 observed", "1 late", "1 infeasible", "1 timed out"} {
		if got.code != exitOK || !strings.Contains(got.out, want) {
			t.Errorf("%q is missing: %+v", want, got)
		}
	}
}
