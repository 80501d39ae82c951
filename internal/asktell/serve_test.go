package asktell_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func small(t testing.TB) tarry.Options {
	return tarry.Options{Budget: 8, Pending: 8, Policy: random(t)}
}

func TestTheInputEnds(t *testing.T) {
	for input, want := range map[string]int{
		"": 0, "\n": 1, "\n\n": 2, `{"op":"ask"}`: 1, `{"op":"ask"}` + "\n": 1, "{\"op\":\"ask\"}\r\n{\"op\":\"best\"}\r\n": 2, "\ufeff{\"op\":\"ask\"}\n ": 2, "\r": 1,
	} {
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(input), "in bytes": iotest.OneByteReader(strings.NewReader(input)), "with the end": iotest.DataErrReader(strings.NewReader(input)),
		} {
			s, out := server(t, exampleSpace(t), small(t)), &bytes.Buffer{}
			if err := s.Serve(t.Context(), in, out); err != nil {
				t.Errorf("%q %s: %v", input, name, err)
			}
			answersIn(t, out.String(), want)
			if asked := s.Study.Evaluations(); asked != strings.Count(input, "ask") {
				t.Errorf("%q %s: %d queries", input, name, asked)
			}
		}
	}
}

func TestAnInputThatBreaksOff(t *testing.T) {
	broken := errors.New("the line is dead")
	in := io.MultiReader(strings.NewReader(`{"op":"ask"}`+"\n"+`{"op":"ask"}`), iotest.ErrReader(broken))
	s, out := server(t, exampleSpace(t), small(t)), &bytes.Buffer{}
	if err := s.Serve(t.Context(), in, out); !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("it ends with %v", err)
	}
	answersIn(t, out.String(), 1) // what was cut off is not a request
	if n := s.Study.Evaluations(); n != 1 {
		t.Errorf("%d queries", n)
	}
}

// brokenWriter takes some answers.
type brokenWriter struct {
	bytes.Buffer
	takes int
	err   error
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.takes--; w.takes < 0 {
		return 0, w.err
	}
	return w.Buffer.Write(p)
}

func TestAnOutputThatBreaks(t *testing.T) {
	broken := errors.New("nobody listens")
	s, out := server(t, exampleSpace(t), small(t)), &brokenWriter{takes: 2, err: broken}
	err := s.Serve(t.Context(), strings.NewReader(strings.Repeat(`{"op":"ask"}`+"\n", 5)), out)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("it ends with %v", err)
	}
	answersIn(t, out.String(), 2)
	if n := s.Study.Evaluations(); n != 3 {
		t.Errorf("%d queries, want no request after the one without an answer", n)
	}
}

func TestAContextThatEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, requests := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan error)
	s := server(t, exampleSpace(t), small(t))
	go func() { ended <- s.Serve(ctx, in, answers) }()
	if _, err := io.WriteString(requests, `{"op":"ask"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 1)
	if _, err := io.ReadFull(out, answer); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	cancel() // while it waits for a line, or still writes
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	requests.Close()
	answers.Close()
	if err := s.Serve(ctx, strings.NewReader(`{"op":"ask"}`), &bytes.Buffer{}); !errors.Is(err, context.Canceled) || s.Study.Evaluations() != 1 {
		t.Errorf("a session that begins after the end: %v, %d queries", err, s.Study.Evaluations())
	}
}

// fullStore is a journal that takes some records.
type fullStore struct {
	journal.Memory
	takes int
}

func (s *fullStore) Append(r journal.Record) error {
	if s.takes--; s.takes < 0 {
		return errors.New("disk full")
	}
	return s.Memory.Append(r)
}

func TestAJournalThatRefuses(t *testing.T) {
	full := 0
	for takes := range 40 {
		o := small(t)
		o.Journal = &fullStore{takes: takes}
		s, out := server(t, exampleSpace(t), o), &bytes.Buffer{}
		err := s.Serve(t.Context(), strings.NewReader(`{"op":"ask","n":3}`+"\n"+`{"op":"tell","id":1,"value":2}`+"\n"+`{"op":"fail","id":2}`+"\n"+`{"op":"ask"}`+"\n"), out)
		if err == nil {
			continue
		}
		full++
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		answersIn(t, out.String(), len(lines))
		if last := lines[len(lines)-1]; !errors.Is(err, tarry.ErrNotKept) || !strings.Contains(last, "disk full") || field(t, last, "line") != float64(len(lines)) {
			t.Errorf("after %d records it ends with %v and %s", takes, err, last)
		}
		for _, line := range lines[:len(lines)-1] {
			if strings.Contains(line, "error") {
				t.Errorf("after %d records it goes on after %s", takes, line)
			}
		}
	}
	if full < 5 || full == 40 {
		t.Errorf("the journal refused in %d sessions of 40", full)
	}
}

// The queries of one ask are kept together: where the journal refuses one, none is given out.
func TestQueriesThatAreNotKeptAreNotGivenOut(t *testing.T) {
	for takes := range 12 {
		o := small(t)
		o.Journal = &fullStore{takes: takes}
		s, out := server(t, exampleSpace(t), o), &bytes.Buffer{}
		if err := s.Serve(t.Context(), strings.NewReader(`{"op":"ask","n":8}`), out); !errors.Is(err, tarry.ErrNotKept) {
			t.Fatal(err)
		}
		answer := answersIn(t, out.String(), 1)[0]
		if strings.Contains(answer, "queries") || field(t, answer, "error") == nil || field(t, answer, "line") != 1.0 {
			t.Errorf("after %d records: %s", takes, answer)
		}
	}
}
