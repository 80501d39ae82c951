package jetstream

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// wide is an event whose body has 256 bytes, as in the benchmarks of journal/sqlite.
func wide(seq uint64) journal.Record {
	e := loop.EvaluationFailed{Evaluation: 1, Attempt: 1}
	_, body, err := journal.EncodeEvent(e)
	if err != nil {
		panic(err)
	}
	const reason = `"reason":"",`
	e.Reason = fmt.Sprintf("%0*d", 256-len(body)-len(reason), seq)
	return journal.Record{Event: loop.Stamped{Seq: seq, Event: e}}
}

// BenchmarkAppend is the time of an event, where so many share a Sync, in a file alone, and in a stream of one or three
// servers and a file, whether or not the servers wait for the disk.
func BenchmarkAppend(b *testing.B) {
	for _, where := range []string{"sqlite", "one", "three", "one-sync", "three-sync"} {
		for _, batch := range []uint64{1, 10, 100} {
			b.Run(fmt.Sprintf("%s/%d", where, batch), func(b *testing.B) {
				if testing.Short() && where != "one" && where != "sqlite" {
					b.Skip("a cluster")
				}
				s := benchStore(b, where)
				r := wide(0)
				for b.Loop() {
					r.Event.Seq++
					must(b, s.Append(r))
					if r.Event.Seq%batch == 0 {
						must(b, s.Sync())
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func benchStore(b *testing.B, where string) journal.Appender {
	folder := b.TempDir()
	if where == "sqlite" {
		s := check(sqlite.Create(file(folder, "s")))(b)
		b.Cleanup(func() { s.Close() })
		must(b, s.Begin(header()))
		return s
	}
	g := &Group{Replicas: 1}
	switch where {
	case "one", "one-sync":
		s := &servers{}
		s.options = append(s.options, serverOptions(b, b.TempDir(), where == "one-sync"))
		s.start(b, 0)
		g.Conn = connect(b, s.url())
	default:
		g.Conn, g.Replicas = connect(b, cluster(b, where == "three-sync").url()), 3
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	term := check(g.Lead(ctx, folder, "bench"))(b)
	b.Cleanup(func() { _ = term.End(context.Background()) })
	return begun(b, term, folder, "s", 0)
}

// BenchmarkFollow is the time in which a file gets an event from a stream.
func BenchmarkFollow(b *testing.B) {
	g, _ := group(b, serverAt(b, b.TempDir()).ClientURL())
	folder := b.TempDir()
	s := begun(b, lead(b, g, folder), folder, "s", 0)
	const events = 10_000
	for seq := uint64(1); seq <= events; seq++ {
		must(b, s.Append(wide(seq)))
		if seq%10 == 0 {
			must(b, s.Sync())
		}
	}
	for b.Loop() {
		f := check(g.follower(b.TempDir()))(b)
		f.tails["s"] = &tail{study: "s"}
		must(b, f.copy(b.Context(), f.tails["s"]))
		must(b, f.close())
	}
	b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkTakeover is the time from where a leader gives its lease back to where a standby leads, with so many studies.
func BenchmarkTakeover(b *testing.B) {
	for _, many := range []int{1, 200} {
		b.Run(fmt.Sprint(many), func(b *testing.B) {
			if testing.Short() && many > 1 {
				b.Skip("many studies")
			}
			url := serverAt(b, b.TempDir()).ClientURL()
			g, _ := group(b, url)
			other, _ := group(b, url)
			folders := []string{b.TempDir(), b.TempDir()}
			term := lead(b, g, folders[0])
			for n := range many {
				must(b, begun(b, term, folders[0], fmt.Sprint("s", n), 20).Close())
			}
			groups := []*Group{g, other}
			for turn := 1; b.Loop(); turn++ {
				b.StopTimer()
				next := make(chan *Term)
				go func() { next <- lead(b, groups[turn%2], folders[turn%2]) }()
				for n := range many {
					comes(b, file(folders[turn%2], fmt.Sprint("s", n)), 20)
				}
				b.StartTimer()
				must(b, term.End(b.Context()))
				term = <-next
			}
		})
	}
}
