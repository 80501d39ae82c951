package actors

import (
	"runtime"
	"testing"
	"testing/synctest"
)

// Goroutines are used again, one that its function ends is missed by nobody, and none is left after close.
func TestThreadsAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pool threads
		done := 0
		for k := range 100 {
			pool.Schedule(func() {
				done++
				if k%10 == 0 {
					runtime.Goexit()
				}
			})
			synctest.Wait()
			if len(pool.idle) > 1 {
				t.Fatalf("%d goroutines wait after functions that ran one after another", len(pool.idle))
			}
		}
		hold := make(chan struct{})
		for range 5 { // at once
			pool.Schedule(func() { done++; <-hold })
			synctest.Wait()
		}
		pool.close()
		close(hold)
		pool.Schedule(func() { done++ }) // after the end
		synctest.Wait()
		if done != 106 || len(pool.idle) > 0 {
			t.Errorf("%d of 106 functions ran, %d goroutines wait", done, len(pool.idle))
		}
	})
}
