package sqlite

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tarry-bo/tarry/journal"
)

// Some tests need another process. It is this test program once more, which then does what the environment says.
const (
	childRole = "TARRY_SQLITE_TEST_ROLE"
	childPath = "TARRY_SQLITE_TEST_PATH"
)

// roles are what a child may do with a path, saying lines; it ends with an error.
var roles = map[string]func(path string, say func(...any)) error{
	"append": appendForever,
	"churn":  churn,
	"hold":   hold,
	"look":   lookOnce,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv(childRole)]
	if role == nil {
		flag.Set("rapid.checks", usualDraws) // unless the command line wants more
		goleak.VerifyTestMain(m)
		return
	}
	if err := role(os.Getenv(childPath), func(words ...any) { fmt.Println(words...) }); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child is a running child.
type child struct {
	command *exec.Cmd
	out     *bufio.Scanner
	in      io.WriteCloser
}

func newChild(t testing.TB, role, path string) *child {
	t.Helper()
	program := check(os.Executable())(t)
	c := exec.Command(program)
	c.Env = append(os.Environ(), childRole+"="+role, childPath+"="+path, "GORACE=atexit_sleep_ms=0") // instead of a second
	c.Stderr = os.Stderr
	in := check(c.StdinPipe())(t)
	out := check(c.StdoutPipe())(t)
	return &child{c, bufio.NewScanner(out), in}
}

func start(t testing.TB, role, path string) *child {
	t.Helper()
	c := newChild(t, role, path)
	must(t, c.command.Start())
	t.Cleanup(c.kill)
	return c
}

func (c *child) kill() {
	c.command.Process.Kill() // SIGKILL: nothing of the child runs any more
	c.command.Wait()
}

// line returns the next line that the child says, false at its end.
func (c *child) line() (string, bool) {
	ok := c.out.Scan()
	return c.out.Text(), ok
}

// all returns what the child says up to its end.
func (c *child) all() string {
	var lines []string
	for line, ok := c.line(); ok; line, ok = c.line() {
		lines = append(lines, line)
	}
	c.command.Wait()
	return strings.Join(lines, "\n")
}

// appendForever goes on with the study, or begins it, and says the number of each event that Sync acknowledged.
func appendForever(path string, say func(...any)) error {
	s, err := Open(path)
	if err != nil {
		if s, err = Create(path); err != nil {
			return err
		}
		if err := s.Begin(header()); err != nil {
			return err
		}
	}
	return goOn(s, say)
}

// churn goes on with the study, with a log that is begun anew after every few pages.
func churn(path string, say func(...any)) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	s.longest = 5
	return goOn(s, say)
}

// goOn appends until the process is killed.
func goOn(s *Store, say func(...any)) error {
	for seq := s.last.seq + 1; ; seq++ {
		r := event(seq)
		digest := r.Digest
		r.Digest = 0
		if err := s.Append(r); err != nil {
			return err
		}
		if digest != 0 {
			if err := s.Mark(digest); err != nil {
				return err
			}
		}
		if seq%50 == 0 {
			if err := s.KeepSnapshot(seq, make([]byte, 20_000)); err != nil {
				return err
			}
		}
		if seq%7 < 3 {
			continue
		}
		if err := s.Sync(); err != nil {
			return fmt.Errorf("after %d: %w", seq, err)
		}
		say(seq)
	}
}

// hold keeps the study open for writing until its input ends.
func hold(path string, say func(...any)) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	say("holding")
	_, err = io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return s.Close()
}

// lookOnce says how many records the study has, whose contents it compares.
func lookOnce(path string, say func(...any)) error {
	s, err := Read(path)
	if err != nil {
		return err
	}
	defer s.Close()
	n := uint64(0)
	for r, err := range s.Records() {
		if err != nil {
			return err
		}
		n++
		kind, body, err := journal.EncodeEvent(r.Event.Event)
		if err != nil {
			return err
		}
		wantKind, wantBody, _ := journal.EncodeEvent(event(n).Event.Event)
		if r.Event.Seq != n || kind != wantKind || string(body) != string(wantBody) {
			return fmt.Errorf("record %d is %s %s", n, kind, body)
		}
	}
	if err := s.Verify(); err != nil {
		return err
	}
	say(n)
	return nil
}
