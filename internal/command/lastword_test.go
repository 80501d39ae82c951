//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
)

// What a command has said when it is ended from here counts, if it has said it in full; unless it has an answer of its own
// to being ended. Ended from here means that its time was up.
func TestTheLastWordOfACommandThatIsEnded(t *testing.T) {
	t.Parallel()
	const killed, terminated = "stopped: too slow (killed by signal 9 (killed))", "stopped: too slow (killed by signal 15 (terminated))"
	for _, c := range []struct {
		name, script string
		want         Report
		failed       string // without Report
	}{
		{name: "hangs behind the value", script: `echo 0.5; begun; exec sleep 1000`, want: value(0.5)},
		{name: "ignores the request", script: `trap '' TERM; echo 0.5; begun; ` + forever, want: value(0.5)},
		{name: "an object, and more", script: `echo '{"value":2,"cost":3}'; echo cleaning up; begun; exec sleep 1000`, want: Report{Outcome: outcome.Outcome{Value: 2, Cost: 3}, HasValue: true}},
		{name: "infeasible", script: `echo '{"infeasible":true}'; begun; exec sleep 1000`, want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: saysInfeasible}},
		{name: "a shell whose child was ended", script: `trap 'exit 143' TERM; echo 0.5; begun; ` + forever, want: value(0.5)},
		{name: "a value in answer", script: `trap 'echo 0.75; exit 143' TERM; echo 0.5; begun; ` + forever, want: value(0.75)},
		{name: "half a line", script: `printf 0.5; begun; exec sleep 1000`, failed: terminated},
		{name: "half a line behind a whole one", script: `echo 0.5; printf 0.7; begun; exec sleep 1000`, want: value(0.5)},
		{name: "no value", script: `echo loss 0.5; begun; exec sleep 1000`, failed: terminated},
		{name: "not finite", script: `echo 0.5; echo nan; begun; exec sleep 1000`, failed: terminated},
		{name: "nothing", script: `trap '' TERM; begun; ` + forever, failed: killed},
		{name: "another code", script: `trap 'exit 3' TERM; echo 0.5; begun; ` + forever, failed: "stopped: too slow (exit code 3 in spite of the value 0.5)"},
		{name: "preempted", script: `trap 'exit 75' TERM; echo 0.5; begun; ` + forever, failed: "stopped: too slow (exit code 75)"},
		{name: "the code of an infeasible point", script: `trap 'exit 65' TERM; echo 0.5; begun; ` + forever, want: Report{Outcome: outcome.Outcome{Value: 0.5, Infeasible: true}, HasValue: true, Reason: "exit code 65"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := shell(t, `exec 2> /dev/null; begun() { echo $$ > child; }; `+c.script)
			r.Grace *= 4
			o, err := stoppedAt(t, r, time.Now(), "child")
			adopted, attempt, again := r.Unheard(1, 2, point) // by whoever looks later
			if c.failed == "" {
				if err != nil || !reflect.DeepEqual(o, c.want) {
					t.Errorf("%+v, %v; want %+v", o, err, c.want)
				}
				c.want.Adopted = true
				if again != nil || attempt != 1 || !reflect.DeepEqual(adopted, c.want) {
					t.Errorf("later %d, %+v, %v; want %+v", attempt, adopted, again, c.want)
				}
				return
			}
			if e := failure(t, err); e.Reason != c.failed || !errors.Is(e, errTooSlow) || !reflect.DeepEqual(o, Report{}) {
				t.Errorf("%+v and %+v, want %s", o, e, c.failed)
			}
			if attempt != 0 || again != nil {
				t.Errorf("later %d, %+v, %v", attempt, adopted, again)
			}
		})
	}
}

// A command that is ended before its time, with the process that waits for it or after that was killed, runs again: what it has
// said by then may be a value on the way.
func TestACommandThatIsEndedBeforeItsTimeRunsAgain(t *testing.T) {
	t.Parallel()
	r := shell(t, `test $TARRY_ATTEMPT = 2 && echo 2 && exit; echo 0.5; echo $$ > child; `+forever)
	if _, err := stopped(t, r, "child"); failure(t, err).Reason != "stopped: too slow (killed by signal 15 (terminated))" {
		t.Error(err)
	}
	if o, err := r.Run(context.Background(), 1, 2, point); err != nil || o.Value != 2 || o.Adopted {
		t.Errorf("%+v, %v", o, err)
	}
	for _, shimless := range []bool{false, true} {
		script := `test $TARRY_ATTEMPT = 2 && echo 2 && exit; echo 0.5; echo $$ > child; ` + forever
		r := shell(t, script)
		p := startParent(t, r, script)
		child := readPID(t, r.file("child"))
		p.kill()
		if shimless {
			endShim(t, r)
		}
		sweep(t, r.Dir)
		mustBeGone(t, child, "the command")
		if exists(r.in(1, exitFile)) == shimless {
			t.Fatalf("exit.json: %v", !shimless)
		}
		if o, err := r.Run(context.Background(), 1, 2, point); err != nil || o.Value != 2 || o.Adopted {
			t.Errorf("without its shim %v: %+v, %v", shimless, o, err)
		}
	}
}

// Whoever ends a command may say that its time is up, whatever the clock of this process says.
func TestWhoEndsACommandMaySayThatItsTimeIsUp(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo 0.5; echo $$ > child; `+forever)
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		readPID(t, r.file("child"))
		cancel(fmt.Errorf("over there: %w", context.DeadlineExceeded))
	}()
	if o, err := r.Run(due{ctx, time.Now().Add(time.Hour)}, 1, 1, point); err != nil || !reflect.DeepEqual(o, value(0.5)) {
		t.Errorf("%+v, %v", o, err)
	}
}

// A command that crashes before it is ended has crashed.
func TestACrashIsNotMistakenForAnEndFromHere(t *testing.T) {
	t.Parallel()
	r := shell(t, `test $TARRY_ATTEMPT = 2 && echo 2 && exit; echo 0.5; kill -9 $$`)
	if _, err := run(t, r); failure(t, err).Signal != "9 (killed)" {
		t.Error(err)
	}
	f := attemptFolder(r.Dir, 1, 1)
	f.stop(errTooSlow)
	if exists(f.path(stopFile)) {
		t.Error("it is noted that it was ended")
	}
	if o, err := r.Run(context.Background(), 1, 2, point); err != nil || o.Value != 2 || o.Adopted {
		t.Errorf("%+v, %v", o, err)
	}
	if err := os.Remove(f.path(exitFile)); err != nil { // as when the machine went down
		t.Fatal(err)
	}
	if o, err := r.Run(context.Background(), 1, 3, point); err != nil || o.Value != 2 {
		t.Errorf("%+v, %v", o, err)
	}
}
