package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

func TestLostAttemptsWaitLongerAndLonger(t *testing.T) {
	for attempt, want := range map[int]time.Duration{
		1: 500 * time.Millisecond, 2: time.Second, 7: 32 * time.Second, 8: time.Minute, 11: time.Minute, 100000: time.Minute,
	} {
		if got := backoff(tarry.Query{ID: tarry.EvaluationID{Evaluation: 1, Attempt: attempt}}); got != want {
			t.Errorf("attempt %d: %v, want %v", attempt, got, want)
		}
	}
	late := tarry.Query{ID: tarry.EvaluationID{Evaluation: 1, Attempt: 9}, Deadline: time.Now().Add(10 * time.Second)}
	if got := backoff(late); got > 5*time.Second {
		t.Errorf("10 s before the deadline: %v", got)
	}
	if err := error(verdict{tarry.ErrLost, "preempted: exit code 75"}); !errors.Is(err, tarry.ErrLost) || errors.Is(err, tarry.ErrInfeasible) || err.Error() != "preempted: exit code 75" {
		t.Errorf("%v", err)
	}
}

// A program that is gone says nothing of the points: the study stops, nothing has failed, and with the program it goes on.
func TestACommandThatCannotBeStartedStopsTheStudy(t *testing.T) {
	dir := folder(t, `[ $TARRY_EVALUATION = 2 ] && mv train.sh away.sh; echo $TARRY_EVALUATION`)
	got := tune(t, dir, "--budget", "4")
	for _, want := range []string{"the command could not be started: ", "train.sh", "stopped after 2 of 4 evaluations", "tarry resume s.db"} {
		if got.code != exitFailure || !strings.Contains(got.log, want) {
			t.Fatalf("%q is missing: %+v", want, got)
		}
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitFailure || !strings.Contains(got.log, "command ./train.sh: ") || strings.Contains(got.log, "resumed") {
		t.Errorf("while it is away: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.sh"), []byte("#!/bin/sh\necho 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitOK || !strings.Contains(got.out, ": 4 observed") || !strings.Contains(got.out, "best #2") {
		t.Errorf("resumed: %+v", got)
	}
}

// With one worker one command runs at a time, also where it outlives its timeout, and the time of an attempt begins with its
// command.
func TestATimeoutDoesNotRunMoreCommandsThanWorkers(t *testing.T) {
	script := func(timeout time.Duration) string {
		return fmt.Sprintf(`
trap '' TERM
mkdir busy 2>/dev/null || echo "$TARRY_EVALUATION.$TARRY_ATTEMPT" >> crowd
echo x >> begun
i=0; while [ $i -lt %d ]; do sleep 0.1; i=$((i+1)); done
rmdir busy
`, timeout*5/2/(100*time.Millisecond))
	}
	begun := func(dir string, _ called) bool {
		text, _ := os.ReadFile(filepath.Join(dir, "begun"))
		return strings.Count(string(text), "x") == 2
	}
	dir, _, got := patiently(t, 500*time.Millisecond, begun, script, "--budget", "2", "--workers", "1", "--grace", "5m")
	if got.code != exitNoValue || !strings.Contains(got.out, "2 timed out") {
		t.Fatalf("%+v", got)
	}
	if crowd, err := os.ReadFile(filepath.Join(dir, "crowd")); err == nil {
		t.Errorf("ran beside another: %s", crowd)
	}
	if !begun(dir, got) {
		t.Error("two commands should have begun")
	}
}

// What was ignored when the program began stays ignored, as under nohup.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	dir := folder(t, `echo x >> begun; while [ ! -e go ]; do sleep 0.05; done; echo 1`)
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--budget", "2", "--", "./train.sh")
	line := fmt.Sprintf(`trap "" HUP INT; exec %s`, commandLine(cmd.Args))
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", line}
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "begun"))
		begun = err == nil
	}
	cmd.Process.Signal(syscall.SIGHUP)
	cmd.Process.Signal(os.Interrupt)
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(log)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitOK || strings.Contains(string(said), "Ctrl-C") || strings.Contains(string(said), "ending") {
		t.Errorf("%d\n%s", code, said)
	}
}

// A study that nobody watches any more is as complete as another.
func TestOutputThatNobodyReadsIsNoFailure(t *testing.T) {
	dir := folder(t, "echo 1")
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--budget", "2", "--", "./train.sh")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd.Stdout, cmd.Stderr = write, write
	cmd.Run()
	write.Close()
	if code := cmd.ProcessState.ExitCode(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// A journal that cannot be kept ends the study, which says what it has.
func TestAFailedCommitSaysWhatIsKept(t *testing.T) {
	dir := folder(t, `[ $TARRY_EVALUATION = 2 ] && mv s.db gone.db; echo 1`)
	got := tune(t, dir, "--budget", "3")
	for _, want := range []string{"the study has kept 1 of 3 evaluations", "tarry resume s.db"} {
		if got.code != exitFailure || !strings.Contains(got.log, want) {
			t.Errorf("%q is missing: %+v", want, got)
		}
	}
}
