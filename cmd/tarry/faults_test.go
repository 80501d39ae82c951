package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

// tune calls the program on ./train.sh with more flags before the dashes.
func tune(t *testing.T, dir string, flags ...string) called {
	t.Helper()
	args := append([]string{"tune", "--space", "space.yaml", "--study", "s.db"}, flags...)
	return callIn(t, dir, "", append(args, "--", "./train.sh", "{lr}", "{layers}")...)
}

// patiently tunes a script that may depend on the timeout in a folder of its own. On a machine where commands take so long that
// more of them time out than should, it is tried again with more time. It returns the folder, the timeout and what was said.
func patiently(t *testing.T, timeout time.Duration, enough func(dir string, got called) bool, script func(time.Duration) string, flags ...string) (string, time.Duration, called) {
	t.Helper()
	for ; ; timeout *= 4 {
		dir := folder(t, script(timeout))
		got := tune(t, dir, append(flags, "--timeout", timeout.String())...)
		if enough(dir, got) || timeout > time.Minute {
			return dir, timeout, got
		}
	}
}

// says reports whether a text is in what was printed.
func says(text string) func(string, called) bool {
	return func(_ string, got called) bool { return strings.Contains(got.out, text) }
}

// Exit codes of the command become states: each state is told apart, and each costs what it should.
func TestExitCodesBecomeStates(t *testing.T) {
	script := `
case $TARRY_EVALUATION.$TARRY_ATTEMPT in
1.*) echo "no space left" >&2; exit 3;;
2.*) exit 65;;
3.1) exit 75;;
4.*) echo '{"value": 5, "constraints": [-1, 0.5]}'; exit 0;;
5.*) echo nothing; exit 0;;
6.*) echo nan; exit 0;;
7.1) exit 1;;
8.*) sleep 60;;
esac
echo "$TARRY_EVALUATION"
`
	once := func(_ string, got called) bool { return strings.Count(got.log, " took longer than ") == 2 }
	dir, timeout, got := patiently(t, 1500*time.Millisecond, once, func(time.Duration) string { return script },
		"--budget", "9", "--workers", "3", "--retries", "1", "--grace", "100ms")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		"best #9", "3 observed", "2 infeasible", "3 failed", "1 timed out",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	for _, want := range []string{
		"#1 attempt 1: exit code 3: no space left, tried again", "#1 attempt 2: exit code 3: no space left, given up",
		"#3 attempt 1", "#4 infeasible: constraint 2 is 0.5", fmt.Sprintf("#8 attempt 1 took longer than %v, tried again", timeout), fmt.Sprintf("#8 attempt 2 took longer than %v, given up", timeout), "#2 infeasible: exit code 65", "#3 attempt 1: preempted: exit code 75, tried again", "9/9 ",
	} {
		if !strings.Contains(got.log, want) {
			t.Errorf("%q is missing in\n%s", want, got.log)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "s.db.logs", "000003.2")); err != nil {
		t.Errorf("the attempt that was lost was not tried again: %v", err)
	}
}

// A command that hangs and ignores SIGTERM, one that leaves children behind, one that prints a hundred megabytes and one
// that prints no text at all: none holds the others up, and nothing of them is left.
func TestWildCommands(t *testing.T) {
	t.Parallel() // it mostly waits
	script := `
echo $$ >> pids
case $TARRY_EVALUATION in
1) trap '' TERM; while :; do sleep 0.1; done;;
2) (trap '' TERM; echo $$ >> pids; sleep 300) & ;;
3) head -c 100000000 /dev/zero; echo;;
4) printf '\377\376\000\n';;
esac
echo "$TARRY_EVALUATION"
`
	dir, _, got := patiently(t, 3*time.Second, says("4 observed, 1 timed out"), func(time.Duration) string { return script },
		"--budget", "5", "--workers", "2", "--grace", "200ms")
	if got.code != exitOK || !strings.Contains(got.out, "4 observed, 1 timed out") {
		t.Fatalf("%+v", got)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "pids"))
	for word := range strings.FieldsSeq(string(text)) {
		var pid int
		fmt.Sscan(word, &pid)
		process, err := os.FindProcess(pid)
		must(t, err)
		gone := func() bool { return process.Signal(syscall.Signal(0)) != nil }
		for i := 0; i < 100 && !gone(); i++ {
			time.Sleep(50 * time.Millisecond)
		}
		if !gone() {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// A study that exists is never overwritten, one that somebody has open is not opened twice, and logs of a study that is
// gone are not taken for this one's.
func TestStudiesAreNotMixedUp(t *testing.T) {
	dir := folder(t, "echo $2")
	if got := tune(t, dir, "--budget", "3"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := tune(t, dir, "--budget", "3"); got.code != exitUsage || !strings.Contains(got.log, "tarry resume s.db") {
		t.Errorf("an existing study: %+v", got)
	}
	store, err := sqlite.Open(filepath.Join(dir, "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	got := callIn(t, dir, "", "resume", "s.db")
	if got.code != exitInUse || !strings.Contains(got.log, fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("a study in use: %+v", got)
	}
	store.Close()
	if got := callIn(t, dir, "", "asktell", "--study", "s.db"); got.code != exitUsage || !strings.Contains(got.log, "tarry resume s.db") {
		t.Errorf("asktell of a study that runs a command: %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, "s.db")); err != nil {
		t.Fatal(err)
	}
	if got := tune(t, dir, "--budget", "3"); got.code != exitOK || !strings.Contains(got.log, "logs of another study are now in s.db.logs.old-") {
		t.Errorf("after the study was deleted: %+v", got)
	}
}

// Ctrl-C once waits for what runs; twice does not; either way the study goes on.
func TestCtrlC(t *testing.T) {
	if signal.Ignored(os.Interrupt) {
		t.Skip("the tests run in the background, where nobody hears Ctrl-C")
	}
	t.Parallel() // it mostly waits
	for _, times := range []int{1, 2} {
		dir := folder(t, `echo x >> begun; sleep 1; echo $2`)
		cmd := program(t, dir, "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "6", "--workers", "2", "--", "./train.sh", "{lr}", "{layers}")
		log, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for begun := 0; begun < 2; time.Sleep(20 * time.Millisecond) {
			text, _ := os.ReadFile(filepath.Join(dir, "begun"))
			begun = strings.Count(string(text), "x")
		}
		for range times {
			cmd.Process.Signal(os.Interrupt)
			time.Sleep(100 * time.Millisecond)
		}
		said, _ := io.ReadAll(log)
		cmd.Wait()
		want := "interrupted after 2 of 6 evaluations"
		if times == 2 {
			want = "interrupted after 0 of 6 evaluations"
		}
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(string(said), want) || !strings.Contains(string(said), "tarry resume s.db") {
			t.Errorf("%d times: %d\n%s", times, code, said)
		}
		got := callIn(t, dir, "", "resume", "s.db", "--workers", "6")
		if got.code != exitOK || !strings.Contains(got.out, "6 observed") {
			t.Errorf("resumed: %+v", got)
		}
		text, _ := os.ReadFile(filepath.Join(dir, "begun"))
		if n := strings.Count(string(text), "x"); n != 6+2*(times-1) {
			t.Errorf("%d times: %d evaluations were begun", times, n)
		}
	}
}

// The answer of a command that finished while nobody listened is adopted; one that was still running is ended first and
// runs again at the same point.
func TestAnAnswerThatNobodyHeardIsAdopted(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, `
echo "$TARRY_EVALUATION.$TARRY_ATTEMPT $1" >> begun
if [ $TARRY_EVALUATION = 2 ] && [ $TARRY_ATTEMPT = 1 ]; then sleep 300; fi
sleep 1; echo $TARRY_EVALUATION
`)
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "2", "--workers", "2", "--", "./train.sh", "{lr}", "{layers}")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "begun"))
		return string(text)
	}
	for strings.Count(begun(), "\n") < 2 {
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	exit := filepath.Join(dir, "s.db.logs", "000001.1", "exit.json")
	for {
		if _, err := os.Stat(exit); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--budget", "1"); got.code != exitUsage || !strings.Contains(got.log, "--budget = 1: want 2 ≤ budget") || strings.Contains(got.log, "ended") {
		t.Fatalf("what still runs is ended for nothing: %+v", got)
	}
	got := callIn(t, dir, "", "resume", "s.db")
	if got.code != exitOK || !strings.Contains(got.out, "2 observed") || !strings.Contains(got.log, "ended attempt 000002.1") {
		t.Fatalf("%+v", got)
	}
	lines := strings.Fields(begun())
	if len(lines) != 6 {
		t.Fatalf("begun:\n%s", begun())
	}
	points := map[string]string{}
	for i := 0; i < len(lines); i += 2 {
		points[lines[i]] = lines[i+1]
	}
	if points["2.2"] == "" || points["2.2"] != points["2.1"] || points["1.1"] == "" {
		t.Errorf("begun:\n%s", begun())
	}
}
