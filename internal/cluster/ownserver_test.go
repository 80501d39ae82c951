package cluster

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

var (
	natsConf   = regexp.MustCompile("(?s)```\n(listen: .*?)```")
	workerLine = regexp.MustCompile(`(?s)\{user: "CN=worker,.*?\}\}\n`)
)

// own is a NATS server of a user's own with the configuration of the guide.
type own struct {
	*world
	file, text string
	server     *server.Server
}

func beginOwn(t *testing.T) *own {
	w := &own{world: &world{T: t, dir: t.TempDir()}}
	w.must(Init(w.dir, nil))
	guide, err := os.ReadFile("../../docs/standby.md")
	w.must(err)
	w.file = filepath.Join(w.dir, "nats.conf")
	w.text = strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:-1", `"cluster/`, `"`+w.dir+"/", `"nats"`, `"`+w.dir+`/nats"`).Replace(natsConf.FindStringSubmatch(string(guide))[1])
	options := w.configured(w.text)
	options.NoLog, options.NoSigs = true, true
	w.server, err = server.NewServer(options)
	w.must(err)
	w.server.Start()
	w.Cleanup(func() { w.server.Shutdown(); w.server.WaitForShutdown() })
	if !w.server.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not listen")
	}
	return w
}

// configured writes the configuration, and reads it as the server does.
func (w *own) configured(text string) *server.Options {
	w.Helper()
	w.must(os.WriteFile(w.file, []byte(text), 0o600))
	options, err := server.ProcessConfigFile(w.file)
	w.must(err)
	return options
}

// reload gives the server another configuration.
func (w *own) reload(text string) {
	w.Helper()
	w.must(w.server.ReloadOptions(w.configured(text)))
}

func (w *own) dial(name string) (*nats.Conn, error) {
	conn, _, err := Dial(Client{Files: FilesOf(w.dir, name), URLs: []string{strings.Replace(w.server.ClientURL(), "nats://", "tls://", 1)}})
	if err == nil {
		w.Cleanup(conn.Close)
	}
	return conn, err
}

// What the guide says of a NATS server of one's own: it reads no revocations, and knows who somebody is by the name alone. A line of
// authorization less cuts him off; the line back lets in whoever has a certificate of this name.
func TestANATSServerOfOnesOwnReadsNoRevocations(t *testing.T) {
	w := beginOwn(t)
	in := func(name string) *nats.Conn {
		t.Helper()
		conn, err := w.dial(name)
		w.must(err)
		return conn
	}
	worker, admin := in(Worker), in(Admin)
	_, err := Revoke(w.dir, Worker)
	w.must(err)
	in(Worker)
	line := workerLine.FindString(w.text)
	w.reload(strings.Replace(w.text, line, "", 1))
	w.eventually("it is out", func() bool { return !worker.IsConnected() })
	if _, err := w.dial(Worker); err == nil {
		t.Error("who has no line is let in")
	}
	if !admin.IsConnected() || admin.Stats().Reconnects > 0 {
		t.Error("another one was disconnected")
	}
	w.must(Issue(w.dir, Worker, "gpu-2", 0))
	w.reload(strings.Replace(w.text, line, strings.ReplaceAll(strings.ReplaceAll(line, ".worker.", ".gpu-2."), "CN=worker", "CN=gpu-2"), 1))
	in("gpu-2")
	if _, err := w.dial(Worker); err == nil {
		t.Error("the line of another one lets it in")
	}
	w.reload(w.text)
	in(Worker) // with the certificate that was revoked
}
