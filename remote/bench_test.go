package remote

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// far is what makes a process of the test binary a worker: the address of its server, and how many workers it is.
const far = "TARRY_REMOTE_WORKERS"

// workFar works for the server that the environment names, until it is killed.
func workFar(how string) {
	var address string
	var n int
	if _, err := fmt.Sscan(how, &address, &n); err != nil {
		panic(err)
	}
	failed := make(chan error)
	for k := range n {
		c, err := nats.Connect("nats://"+address, nats.CustomInboxPrefix("_IN.far"))
		if err != nil {
			panic(err)
		}
		go func() {
			failed <- Worker{Name: "far", Instance: fmt.Sprint(os.Getpid(), "-", k), Objective: instant}.Work(context.Background(), c)
		}()
	}
	fmt.Fprintln(os.Stderr, <-failed)
}

func instant(_ context.Context, q tarry.Query) (float64, error) { return q.X[0] - q.X[1], nil }

// employFar starts a process with so many workers.
func employFar(b *testing.B, address string, n int) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), far+"="+address+" "+strconv.Itoa(n))
	c.Stderr = os.Stderr
	fatal(b, c.Start())
	b.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		b.Logf("%d workers: %v of processors", n, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	})
}

// BenchmarkRoundTrip is a job to a worker in another process and its result back, in the journal of the study in memory, by TCP, one at a
// time: from the dispatch to the answer as the study has them.
func BenchmarkRoundTrip(b *testing.B) {
	s := serve(b)
	hub := newHub(b, connect(b, s), Options{Heartbeat: DefaultHeartbeat})
	employFar(b, s.Addr().(*net.TCPAddr).String(), 1)
	eventually(b, "it joins", func() bool { return len(hub.Workers()) == 1 })
	var times []time.Duration
	for b.Loop() {
		result, err := start(b, hub, tarry.Options{Budget: 1000}).Wait()
		fatal(b, err)
		for _, e := range result.Evaluations {
			times = append(times, e.Ended-e.Began)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkThousandWorkers is how many evaluations a second a study has with a thousand workers that take no time: as goroutines of the
// engine, as guests of it, and elsewhere, in four processes with a connection each; without a journal, and with one in a file. What the
// process of the server needs of processors is said as well.
func BenchmarkThousandWorkers(b *testing.B) {
	const n = 1000
	budget := 50_000
	if testing.Short() {
		budget = 2000
	}
	kept := false
	measure := func(b *testing.B, r tarry.Remote, f tarry.Objective, workers int) {
		before := processors(b)
		for b.Loop() {
			policy, err := tarry.ParsePolicy("random")
			fatal(b, err)
			var file journal.Store
			if kept {
				store, err := sqlite.Create(filepath.Join(b.TempDir(), "s.db"))
				fatal(b, err)
				defer store.Close()
				file = store
			}
			run, err := tarry.Start(b.Context(), square(b), f, tarry.Options{Budget: budget, Initial: 1, Workers: workers, Policy: policy, Remote: r, Journal: file})
			fatal(b, err)
			result, err := run.Wait()
			fatal(b, err)
			if result.Counters.Vanished > 0 {
				b.Errorf("%+v", result.Counters)
			}
		}
		b.ReportMetric(float64(budget)*float64(b.N)/b.Elapsed().Seconds(), "evaluations/s")
		b.ReportMetric(float64((processors(b)-before).Microseconds())/float64(budget*b.N), "µs-of-processors")
		b.ReportMetric(0, "ns/op")
	}
	for _, kept = range []bool{false, true} {
		where := map[bool]string{false: "memory", true: "file"}[kept]
		b.Run("local/"+where, func(b *testing.B) { measure(b, nil, instant, n) })
		b.Run("guests/"+where, func(b *testing.B) { measure(b, attended(n), nil, 0) })
		b.Run("remote/"+where, func(b *testing.B) {
			s := serve(b)
			hub := newHub(b, connect(b, s), Options{Heartbeat: DefaultHeartbeat})
			for range 4 {
				employFar(b, s.Addr().(*net.TCPAddr).String(), n/4)
			}
			eventually(b, "all join", func() bool { return len(hub.Workers()) == n })
			measure(b, hub, nil, 0)
		})
	}
}

// processors is the time that this process had so far.
func processors(b *testing.B) time.Duration {
	var used syscall.Rusage
	fatal(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// attended is a Remote with so many guests in the same process, which answer at once.
type attended int

func (a attended) Attach(s *tarry.RemoteStudy) error {
	for range int(a) {
		if _, err := s.Join(1, here{s}); err != nil {
			return err
		}
	}
	return nil
}

type here struct{ study *tarry.RemoteStudy }

func (h here) Evaluate(t workers.Task) {
	go h.study.Answer(outcome.Answer{Evaluation: t.Evaluation, Attempt: t.Attempt, Outcome: outcome.Of(t.X[0] - t.X[1])})
}
func (here) Cancel(int, int) {}
func (here) Ended(error)     {}
