//go:build linux || darwin

package command

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"
)

// A command that has ended in time is judged by that, whoever holds its output until the time is up.
func TestACommandThatEndedInTimeIsNotStopped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   Report
		failed *Error // without Report
	}{
		{script: "exit 75", failed: &Error{Kind: Lost, Code: 75, Reason: "exit code 75"}},
		{script: "exit 3", failed: &Error{Kind: Failed, Code: 3, Reason: "exit code 3"}},
		{script: "exit 0", failed: &Error{Kind: Failed,
			Reason: `exit code 0 but no value: the last line of standard output must be a number or a JSON object with "value"; the output was empty`}},
		{script: "exit 137", failed: &Error{Kind: Failed, Code: 137, Reason: "exit code 137"}},
		{script: "echo 0.5; exit 0", want: value(0.5)},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			r := shell(t, "sleep 33 & echo $$ > child; "+c.script)
			ctx, end := untilEnded(t, r)
			defer end()
			o, err := r.Run(ctx, 1, 1, point)
			if c.failed == nil {
				if err != nil || !reflect.DeepEqual(o, c.want) {
					t.Errorf("%+v, %v; want %+v", o, err, c.want)
				}
				return
			}
			e := *failure(t, err)
			e.cause = nil
			if e != *c.failed || !reflect.DeepEqual(o, Report{}) {
				t.Errorf("%+v and %+v, want %+v", o, e, *c.failed)
			}
		})
	}
}

// untilEnded is a context whose time is up a little after a script has ended that says its number, while its output is held.
func untilEnded(t *testing.T, r *Runner) (ctx context.Context, end func()) {
	cancellable, cancel := context.WithCancelCause(context.Background())
	var gone sync.WaitGroup
	gone.Go(func() {
		pid := readPID(t, r.file("child"))
		poll(patience, func() bool { return !living(pid) })
		time.Sleep(300 * time.Millisecond)
		cancel(context.DeadlineExceeded)
	})
	return due{cancellable, time.Now().Add(time.Hour)}, gone.Wait
}

func TestWhoHoldsAnOutputIsWaitedForWithinTheTime(t *testing.T) {
	for _, c := range []struct{ left, least, most time.Duration }{
		{time.Hour, echoPatience, echoPatience},
		{900 * time.Millisecond, 500 * time.Millisecond, 650 * time.Millisecond},
		{200 * time.Millisecond, leastEcho, leastEcho},
		{-time.Hour, leastEcho, leastEcho},
	} {
		if got := echoes(time.Now().Add(c.left).UnixMilli()); got < c.least || got > c.most {
			t.Errorf("%v before the time is up: %v", c.left, got)
		}
	}
	if got := echoes(0); got != echoPatience {
		t.Errorf("without a limit: %v", got)
	}
}
