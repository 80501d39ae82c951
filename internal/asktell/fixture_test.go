package asktell_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/spacefile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// exampleSpace is the space of the example beside which it lies: lr (logarithmic), layers, kind.
func exampleSpace(t testing.TB) tarry.Space {
	t.Helper()
	return must.Get(spacefile.Read("../../examples/space.json"))(t).Space
}

// shopSpace has a context in the middle.
func shopSpace(t testing.TB) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(tarry.Float("price", 1, 9), tarry.Float("hour", 0, 24).AsContext(), tarry.Categorical("shelf", "top", "eye", "<low>")))(t)
}

// kindsSpace has a parameter of every kind but the plain ones, and some that are fixed.
func kindsSpace(t testing.TB) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("dropout", 0, 0.5).Stepped(0.05), tarry.Int("width", 8, 70).Stepped(8), tarry.Categorical("kind", "adam", "sgd"),
		tarry.Bool("bias"), tarry.Ordered("batch", 16, 32, 64, 1e6), tarry.Float("momentum", 0.9, 0.9), tarry.Int("seed", 7, 7))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func random(t testing.TB) tarry.Policy {
	t.Helper()
	return must.Get(tarry.ParsePolicy("random"))(t)
}

func server(t testing.TB, s tarry.Space, o tarry.Options) *asktell.Server {
	t.Helper()
	study := must.Get(tarry.NewStudy(s, o))(t)
	return &asktell.Server{Study: study}
}

// serve returns the answers to the lines.
func serve(t testing.TB, s *asktell.Server, requests ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(strings.Join(requests, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return answersIn(t, out.String(), len(requests))
}

// answersIn returns the lines of an output, after a look at each: it is one JSON object.
func answersIn(t testing.TB, out string, want int) []string {
	t.Helper()
	if !strings.HasSuffix(out, "\n") && out != "" {
		t.Fatalf("the last answer has no end: %q", out)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		lines = nil
	}
	if len(lines) != want {
		t.Fatalf("%d answers, want %d", len(lines), want)
	}
	for _, line := range lines {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil || len(object) == 0 || strings.ContainsAny(line, "\r\u2028\u2029") {
			t.Fatalf("answer %q: %v", line, err)
		}
	}
	return lines
}

// field returns a field of an answer, decoded.
func field(t testing.TB, answer, name string) any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(answer), &object); err != nil {
		t.Fatal(err)
	}
	return object[name]
}

// client talks to a session line by line: an answer that is not flushed would leave it waiting for ever.
type client struct {
	t       testing.TB
	in      *io.PipeWriter
	out     *bufio.Reader
	ended   chan error
	answers int
}

func dial(t testing.TB, s *asktell.Server) *client {
	t.Helper()
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, out: bufio.NewReader(out), ended: make(chan error, 1)}
	go func() {
		c.ended <- s.Serve(t.Context(), requests, answers)
		answers.Close()
	}()
	return c
}

// do sends a line and returns its answer.
func (c *client) do(format string, args ...any) string {
	c.t.Helper()
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
	answer, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("no answer to %s: %v", line, err)
	}
	c.answers++
	return answersIn(c.t, answer, 1)[0]
}

// must is do for an answer that is known.
func (c *client) must(want, format string, args ...any) {
	c.t.Helper()
	if got := c.do(format, args...); got != want {
		c.t.Errorf("%s\nis answered %s\nwant        %s", fmt.Sprintf(format, args...), got, want)
	}
}

// hangUp ends the input, and returns when the session has ended.
func (c *client) hangUp() {
	c.t.Helper()
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		c.t.Errorf("after the end: %q, %v", rest, err)
	}
	if err := <-c.ended; err != nil {
		c.t.Error(err)
	}
}
