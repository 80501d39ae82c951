//go:build linux || darwin

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

func TestTheEndOfACommandIsItsOutcome(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         Report
		failed       *Error // without Report
	}{
		{name: "value", script: "echo 0.5", want: value(0.5)},
		{name: "object", script: `echo '{"value":0.5,"constraints":[1]}'; echo done`, want: Report{Outcome: outcome.Outcome{Value: 0.5, Constraints: []float64{1}, Infeasible: true}, HasValue: true, Reason: "constraint 1 is 1"}},
		{name: "infeasible in the output", script: `echo '{"infeasible":true}'`, want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: saysInfeasible}},
		{name: "code 65", script: "exit 65", want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: "exit code 65"}},
		{name: "code 65 with a message", script: "echo 'too  thin' >&2; exit 65", want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: "exit code 65: too  thin"}},
		{name: "code 65 with a long message", script: "head -c 999 /dev/zero | tr '\\0' x >&2; exit 65",
			want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: "exit code 65: " + strings.Repeat("x", maxShown-3) + "…"}},
		{name: "code 65 with a value", script: `echo '{"value":2,"cost":3}'; exit 65`, want: Report{Outcome: outcome.Outcome{Value: 2, Cost: 3, Infeasible: true}, HasValue: true, Reason: "exit code 65"}},
		{name: "code 65 with nan", script: "echo nan; exit 65", want: Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: "exit code 65"}},
		{name: "bytes that are no text", script: `printf '\377\376\n0.25\r\n\377'`, want: value(0.25)},
		{name: "input is empty", script: "cat; echo 1", want: value(1)},
		{name: "closed after the value", script: "echo 2; exec >&- 2>&-; exit 0", want: value(2)},
		{name: "truncated by itself", script: "echo abc; echo > /dev/stdout; echo 3", want: value(3)},
		{name: "code 75", script: "exit 75", failed: &Error{Kind: Lost, Code: 75, Reason: "exit code 75"}},
		{name: "code 75 with a message", script: "echo preempted by root >&2; exit 75", failed: &Error{Kind: Lost, Code: 75, Reason: "exit code 75: preempted by root"}},
		{name: "code 1", script: "exit 1", failed: &Error{Kind: Failed, Code: 1, Reason: "exit code 1"}},
		{name: "code 3 with a message", script: "echo first >&2; echo ' out of  memory ' >&2; echo >&2; exit 3",
			failed: &Error{Kind: Failed, Code: 3, Reason: "exit code 3: out of  memory"}},
		{name: "code 1 with a value", script: "echo 0.5; printf '10%%\\r99%%\\r\\n' >&2; exit 1",
			failed: &Error{Kind: Failed, Code: 1, Reason: "exit code 1 in spite of the value 0.5: 99%"}},
		{name: "no value", script: "echo loss 0.5", failed: &Error{Kind: Failed,
			Reason: `exit code 0 but no value: the last line of standard output must be a number or a JSON object with "value"; it was "loss 0.5"`}},
		{name: "closed output", script: "exec >&-; exit 0", failed: &Error{Kind: Failed,
			Reason: `exit code 0 but no value: the last line of standard output must be a number or a JSON object with "value"; the output was empty`}},
		{name: "not finite", script: `echo '{"value":NaN,"cost":-1}'`, failed: &Error{Kind: Failed,
			Reason: `exit code 0 but "cost" = -1: want a finite number ≥ 0; "value" = "NaN": want a finite number`}},
		{name: "signal 9", script: "echo 0.5; kill -9 $$", failed: &Error{Kind: Failed, Signal: "9 (killed)", Reason: "killed by signal 9 (killed)"}},
		{name: "signal 15", script: "kill -TERM $$", failed: &Error{Kind: Failed, Signal: "15 (terminated)", Reason: "killed by signal 15 (terminated)"}},
		{name: "the group gets a signal", script: "trap 'echo 4; exit 0' TERM; kill -TERM 0; exit 1", want: value(4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := shell(t, c.script)
			o, err := run(t, r)
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

func TestCodesCanBeChosen(t *testing.T) {
	t.Parallel()
	r := shell(t, `exit $((TARRY_EVALUATION))`)
	r.InfeasibleCode, r.LostCode = 7, -1
	if o, err := r.Run(context.Background(), 7, 1, point); err != nil || !o.Infeasible {
		t.Errorf("code 7: %+v, %v", o, err)
	}
	for _, code := range []int{65, 75} {
		if _, err := r.Run(context.Background(), code, 1, point); failure(t, err).Kind != Failed {
			t.Errorf("code %d: %v", code, err)
		}
	}
}

func TestACommandThatCannotBeStartedSaysWhy(t *testing.T) {
	r := shell(t, "")
	write(t, r.file("plain"), "#!/bin/sh\n")
	write(t, r.file("script"), "echo 1\n")
	write(t, r.file("orphaned"), "#!/no/such/interpreter\n")
	for _, name := range []string{"script", "orphaned"} {
		if err := os.Chmod(r.file(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct{ program, want string }{
		{"no-such-program-anywhere", "executable file not found in $PATH"},
		{"./missing", "./missing: no such file or directory"},
		{"./plain", "./plain: permission denied"},
		{"./script", "./script: exec format error (a script must begin with #! and its interpreter)"},
		{"/", "is a directory"},
		{"./orphaned", "./orphaned: no such file or directory (the file is there; the interpreter that it names is not)"},
	} {
		var err error
		if r.Template, err = ParseTemplate([]string{c.program, "{lr}"}, r.Space); err != nil {
			t.Fatal(err)
		}
		_, err = r.Run(context.Background(), 1, i+1, point)
		if e := failure(t, err); e.Kind != NotStarted || !strings.HasPrefix(e.Reason, "not started: ") || !strings.HasSuffix(e.Reason, c.want) {
			t.Errorf("%s: %v", c.program, e)
		}
	}
	r = shell(t, "echo 1")
	r.WorkDir = r.file("nowhere")
	_, err := r.Run(context.Background(), 2, 1, point)
	if e := failure(t, err); e.Kind != NotStarted || !strings.Contains(e.Reason, r.WorkDir) {
		t.Errorf("without a working directory: %v", e)
	}
}

func TestAShimThatIsNoneIsNotStarted(t *testing.T) {
	r := shell(t, "echo 1")
	for i, shim := range [][]string{{"./no-such-shim"}, {"sh", "-c", "echo unknown command >&2; exit 1"}} {
		r.Shim = shim
		_, err := r.Run(context.Background(), 1, i+1, point)
		if e := failure(t, err); e.Kind != NotStarted {
			t.Errorf("%q: %+v", shim, e)
		}
	}
	if code := Shim([]string{"--", "folder"}); code != exitUsage {
		t.Errorf("a shim without a command returned %d", code)
	}
}

func TestAFolderThatCannotBeMadeIsNamed(t *testing.T) {
	r := shell(t, "echo 1")
	write(t, r.file("file"), "")
	readOnly := r.file("locked")
	if os.Geteuid() == 0 && runtime.GOOS == "linux" {
		readOnly = "/sys/kernel" // root may write wherever anybody may
	} else if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{r.file("file/runs"), r.file("file"), filepath.Join(readOnly, "runs"), readOnly} {
		r.Dir = dir
		_, err := r.Run(context.Background(), 1, 1, point)
		if e := failure(t, err); e.Kind != NotStarted || !strings.Contains(e.Reason, strings.TrimSuffix(dir, "file/runs")) || e.Unwrap() == nil {
			t.Errorf("%s: %+v", dir, e)
		}
	}
}

func TestAnEndThatCannotBeRecordedIsAFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, want string }{
		{`mkdir "$TARRY_LOG_DIR/exit.json"; echo 0.5`, "it is not known how the command ended: rename "},
		{`rm -r "$TARRY_LOG_DIR"; echo 0.5`, "it is not known how the command ended"},
	} {
		r := shell(t, c.script)
		_, err := run(t, r)
		if e := failure(t, err); e.Kind != Failed || e.Signal != "" || !strings.HasPrefix(e.Reason, c.want) {
			t.Errorf("%s: %+v", c.script, e)
		}
	}
}

func TestWrongRunnersAreRefused(t *testing.T) {
	_, err := (&Runner{Grace: -1, LostCode: 256, InfeasibleCode: -2}).Run(context.Background(), 1, 1, nil)
	e := failure(t, err)
	_, err2 := (&Runner{InfeasibleCode: defaultLost}).Run(context.Background(), 1, 1, nil)
	if e := failure(t, err2); !strings.Contains(e.Reason, "Runner.InfeasibleCode = 75: want a code other than Runner.LostCode") {
		t.Errorf("equal codes: %v", e)
	}
	for _, want := range []string{"Runner.Template", "Runner.Dir", "Runner.Shim", "Runner.Grace = -1ns", "Runner.InfeasibleCode = -2", "Runner.LostCode = 256"} {
		if e.Kind != NotStarted || !errors.Is(e, check.ErrInvalidOption) || !strings.Contains(e.Reason, want) {
			t.Errorf("%s is missing in %+v", want, e)
		}
	}
	r := shell(t, "echo 1")
	_, err = r.Run(context.Background(), 1, 1, []float64{0.01, 3, 2})
	if e := failure(t, err); e.Kind != NotStarted || !strings.Contains(e.Reason, "kind = 2: want ") {
		t.Errorf("a choice that does not exist: %v", e)
	}
	if exists(r.Dir) {
		t.Error("a folder was made for it")
	}
}

func TestTheCommandFindsItsValues(t *testing.T) {
	t.Parallel()
	r := shell(t, `
		test "$PWD" = "`+"$(dirname $(dirname $TARRY_LOG_DIR))"+`" || exit 9
		echo "$TARRY_LR,$TARRY_LAYERS,$TARRY_KIND,$TARRY_EVALUATION,$TARRY_ATTEMPT"
		cat "$TARRY_PARAMETERS"
		echo '{"value":1}'`)
	if o, err := r.Run(context.Background(), 17, 2, point); err != nil || o.Value != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	f := attemptFolder(r.Dir, 17, 2)
	out, err := os.ReadFile(f.path(stdoutFile))
	if want := "0.01,3,sgd,17,2\n{\"lr\":0.01,\"layers\":3,\"kind\":\"sgd\"}\n{\"value\":1}\n"; err != nil || string(out) != want {
		t.Errorf("printed %q, %v; want %q", out, err, want)
	}
	entries, err := os.ReadDir(string(f))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"command.json", "exit.json", "lock", "parameters.json", "stderr", "stdout"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("files %q, %v", names, err)
	}
	var command struct {
		Args    []string
		WorkDir string
	}
	data, err := os.ReadFile(f.path(commandFile))
	if err := errors.Join(err, json.Unmarshal(data, &command)); err != nil || command.Args[0] != "sh" || command.WorkDir != r.WorkDir {
		t.Errorf("%s, %v", data, err)
	}
}

func TestArgumentsArriveByteForByte(t *testing.T) {
	t.Parallel()
	r := shell(t, "")
	var err error
	if r.Template, err = ParseTemplate([]string{"sh", "-c", `printf '%s|' "$@"; echo; echo 1`, "--", "--lr", "{lr}", "\xff", "", "a\nb", "--"}, r.Space); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, r); err != nil {
		t.Fatal(err)
	}
	if out, err := os.ReadFile(r.in(1, stdoutFile)); err != nil || string(out) != "--lr|0.01|\xff||a\nb|--|\n1\n" {
		t.Errorf("arrived as %q, %v", out, err)
	}
}

func TestAHundredMegabytesOfOutputDoNoHarm(t *testing.T) {
	t.Parallel()
	r := shell(t, `head -c 100000000 /dev/zero; echo; echo 0.5`)
	r.MaxOutput = 0
	if o, err := run(t, r); err != nil || o.Value != 0.5 {
		t.Errorf("%+v, %v", o, err)
	}
	if info, err := os.Stat(r.in(1, stdoutFile)); err != nil || info.Size() != 100000005 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestAttemptsRunSideBySide(t *testing.T) {
	t.Parallel()
	// Each waits for all others: they end only if they run at the same time.
	const n = 12
	r := shell(t, fmt.Sprintf(`touch here$TARRY_EVALUATION; while [ $(ls here* | wc -l) -lt %d ]; do sleep 0.02; done; echo $TARRY_EVALUATION`, n))
	var work sync.WaitGroup
	for i := 1; i <= n; i++ {
		work.Go(func() {
			if o, err := r.Run(context.Background(), i, 1, point); err != nil || o.Value != float64(i) {
				t.Errorf("%d: %+v, %v", i, o, err)
			}
		})
	}
	work.Wait()
}
