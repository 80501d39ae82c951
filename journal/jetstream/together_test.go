package jetstream

import (
	"sync"
	"testing"
)

// What is appended while a Sync is under way is in the stream and in the file after the next one.
func TestAppendAndSyncLeaveNoHole(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	follow(t, other, standby)
	s := begun(t, lead(t, g, folder), folder, "a", 1)
	const n = 400
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
	for k := uint64(2); k <= n; k++ {
		must(t, s.Append(event(k)))
	}
	close(done)
	group.Wait()
	must(t, s.Sync())
	comes(t, file(standby, "a"), n)
	must(t, s.Close())
}
