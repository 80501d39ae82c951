package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever looks at a study learns which process writes it, and stands in nobody's way.
func TestAStudySaysWhoWritesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	writer, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Begin(header()); err != nil {
		t.Fatal(err)
	}
	if err := writer.Sync(); err != nil {
		t.Fatal(err)
	}
	reader, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if who, err := reader.Holder(); err != nil || who != fmt.Sprintf("process %d", os.Getpid()) {
		t.Errorf("%q, %v", who, err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if who, err := reader.Holder(); err != nil || who != "" {
		t.Errorf("after it was closed: %q, %v", who, err)
	}
	stale := path + lockSuffix
	if err := os.WriteFile(stale, []byte("process 1\nhost elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if who, err := reader.Holder(); err != nil || who != "" {
		t.Errorf("with a lock that nobody holds: %q, %v", who, err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 300 {
			reader.Holder()
		}
	}()
	for range 20 {
		again, err := Open(path)
		if err != nil {
			t.Fatalf("somebody who looks keeps a writer out: %v", err)
		}
		again.Close()
	}
	<-done
	if text, _ := os.ReadFile(stale); strings.Contains(string(text), "elsewhere") {
		t.Error("the lock is still that of somebody else")
	}
}
