package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// overdue tunes ./train.sh with a timeout until its journal is as wanted, and returns the program, which runs on. The script
// makes a file ready when it may time out; on a machine where that took too long it is tried again with more time.
func overdue(t *testing.T, dir string, wanted func(*loop.Loop) bool, flags ...string) *exec.Cmd {
	t.Helper()
	for timeout := time.Second; timeout < 5*time.Minute; timeout *= 4 {
		args := append([]string{"tune", "--space", "space.yaml", "--study", "s.db", "--policy", "random", "--timeout", timeout.String(), "--grace", "10m"}, flags...)
		cmd := program(t, dir, append(args, "--", "./train.sh")...)
		must(t, cmd.Start())
		for so, ended := false, false; !so && !ended; time.Sleep(10 * time.Millisecond) {
			store, err := sqlite.Read(filepath.Join(dir, "s.db"))
			if err != nil {
				continue // it has not begun
			}
			l, _, err := journal.Replay(store)
			must(t, err, store.Close())
			so, ended = wanted(l), l.Finished()
		}
		if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
			return cmd
		}
		cmd.Process.Kill()
		cmd.Wait()
		must(t, sweep(io.Discard, filepath.Join(dir, "s.db.logs")))
		left, err := filepath.Glob(filepath.Join(dir, "s.db*"))
		must(t, err)
		for _, path := range left {
			must(t, os.RemoveAll(path))
		}
	}
	t.Fatal("no command begins in time")
	return nil
}

// deaf is overdue until the program is killed. Then the commands go on, and one attempt ends well.
func deaf(t *testing.T, dir, attempt string, wanted func(*loop.Loop) bool, flags ...string) {
	t.Helper()
	cmd := overdue(t, dir, wanted, flags...)
	cmd.Process.Kill()
	cmd.Wait()
	must(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o644))
	for ended := false; !ended; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "s.db.logs", attempt, "exit.json"))
		ended = err == nil
	}
}

// givenUp is what is wanted of a study whose first evaluation has an outcome without a value.
func givenUp(l *loop.Loop) bool {
	all := l.Evaluations()
	return len(all) > 0 && all[0].Status != loop.Pending
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
const stubborn = `trap '' TERM; touch ready; while [ ! -e go ]; do sleep 0.02; done; `

// A value that came when nobody listened any more counts: also that of an evaluation which had been given up, and also where
// the study had ended with it.
func TestAValueThatCameAfterItsEvaluationWasGivenUpIsTold(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, budget := range []string{"1", "2"} {
		dir := folder(t, `[ $TARRY_EVALUATION = 2 ] && { while [ ! -e go ]; do sleep 0.02; done; echo 3; exit; }; `+stubborn+`echo 7`)
		deaf(t, dir, "000001.1", givenUp, "--budget", budget)
		got, l := resumed(t, dir, exitOK)
		if e := l.Evaluations()[0]; e.Status != loop.Late || e.Value != 7 || !e.Untimed || !strings.Contains(got.out, "best #1 ") || !strings.Contains(got.log, "attempt 000001.1 ended unheard: 7") {
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
	deaf(t, dir, "000001.1", givenUp, "--budget", "1", "--workers", "2", "--retries", "1")
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
	}, "--budget", "1", "--workers", "2", "--retries", "1")
	got, l := resumed(t, dir, exitOK)
	e, c := l.Evaluations()[0], l.Counters()
	if e.Status != loop.Observed || e.Value != 7 || !e.Untimed || c.Repeated+c.Contradictory+c.Unknown > 0 || strings.Contains(got.log, "unheard") {
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
	deaf(t, dir, "000001.1", givenUp, "--budget", "1")
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
	for timeout := 2 * time.Second; ; timeout *= 4 {
		dir := folder(t, `
case $TARRY_EVALUATION in
1) echo 7; touch ready1; exec sleep 300;;
2) trap 'exit 65' TERM; touch ready2; while :; do sleep 0.02; done;;
3) printf 9; touch ready3; exec sleep 300;;
esac
echo 1; touch ready4`)
		got := tune(t, dir, "--budget", "4", "--workers", "4", "--timeout", timeout.String(), "--grace", "1m", "--policy", "random")
		if ready, err := filepath.Glob(filepath.Join(dir, "ready*")); len(ready) < 4 && err == nil && timeout < 5*time.Minute {
			continue // on this machine that takes more time
		}
		for _, want := range []string{"best #1 ", "1 observed", "1 late", "1 infeasible", "1 timed out"} {
			if got.code != exitOK || !strings.Contains(got.out, want) {
				t.Errorf("%q is missing: %+v", want, got)
			}
		}
		return
	}
}

// Values that commands left while nobody listened come at once when the study goes on. That is not how long commands take: none of those that
// begin then is given up for it.
func TestValuesThatWereLeftDoNotTeachThatCommandsTakeNoTime(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `sleep 0.5; echo $TARRY_EVALUATION`)
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--study", "s.db", "--policy", "random", "--budget", "12", "--workers", "6", "--give-up", "0.05", "--", "./train.sh")
	must(t, cmd.Start())
	all := func(file string) {
		for n := 0; n < 6; time.Sleep(10 * time.Millisecond) {
			found, err := filepath.Glob(filepath.Join(dir, "s.db.logs", "00000?.1", file))
			must(t, err)
			n = len(found)
		}
	}
	all("command.json")
	cmd.Process.Kill()
	cmd.Wait()
	all("exit.json")
	_, l := resumed(t, dir, exitOK)
	if c, r := l.Counters(), l.DelayReport(); c.GivenUp > 0 || r.Untimed == 0 || r.Untimed > 6 {
		t.Errorf("%d were given up, %d say nothing of the delays", c.GivenUp, r.Untimed)
	}
	for _, e := range l.Evaluations() {
		if e.Status != loop.Observed || e.Untimed != (e.Attempt > 1) {
			t.Errorf("%+v", e)
		}
	}
}
