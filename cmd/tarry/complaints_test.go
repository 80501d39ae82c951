package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// What users of other tools complain about most, by its symptom. None of it may ever happen here.

// killedWith starts the program, waits until so many evaluations have begun, kills it, and returns what its journal says.
func killedWith(t *testing.T, dir string, begun int, args ...string) *loop.Loop {
	t.Helper()
	cmd := program(t, dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < begun; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "begun"))
		n = strings.Count(string(text), "x")
	}
	cmd.Process.Kill()
	cmd.Wait()
	store, err := sqlite.Read(filepath.Join(dir, "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Symptom: the process is killed, its trials stay running for ever, and the budget counts them.
func TestComplaintTrialsOfAKilledProcessStayRunningForEver(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, "echo x >> begun; sleep 1; echo $2")
	l := killedWith(t, dir, 4, "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "5", "--workers", "4", "--", "./train.sh", "{lr}", "{layers}")
	if l.Pending() < 4 {
		t.Fatalf("%d pending when it was killed", l.Pending())
	}
	got := callIn(t, dir, "", "resume", "s.db", "--workers", "2")
	if got.code != exitOK || !strings.Contains(got.out, "5 evaluations") || !strings.Contains(got.out, "5 observed") {
		t.Errorf("%+v", got)
	}
}

// Symptom: a lock that its owner left behind makes the resume sleep for ever; a line that was cut off makes loading fail.
func TestComplaintAStaleLockOrATornRecordStopsTheResume(t *testing.T) {
	dir := folder(t, "echo x >> begun; sleep 0.2; echo $2")
	killedWith(t, dir, 5, "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "8", "--workers", "2", "--", "./train.sh", "{lr}", "{layers}")
	if _, err := os.Stat(filepath.Join(dir, "s.db.lock")); err != nil {
		t.Fatalf("no lock was left behind: %v", err)
	}
	wal := filepath.Join(dir, "s.db-wal")
	if info, err := os.Stat(wal); err == nil && info.Size() > 100 { // as after a power cut in the midst of a write
		f, err := os.OpenFile(wal, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(make([]byte, 1000))
		f.Close()
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitOK || !strings.Contains(got.out, "8 observed") {
		t.Errorf("%+v", got)
	}
}

// Symptom: one trial hangs and blocks the whole night, since nothing ends it.
func TestComplaintOneHungTrialBlocksTheNight(t *testing.T) {
	t.Parallel() // it mostly waits
	script := `[ $TARRY_EVALUATION = 2 ] && { trap "" TERM INT HUP; while :; do sleep 60; done; }; echo $2`
	_, _, got := patiently(t, time.Second, says("5 observed, 1 timed out"), func(time.Duration) string { return script }, "--budget", "6", "--grace", "100ms")
	if got.code != exitOK || !strings.Contains(got.out, "5 observed, 1 timed out") {
		t.Errorf("%+v", got)
	}
}
