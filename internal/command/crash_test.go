//go:build linux || darwin

package command

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// parent is a process that runs the first attempt.
type parent struct {
	t   *testing.T
	cmd *exec.Cmd
}

func startParent(t *testing.T, r *Runner, script string) *parent {
	t.Helper()
	cmd := exec.Command(os.Args[0], "__runner", r.Dir, script)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "GOGC=1") // what must not be collected would be
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &parent{t, cmd}
}

// kill kills the process with SIGKILL, and it alone.
func (p *parent) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait() // the signal
}

// endShim kills the shim of the first attempt with SIGKILL, and it alone.
func endShim(t *testing.T, r *Runner) {
	t.Helper()
	var lock lockRecord
	if err := readJSON(r.in(1, lockFile), &lock); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(lock.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the shim has died", func() bool { return !living(lock.PID) })
}

// sweep sweeps and returns what was reported.
func sweep(t *testing.T, dir string) map[string]int {
	t.Helper()
	reported := map[string]int{}
	if err := Sweep(dir, func(attempt string, pid int) { reported[attempt] = pid }); err != nil {
		t.Error(err)
	}
	return reported
}

func TestSweepKillsWhatADeadProcessLeft(t *testing.T) {
	t.Parallel()
	script := `echo $$ > child; sh -c 'trap "" TERM; echo $$ > grandchild; ` + forever + `' & ` + forever
	r := shell(t, script)
	p := startParent(t, r, script)
	child, grandchild := readPID(t, r.file("child")), readPID(t, r.file("grandchild"))
	p.kill()
	if !living(child) || !living(grandchild) {
		t.Fatal("the command died with the process")
	}
	reported := sweep(t, r.Dir)
	if group, err := syscall.Getpgid(child); len(reported) != 1 || err == nil && reported["000001.1"] != group {
		t.Errorf("reported %v", reported)
	}
	mustBeGone(t, child, "the command")
	mustBeGone(t, grandchild, "its child")
	if reported := sweep(t, r.Dir); len(reported) != 0 {
		t.Errorf("reported again %v", reported)
	}
}

func TestACommandThatEndedUnheardIsAdopted(t *testing.T) {
	t.Parallel()
	script := `echo $$ > child; while [ ! -e go ]; do sleep 0.02; done; echo run >> runs.txt; echo 0.5`
	r := shell(t, script)
	p := startParent(t, r, script)
	readPID(t, r.file("child"))
	p.kill()
	write(t, r.file("go"), "")
	eventually(t, "the command has ended", func() bool { return exists(r.in(1, exitFile)) })
	sweep(t, r.Dir)
	for _, attempt := range []int{2, 1} {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // a measurement is not thrown away
		if o, err := r.Run(ended, 1, attempt, point); err != nil || o.Value != 0.5 || !o.Adopted {
			t.Errorf("attempt %d: %+v, %v", attempt, o, err)
		}
	}
	if runs, err := os.ReadFile(r.file("runs.txt")); string(runs) != "run\n" || err != nil || exists(r.in(2, "")) {
		t.Errorf("it ran again: %q, %v", runs, err)
	}
}

func TestOnlyTheSameValuesAndTemplateAreAdopted(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo run >> runs.txt; echo $TARRY_LR`)
	if _, err := run(t, r); err != nil {
		t.Fatal(err)
	}
	other := shell(t, `echo run >> runs.txt; echo $TARRY_LR # another`)
	other.Dir, other.WorkDir = r.Dir, r.WorkDir
	for _, c := range []struct {
		r                   *Runner
		evaluation, attempt int
		lr                  float64
		adopted             bool
		aside               string
	}{
		{r, 1, 2, 0.010000000000000002, false, ""},
		{r, 1, 3, 0.01, true, ""},
		{r, 2, 1, 0.01, false, ""},
		{other, 1, 4, 0.01, false, ""},
		{other, 1, 5, 0.01, true, ""},
		{other, 1, 1, 0.02, false, "000001.1.old"},
		{r, 1, 1, 0.03, false, "000001.1.old2"},
		{r, 1, 1, 0.03, true, "000001.1.old2"},
	} {
		o, err := c.r.Run(context.Background(), c.evaluation, c.attempt, []float64{c.lr, 3, 1})
		if err != nil || o.Value != c.lr || o.Adopted != c.adopted {
			t.Errorf("%+v: %+v, %v", c, o, err)
		}
		if c.aside != "" && !exists(filepath.Join(r.Dir, c.aside)) {
			t.Errorf("%+v: it is not aside", c)
		}
	}
	if exists(filepath.Join(r.Dir, "000001.1.old3")) {
		t.Error("an adopted folder was put aside")
	}
	if runs, err := os.ReadFile(r.file("runs.txt")); strings.Count(string(runs), "run") != 6 {
		t.Errorf("%q, %v", runs, err)
	}
}

func TestFailuresAreNotAdopted(t *testing.T) {
	t.Parallel()
	r := shell(t, `test $TARRY_ATTEMPT -lt 3 && exit 75; echo $TARRY_ATTEMPT`)
	for attempt, want := range []float64{1: 0, 2: 0, 3: 3, 4: 3} {
		if attempt == 0 {
			continue
		}
		o, err := r.Run(context.Background(), 1, attempt, point)
		if o.Value != want || (err == nil) != (want > 0) || o.Adopted != (attempt == 4) {
			t.Errorf("attempt %d: %+v, %v", attempt, o, err)
		}
	}
}

func TestTheSameAttemptStillRunningMakesRoom(t *testing.T) {
	t.Parallel()
	// The first run says at its end that it is the first; the second one ends at once.
	script := `test -e child && echo 2 && exit 0; trap 'exit 3' TERM; echo $$ > child; ` + forever
	r := shell(t, script)
	r.Grace = patience
	p := startParent(t, r, script)
	child := readPID(t, r.file("child"))
	p.kill()
	if o, err := run(t, r); err != nil || o.Value != 2 || o.Adopted {
		t.Errorf("%+v, %v", o, err)
	}
	mustBeGone(t, child, "the first run")
	if !exists(filepath.Join(r.Dir, "000001.1.old", exitFile)) {
		t.Error("the folder of the first run is not aside")
	}
}

func TestAProcessMayDieAtAnyMoment(t *testing.T) {
	t.Parallel()
	script := `echo $$ > child$TARRY_ATTEMPT; sleep 0.1; echo 0.5`
	for _, moment := range []string{"", lockFile, stderrFile, commandFile, "/child1", exitFile} {
		r := shell(t, script)
		p := startParent(t, r, script)
		path := r.in(1, moment)
		if strings.HasPrefix(moment, "/") {
			path = r.file(moment)
		}
		eventually(t, path+" is there", func() bool { return exists(path) })
		p.kill()
		sweep(t, r.Dir)
		if attemptFolder(r.Dir, 1, 1).held() {
			t.Errorf("killed at %q: the lock is still held", moment)
		}
		o, err := run(t, r)
		if err != nil || o.Value != 0.5 {
			t.Errorf("killed at %q: %+v, %v", moment, o, err)
		}
		if exists(r.file("child1")) {
			mustBeGone(t, readPID(t, r.file("child1")), "the command killed at "+moment)
		}
	}
}
