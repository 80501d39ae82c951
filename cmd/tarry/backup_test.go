package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copied copies the bytes of a file.
func copied(t *testing.T, to, from string) {
	t.Helper()
	b, err := os.ReadFile(from)
	must(t, err)
	must(t, os.WriteFile(to, b, 0o600))
}

// A study that another process is writing is backed up whole. Its file alone, copied like any other, is refused by every
// command, each of which says what is missing, and what is in it can be salvaged.
func TestAStudyThatGoesOnIsBackedUp(t *testing.T) {
	dir := folder(t, "")
	cmd := program(t, dir, "asktell", "--space", "space.yaml", "--study", "s.db", "--policy", "random")
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	lines := bufio.NewReader(out)
	tell := func(from, to int) {
		t.Helper()
		for id := from; id <= to; id++ {
			for _, request := range []string{`{"op":"ask"}`, fmt.Sprintf(`{"op":"tell","id":%d,"value":%d}`, id, id)} {
				fmt.Fprintln(in, request)
				if line, err := lines.ReadString('\n'); err != nil || strings.Contains(line, "error") {
					t.Fatalf("%s: %s, %v", request, line, err)
				}
			}
		}
	}
	tell(1, 100)
	got := callIn(t, dir, "", "backup", "s.db", "copy.db")
	if got.code != exitOK || !strings.HasPrefix(got.out, "copy.db: ") || !strings.Contains(got.out, " events of s.db, every checksum agrees") {
		t.Errorf("%+v", got)
	}
	copied(t, filepath.Join(dir, "alone.db"), filepath.Join(dir, "s.db"))
	tell(101, 110)
	if got := callIn(t, dir, "", "inspect", "copy.db"); got.code != exitOK || !strings.Contains(got.out, "100 observed") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, `{"op":"ask"}`, "asktell", "--study", "copy.db"); got.code != exitOK || !strings.Contains(got.out, `"id":101`) {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "backup", "s.db", "copy.db"); got.code != exitUsage || !strings.Contains(got.log, "copy.db is there already") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"verify", "alone.db"}, {"inspect", "alone.db"}, {"asktell", "--study", "alone.db"}, {"resume", "alone.db"}, {"backup", "alone.db", "b.db"}} {
		got := callIn(t, dir, "", args...)
		if got.code != exitFailure || !strings.Contains(got.log, "alone.db-wal is missing") || !strings.Contains(got.log, "tarry backup --salvage alone.db COPY") {
			t.Errorf("%q: %+v", args, got)
		}
	}
	got = callIn(t, dir, "", "backup", "--salvage", "alone.db", "rest.db")
	if got.code != exitOK || !strings.HasPrefix(got.out, "rest.db: ") || !strings.HasPrefix(got.log, "tarry: left behind: ") || strings.Contains(got.log, "--salvage") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "verify", "rest.db"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	must(t, in.Close())
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "110 observed") {
		t.Errorf("%+v", got)
	}
}

// A bit that is not as it was written is complained of once, with the event that it is in and the file that somebody knows.
func TestDamageIsComplainedOfOnce(t *testing.T) {
	dir := folder(t, "")
	must(t, os.WriteFile(filepath.Join(dir, "in"), []byte(strings.Repeat(`{"op":"ask"}`+"\n", 4)+`{"op":"fail","id":2,"reason":"out of tea"}`+"\n"), 0o600))
	session := program(t, dir, "asktell", "--space", "space.yaml", "--study", "s.db", "--policy", "random", "--pending", "9")
	in, err := os.Open(filepath.Join(dir, "in"))
	must(t, err)
	defer in.Close()
	session.Stdin = in
	must(t, session.Run())
	file := filepath.Join(dir, "s.db")
	whole, err := os.ReadFile(file)
	must(t, err)
	at := bytes.Index(whole, []byte("out of tea"))
	whole[at+7] ^= 1
	must(t, os.WriteFile(file, whole, 0o600))
	for _, args := range [][]string{{"verify", "s.db"}, {"backup", "s.db", "copy.db"}} {
		got := callIn(t, dir, "", args...)
		if got.code != exitFailure || strings.Count(got.log, "s.db: event ") != 1 || strings.Count(got.log, "its checksum is wrong") != 1 || strings.Contains(got.log, ".new") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// What happens to the files of a session behind its last event is said when it ends.
func TestASessionEndsWithWhatBecameOfItsFiles(t *testing.T) {
	dir := folder(t, "")
	cmd := program(t, dir, "asktell", "--space", "space.yaml", "--study", "s.db", "--policy", "random")
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	var log bytes.Buffer
	cmd.Stderr = &log
	must(t, cmd.Start())
	lines := bufio.NewReader(out)
	for range 5 {
		fmt.Fprintln(in, `{"op":"ask"}`)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	must(t, os.Truncate(filepath.Join(dir, "s.db-wal"), 5000))
	must(t, in.Close())
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitFailure || !strings.Contains(log.String(), "missing at the end of s.db-wal") {
		t.Errorf("%v: %s", err, &log)
	}
}
