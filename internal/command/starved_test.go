//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestWantOfDescriptorsIsNotTheFaultOfTheCommand(t *testing.T) {
	t.Parallel()
	const script = "echo 0.5"
	var work sync.WaitGroup
	var mutex sync.Mutex
	ends := map[string]bool{}
	for n := 5; n <= 20; n++ { // where C is linked its loader needs one
		r := shell(t, script)
		r.Shim = []string{"sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, n), os.Args[0], "__run"}
		work.Go(func() { // in the shim
			o, err := r.Run(context.Background(), 1, 1, point)
			if err == nil && o.Value != 0.5 || err != nil && (failure(t, err).Kind != NotStarted || !strings.Contains(err.Error(), "too many open files")) {
				t.Errorf("shim with %d: %+v, %v", n, o, err)
			}
			mutex.Lock()
			defer mutex.Unlock()
			ends[fmt.Sprint("shim ", err == nil)] = true
		})
		s := shell(t, script)
		work.Go(func() { // in the process itself
			out, err := exec.Command(os.Args[0], "__starved", s.Dir, script, strconv.Itoa(n-5)).CombinedOutput()
			end := strings.TrimSpace(string(out))
			if err != nil || end != "0.5 <nil>" && (!strings.HasPrefix(end, "not started: ") || !strings.Contains(end, "too many open files")) {
				t.Errorf("process with %d: %s, %v", n, out, err)
			}
			mutex.Lock()
			defer mutex.Unlock()
			ends[fmt.Sprint("process ", end == "0.5 <nil>")] = true
		})
	}
	work.Wait()
	if len(ends) != 4 {
		t.Errorf("not all was seen: %v", ends)
	}
}

func TestOnlyWhatPassesIsTriedAgain(t *testing.T) {
	t.Parallel()
	tries := 0
	err := patiently(func() error {
		if tries++; tries < 3 {
			return &os.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}
		}
		return os.ErrNotExist
	})
	if tries != 3 || !errors.Is(err, os.ErrNotExist) || onlyExhausted(err) != nil || onlyExhausted(nil) != nil {
		t.Errorf("%d tries, %v", tries, err)
	}
}

func TestTheMachineIsNamedWhereItIsInTheWay(t *testing.T) {
	t.Parallel()
	busy := shell(t, "")
	copyProgram := busy.file("busy")
	write(t, copyProgram, "#!/bin/sh\necho 1\n")
	if err := os.Chmod(copyProgram, 0o777); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(copyProgram, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if busy.Template, err = ParseTemplate([]string{copyProgram}, busy.Space); err != nil {
		t.Fatal(err)
	}
	file := shell(t, "echo 1")
	write(t, file.file("plain"), "")
	file.WorkDir = file.file("plain")
	deep := shell(t, "echo 1")
	long := filepath.Join("/", strings.Repeat(strings.Repeat("d", 200)+"/", 5), "program")
	if deep.Template, err = ParseTemplate([]string{long}, deep.Space); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r           *Runner
		path, cause string
	}{
		{busy, copyProgram, "text file busy"},
		{file, file.WorkDir, "not a directory"},
		{deep, long, "no such file or directory"}, // in full
	} {
		_, err := run(t, c.r)
		if e := failure(t, err); e.Kind != NotStarted || !strings.Contains(e.Reason, c.path) || !strings.HasSuffix(e.Reason, c.cause) {
			t.Errorf("%+v; want %s: %s", e, c.path, c.cause)
		}
	}
}
