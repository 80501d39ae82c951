//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within fails the test when something takes too long: a file that is opened may block for ever.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s hangs", what)
	}
}

// plants are what may lie in the place of a file that is to be read.
var plants = map[string]func(path string) error{
	"a fifo":            func(path string) error { return syscall.Mkfifo(path, 0o666) },
	"a link to endless": func(path string) error { return os.Symlink("/dev/zero", path) },
	"a link to a file":  func(path string) error { return os.Symlink(os.Args[0], path) },
	"a link to nowhere": func(path string) error { return os.Symlink("nowhere", path) },
	"a folder":          func(path string) error { return os.Mkdir(path, 0o777) },
	"a file without an end": func(path string) error {
		return errors.Join(os.WriteFile(path, []byte("{"), 0o666), os.Truncate(path, 1<<40))
	},
	"a file without a byte":  func(path string) error { return os.WriteFile(path, nil, 0o666) },
	"a file without content": func(path string) error { return os.WriteFile(path, []byte("null\n"), 0o666) },
}

// Whatever a command puts in the place of a file of its folder: nobody waits for it, and its outcome is judged by what is
// there.
func TestWhatACommandPutsIntoItsFolderHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, want string }{
		{`rm "$TARRY_LOG_DIR/stdout"; mkfifo "$TARRY_LOG_DIR/stdout"; echo 1`, "stdout is no regular file"},
		{`rm "$TARRY_LOG_DIR/stdout"; ln -s /dev/zero "$TARRY_LOG_DIR/stdout"; echo 1`, "stdout is no regular file"},
		{`rm "$TARRY_LOG_DIR/stdout"; mkdir "$TARRY_LOG_DIR/stdout"; echo 1`, "stdout is no regular file"},
		{`rm "$TARRY_LOG_DIR/stderr"; mkfifo "$TARRY_LOG_DIR/stderr"; exit 3`, "exit code 3"},
		{`rm "$TARRY_LOG_DIR/lock"; mkfifo "$TARRY_LOG_DIR/lock"; kill -9 $PPID; sleep 1000`, "killed by signal 9 (killed), with the process that watches the command"},
		{`mkfifo "$TARRY_LOG_DIR/exit.json.tmp" "$TARRY_LOG_DIR/exit.json"; echo 1`, ""},
	} {
		r := shell(t, c.script)
		within(t, c.script, func() {
			_, err := r.Run(context.Background(), 1, 1, point)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("%s: %v", c.script, err)
			}
			if err := Sweep(r.Dir, nil); err != nil {
				t.Errorf("%s: %v", c.script, err)
			}
		})
	}
}

// The same holds for those who come later: whoever resumes the study, and another attempt.
func TestWhatLiesInAnOldFolderHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo 2`)
	if _, err := run(t, r); err != nil {
		t.Fatal(err)
	}
	old, attempt := attemptFolder(r.Dir, 1, 1), 2
	needed := []string{stdoutFile, parametersFile, commandFile, exitFile}
	for name, plant := range plants {
		for _, file := range append([]string{stderrFile, lockFile, stopFile}, needed...) {
			f := attemptFolder(r.Dir, 2, attempt)
			if err := os.CopyFS(string(f), os.DirFS(string(old))); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.RemoveAll(f.path(file)), plant(f.path(file))); err != nil {
				t.Fatal(err)
			}
			within(t, name+" as "+file, func() {
				if err := Sweep(r.Dir, nil); err != nil {
					t.Errorf("%s as %s: %v", name, file, err)
				}
				o, found, err := r.Unheard(2, attempt, point)
				if err != nil || (found > 0) == slices.Contains(needed, file) || found > 0 && o.Value != 2 {
					t.Errorf("%s as %s: %+v of attempt %d, %v", name, file, o, found, err)
				}
			})
			if err := os.RemoveAll(string(f)); err != nil {
				t.Fatal(err)
			}
			attempt++
		}
	}
}

// The folder itself may be anything.
func TestWhatLiesInThePlaceOfAFolderHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	for name, plant := range plants {
		r := shell(t, `echo 2`)
		path := filepath.Dir(r.in(1, stdoutFile))
		if err := errors.Join(os.MkdirAll(r.Dir, 0o777), plant(path)); err != nil {
			t.Fatal(err)
		}
		within(t, name, func() {
			if err := Sweep(r.Dir, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if o, err := run(t, r); err != nil || o.Value != 2 {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
		})
	}
}
