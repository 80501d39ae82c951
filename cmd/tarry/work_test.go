package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/detour"
)

// clustered is a server with workers, each a process, in a folder of its own.
type clustered struct {
	t      *testing.T
	dir    string
	http   string // where it answers
	nats   string // where workers come to
	server *exec.Cmd
	log    *lines
}

// lines is what a process says, as far as it is known.
type lines struct {
	mutex sync.Mutex
	all   bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.all.Write(p)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.all.String()
}

// clusterOf makes the folder of a cluster whose heartbeats are short, and a command.
func clusterOf(t *testing.T, script string) *clustered {
	t.Helper()
	c := &clustered{t: t, dir: folder(t, script)}
	if got := callIn(t, c.dir, "", "serve", "--init", "cluster"); got.code != exitOK || !strings.Contains(got.out, "tarry work --server tls://localhost:4222") {
		t.Fatal(got.code, got.out, got.log)
	}
	config := `{"studies":"studies","http":"127.0.0.1:0","nats":{"address":"127.0.0.1:` + strconv.Itoa(detour.Port(t)) + `"},
		"tls":{"ca":"ca.pem","cert":"server.pem","key":"server.key","revoked":"revoked.txt"},"workers":{"heartbeat":"200ms","missed":3}}`
	must(t, os.WriteFile(filepath.Join(c.dir, "cluster", "tarry.json"), []byte(config), 0o600))
	return c
}

// serve starts the server with flags, and returns when it says where it is.
func (c *clustered) serve(flags ...string) {
	c.t.Helper()
	c.server, c.log = program(c.t, c.dir, append([]string{"serve", "cluster"}, flags...)...), &lines{}
	said, err := c.server.StderrPipe()
	must(c.t, err, c.server.Start())
	c.t.Cleanup(func() { c.kill(syscall.SIGKILL) })
	in := bufio.NewScanner(io.TeeReader(said, c.log))
	for in.Scan() {
		if _, where, is := strings.Cut(in.Text(), "workers come to "); is {
			c.nats = where
		}
		if _, where, is := strings.Cut(in.Text(), " is served on "); is {
			c.http = where
			go io.Copy(c.log, said)
			return
		}
	}
	c.t.Fatal("the server does not serve: ", c.log)
}

func (c *clustered) kill(how syscall.Signal) {
	if c.server.ProcessState == nil {
		_ = c.server.Process.Signal(how)
		_ = c.server.Wait()
	}
}

// work starts a worker with a certificate.
func (c *clustered) work(certificate string, args ...string) (*exec.Cmd, *lines) {
	c.t.Helper()
	all := append([]string{"work", "--server", c.nats, "--ca", "cluster/ca.pem", "--cert", "cluster/" + certificate + ".pem"}, args...)
	cmd, log := program(c.t, c.dir, all...), &lines{}
	cmd.Stderr = log
	must(c.t, cmd.Start())
	c.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return cmd, log
}

// do does a request as the admin, and returns what the answer has.
func (c *clustered) do(method, path, body string) (status int, out map[string]any) {
	c.t.Helper()
	pair, err := tls.LoadX509KeyPair(filepath.Join(c.dir, "cluster", "admin.pem"), filepath.Join(c.dir, "cluster", "admin.key"))
	must(c.t, err)
	ca, err := os.ReadFile(filepath.Join(c.dir, "cluster", "ca.pem"))
	must(c.t, err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}, DisableKeepAlives: true}
	r, err := http.NewRequest(method, c.http+"/v1/studies/"+path, strings.NewReader(body))
	must(c.t, err)
	r.URL = r.URL.JoinPath() // a path that begins with .. is one beside the studies
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := (&http.Client{Transport: transport}).Do(r)
	must(c.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(c.t, err, json.Unmarshal(text, &out))
	return answer.StatusCode, out
}

// begin begins a study for workers.
func (c *clustered) begin(name, options, remote string) {
	c.t.Helper()
	body := `{"space":{"parameters":[{"name":"lr","type":"float","low":0,"high":1}]},"options":{"policy":"random",` + options + `},"remote":` + remote + `}`
	if status, out := c.do("PUT", name, body); status != 201 {
		c.t.Fatal(status, out)
	}
}

// ended waits for the end of a study, and returns its state.
func (c *clustered) ended(name string) map[string]any {
	c.t.Helper()
	for range 600 {
		if _, out := c.do("GET", name, ""); out["ended"] != nil && out["ended"] != "" {
			return out
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Fatal("study ", name, " does not end: ", c.log)
	return nil
}

// observed is how many evaluations have a value.
func observed(state map[string]any) any { return state["counts"].(map[string]any)["observed"] }

const square = "#!/bin/sh\nsleep 0.05\nawk \"BEGIN{print -($1-0.3)*($1-0.3)}\"\n"

// The three commands of the guide: a server, two workers, a study that ends. A worker and the server are killed meanwhile.
func TestAStudyEndsWhateverIsKilled(t *testing.T) {
	c := clusterOf(t, square)
	c.serve()
	if got := callIn(t, c.dir, "", "serve", "cluster"); got.code != exitInUse {
		t.Error("a second server:", got.code, got.log)
	}
	c.begin("lr", `"budget":45`, `{}`)
	first, _ := c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	_, log := c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	time.Sleep(400 * time.Millisecond)
	must(t, first.Process.Kill())
	time.Sleep(200 * time.Millisecond)
	c.kill(syscall.SIGKILL)
	c.serve()
	state := c.ended("lr")
	if observed(state) != 45.0 {
		t.Errorf("%v: want 45 values\n%s\n%s", state["counts"], c.log, log)
	}
	c.kill(syscall.SIGTERM)
	if code := c.server.ProcessState.ExitCode(); code != exitInterrupted {
		t.Error("the server ended with", code)
	}
	if got := callIn(t, c.dir, "", "verify", "cluster/studies/lr.db"); got.code != exitOK || !strings.Contains(got.out+got.log, "45 evaluations") {
		t.Error(got.code, got.out, got.log)
	}
}

// Who is no worker gets nothing, and is told why.
func TestWhoIsNoWorkerGetsNothing(t *testing.T) {
	c := clusterOf(t, square)
	for _, args := range [][]string{{"certify", "cluster", "--role", "viewer", "--name", "eve"}, {"serve", "--init", "other"}} {
		if got := callIn(t, c.dir, "", args...); got.code != exitOK {
			t.Fatal(got.code, got.log)
		}
	}
	c.serve()
	for args, want := range map[string]string{
		"--ca cluster/ca.pem --cert cluster/eve.pem":  "the role of eve is viewer: want worker or admin",
		"--ca cluster/ca.pem --cert other/worker.pem": "of another authority",
		"--ca other/ca.pem --cert other/worker.pem":   "another authority signed it",
		"--ca cluster/ca.pem --cert none.pem":         "none.pem",
		"--cert cluster/worker.pem":                   "ca.pem",
	} {
		all := append([]string{"work", "--server", c.nats}, strings.Fields(args)...)
		if got := callIn(t, c.dir, "", append(all, "--", "./train.sh", "{lr}")...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %d %s", args, got.code, got.log)
		}
	}
	wrong, log := c.work("worker", "--prefix", "foo", "--", "./train.sh", "{lr}")
	late := time.AfterFunc(30*time.Second, func() { _ = wrong.Process.Kill() })
	if _ = wrong.Wait(); !late.Stop() || wrong.ProcessState.ExitCode() != exitUsage || !strings.Contains(log.String(), "speak below the prefix foo") {
		t.Errorf("with another prefix: %v %s", wrong.ProcessState, log)
	}
	if log := c.log.String(); !strings.Contains(log, "unknown authority") {
		t.Error("the log of the server does not say why:", log)
	}
}

// Labels, what a command cannot take, what it printed before it failed, and a pause.
func TestAWorkerGetsWhatItCanDo(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\n[ \"$1\" = fail ] && { echo 9 GB asked for >&2; echo no memory >&2; exit 7; }\nsleep 0.05\necho 1\n")
	c.serve()
	c.begin("gpu", `"budget":4`, `{"needs":["gpu"]}`)
	_, log := c.work("worker", "--slots", "2", "--study", "gpu", "--", "./train.sh", "{lr}")
	time.Sleep(500 * time.Millisecond)
	if _, out := c.do("GET", "gpu", ""); out["evaluations"] != 0.0 {
		t.Error("a worker without the label got work:", out)
	}
	if status, out := c.do("POST", "gpu/pause", ""); status != 200 {
		t.Error(out)
	}
	able, _ := c.work("worker", "--slots", "2", "--label", "gpu", "--label", "eu", "--study", "gpu", "--", "./train.sh", "{lr}")
	time.Sleep(500 * time.Millisecond)
	if _, out := c.do("GET", "gpu", ""); out["evaluations"] != 0.0 || out["paused"] != true || out["ended"] != nil {
		t.Error("a study that is paused goes on:", out)
	}
	if status, out := c.do("POST", "gpu/resume", ""); status != 200 {
		t.Error(out)
	}
	if state := c.ended("gpu"); observed(state) != 4.0 {
		t.Error(state, log)
	}
	must(t, able.Process.Signal(syscall.SIGTERM))
	if _ = able.Wait(); able.ProcessState.ExitCode() != exitInterrupted {
		t.Error("a worker that is interrupted ended with", able.ProcessState)
	}
	c.begin("failing", `"budget":2`, `{}`)
	_, declining := c.work("worker", "--study", "failing", "--", "./train.sh", "{depth}")
	c.work("worker", "--study", "failing", "--", "./train.sh", "fail", "{lr}")
	c.ended("failing")
	if _, out := c.do("GET", "failing/evaluations/1", ""); out["status"] != "failed" || !strings.HasSuffix(out["reason"].(string), "no memory\n9 GB asked for\nno memory") {
		t.Error(out)
	}
	if said := declining.String(); !strings.Contains(said, "depth") {
		t.Error("nobody said that the command cannot take the study:", said, c.log)
	}
	if status, out := c.do("POST", "failing/ask", ""); status != 409 {
		t.Error(status, out)
	}
}
