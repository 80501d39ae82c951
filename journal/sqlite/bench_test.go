package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// wide is an event whose body has 256 bytes.
func wide(b testing.TB, seq uint64) journal.Record {
	e := loop.EvaluationFailed{Evaluation: 1, Attempt: 1}
	_, body, err := journal.EncodeEvent(e)
	if err != nil {
		b.Fatal(err)
	}
	const reason = `"reason":"",`
	e.Reason = string(bytes.Repeat([]byte("x"), 256-len(body)-len(reason)))
	return journal.Record{Event: loop.Stamped{Seq: seq, Event: e}}
}

func benchmarkAppend(b *testing.B, batch int) {
	s := begun(b, filepath.Join(b.TempDir(), "s.db"), 0)
	r := wide(b, 0)
	if added := check(rowOf(r))(b); len(added.body) != 256 {
		b.Fatalf("the body has %d bytes", len(added.body))
	}
	for b.Loop() {
		r.Event.Seq++
		if err := s.Append(r); err != nil {
			b.Fatal(err)
		}
		if r.Event.Seq%uint64(batch) == 0 {
			if err := s.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkAppendOne waits for the disk after each event.
func BenchmarkAppendOne(b *testing.B) { benchmarkAppend(b, 1) }

// BenchmarkAppendHundred waits for the disk after each hundred events; the time is that of one.
func BenchmarkAppendHundred(b *testing.B) { benchmarkAppend(b, 100) }

// BenchmarkFileSync is what the disk can do: 256 bytes at the end of a plain file, and a wait.
func BenchmarkFileSync(b *testing.B) {
	f := check(os.Create(filepath.Join(b.TempDir(), "plain")))(b)
	defer f.Close()
	line := bytes.Repeat([]byte("x"), 256)
	for b.Loop() {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// big is a store of a hundred thousand events, of fewer with -short.
func big(b *testing.B) *Store {
	many := uint64(100_000)
	if testing.Short() {
		many = 5000
	}
	s := begun(b, filepath.Join(b.TempDir(), "s.db"), 0)
	for seq := uint64(1); seq <= many; seq++ {
		must(b, s.Append(wide(b, seq)))
	}
	must(b, s.Sync())
	return s
}

// BenchmarkRecords reads and decodes; the time is that of one event.
func BenchmarkRecords(b *testing.B) {
	s := big(b)
	n := 0
	for b.Loop() {
		for _, err := range s.Records() {
			must(b, err)
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
}

// BenchmarkOpen opens a study of many events.
func BenchmarkOpen(b *testing.B) {
	s := big(b)
	must(b, s.Close())
	for b.Loop() {
		must(b, check(Open(s.path))(b).Close())
	}
}

// BenchmarkVerify reads all of it; BenchmarkQuickCheck is what Open does not do.
func BenchmarkVerify(b *testing.B) {
	s := big(b)
	for b.Loop() {
		must(b, s.Verify())
	}
}

// BenchmarkQuickCheck is the check of SQLite that Open leaves out, since it reads the whole file.
func BenchmarkQuickCheck(b *testing.B) {
	s := big(b)
	var line string
	for b.Loop() {
		must(b, s.db.QueryRow("PRAGMA quick_check(1)").Scan(&line))
	}
}
