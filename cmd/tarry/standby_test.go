package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/detour"
)

// apart is a folder of a cluster whose NATS server is a process of its own. It returns the folder, and a configuration of a server beside it with
// an address for HTTP and a folder of studies.
func apart(t *testing.T) (dir string, config func(name, http string) (path string)) {
	t.Helper()
	dir = folder(t, square)
	if got := callIn(t, dir, "", "serve", "--init", "cluster"); got.code != exitOK {
		t.Fatal(got.code, got.log)
	}
	one := natsServer{port: detour.Port(t), folder: filepath.Join(dir, "cluster")}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asNATS+"="+one.String())
	started(t, cmd)
	for {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", one.port)); err == nil {
			must(t, c.Close())
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return dir, func(name, http string) string {
		path := filepath.Join(dir, "cluster", name+".json")
		must(t, os.MkdirAll(filepath.Join(dir, "cluster", name), 0o700), os.WriteFile(path, fmt.Appendf(nil, `{"studies":%q,"http":%q,
			"nats":{"urls":["tls://localhost:%d"]},"tls":{"ca":"ca.pem","cert":"server.pem","key":"server.key","client":"admin.pem"},"standby":{"replicas":1}}`,
			name, http, one.port), 0o600))
		return path
	}
}

// started starts a process that ends with the test.
func started(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must(t, cmd.Start())
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
}

// follow starts a standby, and returns when it says that it follows, or says nothing more.
func follow(t *testing.T, dir, config string) (cmd *exec.Cmd, follows bool, log string) {
	t.Helper()
	cmd = program(t, dir, "serve", config, "--standby")
	said, err := cmd.StderrPipe()
	must(t, err)
	started(t, cmd)
	for in := bufio.NewScanner(said); !follows && in.Scan(); {
		log += in.Text() + "\n"
		follows = strings.Contains(in.Text(), "follows the server that leads")
	}
	return cmd, follows, log
}

// A standby that could not serve is refused when it is started, one that can is interrupted like any server, and keeps its address free meanwhile.
func TestAStandbyLooksAtItsAddressBeforeItFollows(t *testing.T) {
	dir, config := apart(t)
	leader := program(t, dir, "serve", config("leads", "127.0.0.1:0"))
	url := servedBy(t, leader)
	t.Cleanup(func() { _ = leader.Process.Kill(); _ = leader.Wait() })
	_, taken, _ := strings.Cut(url, "//")
	if refused, follows, log := follow(t, dir, config("refused", taken)); follows || !strings.Contains(log, taken) {
		t.Error(log)
	} else if _ = refused.Wait(); refused.ProcessState.ExitCode() != exitFailure {
		t.Error(refused.ProcessState)
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		address := fmt.Sprint("127.0.0.1:", detour.Port(t))
		standby, follows, log := follow(t, dir, config("follows", address))
		if !follows {
			t.Fatal(log)
		}
		if c, err := net.Dial("tcp", address); err == nil {
			t.Error("who only follows hears calls", c.Close())
		}
		must(t, standby.Process.Signal(s))
		_ = standby.Wait()
		if code := standby.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("after %v it ended with %d", s, code)
		}
	}
}

// A server whose address for HTTP is taken calls no workers.
func TestAServerLooksAtItsAddressBeforeItCallsWorkers(t *testing.T) {
	c := clusterOf(t, square)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	got := callIn(t, c.dir, "", "serve", "cluster", "--http", taken.Addr().String())
	if got.code != exitFailure || !strings.Contains(got.log, taken.Addr().String()) || strings.Contains(got.log, "workers come to") {
		t.Error(got.code, got.log)
	}
}
