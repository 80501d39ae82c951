package sqlite

import (
	"path/filepath"
	"sync"
	"testing"
)

// Whoever appends and syncs beside others, which nobody should, leaves no hole in the events: what was appended while a Sync was under
// way is in the file after the next one.
func TestAppendAndSyncLeaveNoHole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	s := check(Create(path))(t)
	if err := s.Begin(header()); err != nil {
		t.Fatal(err)
	}
	const n = 600
	var group sync.WaitGroup
	done := make(chan struct{})
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := s.Sync(); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for k := uint64(1); k <= n; k++ {
		if err := s.Append(event(k)); err != nil {
			t.Fatal(err)
		}
		if k%50 == 0 {
			for r, err := range s.Records() { // a reader sees no hole either
				if err != nil {
					t.Fatalf("%v: %v", r, err)
				}
			}
		}
	}
	close(done)
	group.Wait()
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := check(Open(path))(t)
	defer again.Close()
	last := uint64(0)
	for r, err := range again.Records() {
		if err != nil {
			t.Fatal(err)
		}
		last = r.Event.Seq
	}
	if last != n {
		t.Errorf("the file has %d events of %d", last, n)
	}
}
