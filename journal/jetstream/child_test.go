package jetstream

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Some tests need other processes. They are this test program once more, which then does what the environment says.
const (
	childRole   = "TARRY_JETSTREAM_TEST_ROLE"
	childURL    = "TARRY_JETSTREAM_TEST_URL"
	childFolder = "TARRY_JETSTREAM_TEST_FOLDER"

	childReplicas = "TARRY_JETSTREAM_TEST_REPLICAS"
)

var kills = flag.Int("kills", 2, "how often a process is killed in each test that kills")

// roles are what a child may do, saying lines; it ends with an error.
var roles = map[string]func(at, folder string, say func(...any)) error{
	"lead":   leadForever,
	"follow": followForever,
	"serve":  serveForever,
	"both":   bothForever,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv(childRole)]
	if role == nil {
		os.Exit(m.Run())
	}
	go func() { // a child does not outlive the test
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	var mutex sync.Mutex
	say := func(words ...any) {
		mutex.Lock()
		defer mutex.Unlock()
		fmt.Println(words...)
	}
	if err := role(os.Getenv(childURL), os.Getenv(childFolder), say); err != nil {
		say("error", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child is a running child.
type child struct {
	command *exec.Cmd
	lines   chan string // closed at its end
}

func start(t testing.TB, role, at, folder string) *child {
	t.Helper()
	c := &child{command: exec.Command(check(os.Executable())(t)), lines: make(chan string, 1<<16)}
	c.command.Env = append(os.Environ(), childRole+"="+role, childURL+"="+at, childFolder+"="+folder, "GORACE=atexit_sleep_ms=0")
	c.command.Stderr = os.Stderr
	check(c.command.StdinPipe())(t) // it ends with this process
	out := check(c.command.StdoutPipe())(t)
	must(t, c.command.Start())
	go func() {
		defer close(c.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.lines <- lines.Text()
		}
	}()
	t.Cleanup(c.kill)
	return c
}

func (c *child) kill() {
	c.command.Process.Kill() // SIGKILL: nothing of the child runs any more
	c.command.Wait()
}

// line returns the next line, false at the end of the child.
func (c *child) line(t testing.TB) (string, bool) {
	t.Helper()
	select {
	case line, more := <-c.lines:
		return line, more
	case <-time.After(time.Minute):
		t.Fatal("the child says nothing")
		return "", false
	}
}

// rest returns what the child said that nobody has heard yet, up to its end.
func (c *child) rest(t testing.TB) (lines []string) {
	t.Helper()
	for line, more := c.line(t); more; line, more = c.line(t) {
		lines = append(lines, line)
	}
	return lines
}

// numbers reads a line such as "acknowledged a 17".
func numbers(t testing.TB, line string) (what, study string, n uint64) {
	t.Helper()
	words := strings.Fields(line)
	if len(words) != 3 {
		t.Fatalf("a child said %q", line)
	}
	return words[0], words[1], check(strconv.ParseUint(words[2], 10, 64))(t)
}

// childStudies are those that a leader goes on with, and how many events share a Sync.
var childStudies = map[string]uint64{"one": 1, "few": 7, "many": 300}

// leadForever waits until it leads, goes on with the studies, and says what was acknowledged; when it has lost the lease it says so, and
// begins again.
func leadForever(at, folder string, say func(...any)) error {
	conn, err := nats.Connect(at, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.RetryOnFailedConnect(true))
	if err != nil {
		return err
	}
	replicas, _ := strconv.Atoi(os.Getenv(childReplicas))
	g := &Group{Conn: conn, Replicas: replicas, Log: func(text string) { fmt.Fprintln(os.Stderr, "process", os.Getpid(), text) }}
	for {
		term, err := g.Lead(context.Background(), folder, fmt.Sprint("process ", os.Getpid()))
		if err != nil {
			return err
		}
		ended := make(chan error)
		for study, batch := range childStudies {
			go func() { ended <- appendForever(term, folder, study, batch, say) }()
		}
		for range childStudies {
			if err := <-ended; !errors.Is(err, ErrFenced) {
				return err
			}
		}
		<-term.Lost()
		if err := term.End(context.Background()); err != nil {
			return err
		}
		say("lost", "all", 0)
	}
}

func appendForever(term *Term, folder, study string, batch uint64, say func(...any)) error {
	s, err := term.OpenOrCreate(file(folder, study), study)
	if err != nil {
		return err
	}
	defer s.Close()
	if _, none := s.Header(); none != nil {
		if err := s.Begin(header()); err != nil {
			return err
		}
	}
	say("opened", study, s.Last())
	for seq := s.Last() + 1; ; seq++ {
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
		if seq%500 == 0 {
			if err := s.KeepSnapshot(seq, make([]byte, 20_000)); err != nil {
				return err
			}
		}
		if seq%batch != 0 {
			continue
		}
		if err := s.Sync(); err != nil {
			return fmt.Errorf("study %s after %d: %w", study, seq, err)
		}
		say("acknowledged", study, seq)
		time.Sleep(time.Millisecond) // the test says more than how fast a disk fills
	}
}

func followForever(at, folder string, say func(...any)) error {
	conn, err := nats.Connect(at, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.RetryOnFailedConnect(true))
	if err != nil {
		return err
	}
	g := &Group{Conn: conn, Log: func(text string) { say("told", text) }}
	return g.Follow(context.Background(), folder)
}

// serveForever is a server of NATS at the port of the address.
func serveForever(at, folder string, say func(...any)) error {
	port, err := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
	if err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return fmt.Errorf("not ready")
	}
	say("ready", s.ClientURL(), 0)
	select {}
}

// bothForever is leadForever with one of three servers in the process. Its address is the number of the server, and the ports of all.
func bothForever(at, folder string, say func(...any)) error {
	words := strings.Split(at, ",")
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	o := &server.Options{
		ServerName: fmt.Sprint("server", n), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: folder + "/streams", NoSigs: true, NoLog: true,
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1"},
	}
	for i, port := range words[1:] {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: "127.0.0.1:" + port})
		if i == n {
			if o.Cluster.Port, err = strconv.Atoi(port); err != nil {
				return err
			}
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return fmt.Errorf("not ready")
	}
	return leadForever(s.ClientURL(), folder, say)
}
