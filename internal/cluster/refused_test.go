package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry/internal/detour"
)

// raw connects with nothing but what is given: no look at one's own certificate beforehand.
func (w *world) raw(files *Files, options ...nats.Option) (*nats.Conn, error) {
	w.Helper()
	config := &tls.Config{RootCAs: w.trust.now.Load().pool}
	if files != nil {
		pair, err := loadPair(files.Cert, files.Key)
		w.must(err)
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil } // also one that is not asked for
	}
	conn, err := nats.Connect(w.server.URL(), append([]nats.Option{nats.Secure(config), nats.Timeout(5 * time.Second)}, options...)...)
	if err == nil {
		w.Cleanup(conn.Close)
	}
	return conn, err
}

// forge has the authority sign a certificate with any subject and times.
func (w *world) forge(subject pkix.Name, from, to time.Time) Files {
	w.Helper()
	a, err := openAuthority(w.dir)
	w.must(err)
	template, err := blank(time.Hour)
	w.must(err)
	template.Subject, template.NotBefore, template.NotAfter = subject, from, to
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	w.must(err)
	der, err := a.sign(w.dir, template, &key.PublicKey)
	w.must(err)
	dir := w.TempDir()
	w.must(writePair(dir, "x", der, key))
	return Files{CA: filepath.Join(w.dir, "ca.pem"), Cert: filepath.Join(dir, "x.pem"), Key: filepath.Join(dir, "x.key")}
}

func workerNamed(name string) pkix.Name {
	return pkix.Name{CommonName: name, OrganizationalUnit: []string{Worker}}
}

func TestWithoutACertificateNobodyComesInAndTheLogSaysWhy(t *testing.T) {
	w := begin(t)
	if _, err := w.raw(nil); err == nil {
		t.Fatal("came in")
	}
	w.eventually("a line of the log", func() bool { return strings.Contains(w.everything(), "client didn't provide a certificate") })
}

// everything is the text of the log.
func (w *world) everything() (text string) {
	for _, e := range w.log.All() {
		text += fmt.Sprintln(e.Message, e.ContextMap())
	}
	return text
}

func TestACertificateOfAnotherAuthorityIsRefusedByBothSides(t *testing.T) {
	w := begin(t)
	other := t.TempDir()
	w.must(Init(other, nil))
	_, _, err := Dial(Client{Files: FilesOf(other, Worker), URLs: []string{w.server.URL()}})
	if !errors.Is(err, ErrUntrusted) {
		t.Errorf("the worker took the server: %v", err)
	}
	files := FilesOf(other, Worker)
	if _, err := w.raw(&files); err == nil {
		t.Error("the server took the worker")
	}
	w.eventually("a line of the log", func() bool { return strings.Contains(w.everything(), "unknown authority") })
	files.CA = filepath.Join(w.dir, "ca.pem")
	if _, _, err := Dial(Client{Files: files, URLs: []string{w.server.URL()}}); !errors.Is(err, ErrRefused) {
		t.Errorf("%v", err)
	}
}

func TestACertificateOutsideOfItsTimeIsRefused(t *testing.T) {
	w := begin(t)
	now := time.Now()
	for what, files := range map[string]Files{
		"expired":      w.forge(workerNamed("late"), now.Add(-2*time.Hour), now.Add(-time.Hour)),
		"begins later": w.forge(workerNamed("early"), now.Add(3*time.Hour), now.Add(9*time.Hour)), // the authority's clock is hours ahead
	} {
		if _, _, err := Dial(Client{Files: files, URLs: []string{w.server.URL()}}); !errors.Is(err, ErrExpired) || !strings.Contains(err.Error(), "the clock says") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := w.raw(&files); err == nil {
			t.Errorf("%s: came in", what)
		}
	}
	w.eventually("two lines of the log", func() bool { return strings.Count(w.everything(), "expired or is not yet valid") >= 2 })
}

// A machine whose clock is hours behind takes what is issued now: certificates begin a day before they are made.
func TestClocksThatAreHoursBehindTakeNewCertificates(t *testing.T) {
	w := begin(t)
	for _, name := range []string{serverName, Worker} {
		c, _, err := readPair(w.dir, name)
		w.must(err)
		if behind := time.Since(c.NotBefore); behind < 23*time.Hour || behind > 25*time.Hour {
			t.Errorf("%s holds since %v", name, behind)
		}
		if err := timely(c, "x", time.Now().Add(-20*time.Hour)); err != nil {
			t.Error(err)
		}
	}
}

func TestACertificateCutsItsConnectionWhenItEnds(t *testing.T) {
	w := begin(t)
	end := time.Now().Add(3 * time.Second)
	files := w.forge(workerNamed("brief"), end.Add(-time.Hour), end)
	closed := make(chan struct{})
	_, err := w.raw(&files, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	w.must(err)
	select {
	case <-closed:
		if time.Now().Before(end.Add(-1100 * time.Millisecond)) { // certificates know seconds
			t.Error("cut before its end")
		}
	case <-time.After(30 * time.Second):
		t.Error("still connected")
	}
}

func TestRolesOfHTTPGetNothingAndTheLogSaysWhy(t *testing.T) {
	w := begin(t)
	for _, role := range []string{Viewer, Asker} {
		files := FilesOf(w.dir, w.issue(role, "somebody-"+role))
		if _, err := w.dial("somebody-" + role); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", role, err)
		}
		if _, err := w.raw(&files); err == nil {
			t.Errorf("%s came in", role)
		}
		w.says("refused", "its role is "+role)
	}
}

func TestForgedNamesAndRolesAreRefused(t *testing.T) {
	w := begin(t)
	from, to := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	for _, name := range []string{"", "a.b", "*", ">", "a b", "a\tb", "gpu-1.>", "ä", strings.Repeat("a", maxName+1), "$SYS"} {
		files := w.forge(workerNamed(name), from, to)
		if _, err := w.raw(&files); err == nil {
			t.Errorf("%q came in", name)
		}
		if _, _, err := Dial(Client{Files: files, URLs: []string{w.server.URL()}}); !errors.Is(err, errNoName) {
			t.Errorf("%q: %v", name, err)
		}
		if err := Issue(w.dir, Worker, name, 0); err == nil {
			t.Errorf("%q was issued", name)
		}
	}
	w.says("refused", errNoName.Error())
	files := w.forge(pkix.Name{CommonName: "x", OrganizationalUnit: []string{"root"}}, from, to)
	if _, err := w.raw(&files); err == nil {
		t.Error("a role that is none came in")
	}
	w.says("refused", "is no role")
}

// The server's certificate is none of a client, whoever got hold of it.
func TestTheServersCertificateLetsNobodyIn(t *testing.T) {
	w := begin(t)
	files := FilesOf(w.dir, serverName)
	if _, err := w.raw(&files); err == nil {
		t.Error("came in")
	}
}

// Somebody who knows that programs of the same process sign with a key cannot do so from outside.
func TestTheKeyOfTheProgramIsOfNoUseFromOutside(t *testing.T) {
	w := begin(t)
	public, err := w.server.admin.PublicKey()
	w.must(err)
	if _, err := w.raw(nil, nats.Nkey(public, w.server.admin.Sign)); err == nil {
		t.Error("came in without a certificate")
	}
	files := FilesOf(w.dir, Worker)
	conn, err := w.raw(&files, nats.Nkey(public, w.server.admin.Sign))
	w.must(err)
	if _, err := conn.SubscribeSync(">"); err == nil {
		w.denied(conn)
	}
	inside, err := w.server.server.InProcessConn()
	w.must(err)
	defer inside.Close()
	_, err = nats.Connect("", nats.SetCustomDialer(dialed{inside}), nats.Timeout(2*time.Second))
	if err == nil {
		t.Error("a connection of the process that signs nothing came in")
	}
}

// dialed is a connection that is there already.
type dialed struct{ net.Conn }

func (d dialed) Dial(string, string) (net.Conn, error) { return d.Conn, nil }

// denied waits until the server has said that something is not permitted.
func (w *world) denied(conn *nats.Conn) {
	w.Helper()
	w.must(conn.Flush())
	w.eventually("a violation", func() bool {
		err := conn.LastError()
		return err != nil && strings.Contains(strings.ToLower(err.Error()), "permissions violation")
	})
}

func TestAWorkerSpeaksAndHearsBelowItsOwnNameOnly(t *testing.T) {
	w := begin(t)
	w.issue(Worker, "other")
	everything, err := w.server.Admin()
	w.must(err)
	heard, err := everything.SubscribeSync(">")
	w.must(err)
	w.must(everything.Flush())
	for _, subject := range []string{
		"tarry.result.other.i", "tarry.hb.other.i", "tarry.join.other.i", "tarry.job.worker.i", "tarry.job.other.i", "_IN.other.x", "tarry.result", "tarry.result.worker",
		"other.result.worker.i", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.DELETE.S", "$JS.API.CONSUMER.CREATE.S", "$JS.ACK.S.c.1.1.1.1.1", "$KV.lease.leader", "$SYS.REQ.SERVER.PING", "s",
	} {
		worker := w.in(Worker)
		w.must(worker.Publish(subject, []byte("forged")))
		w.denied(worker)
		worker.Close()
	}
	for _, subject := range []string{"tarry.job.other.>", "tarry.job.*.i", "tarry.job.>", "tarry.>", "_IN.other.>", "_IN.>", ">", "$SYS.>", "$JS.>", "_INBOX.>"} {
		worker := w.in(Worker)
		_, err := worker.SubscribeSync(subject)
		w.must(err)
		w.denied(worker)
		worker.Close()
	}
	w.must(w.in(Worker).Publish("tarry.result.worker.i", []byte("last")))
	for {
		m, err := heard.NextMsg(10 * time.Second)
		w.must(err)
		if string(m.Data) == "forged" {
			t.Errorf("%s was heard", m.Subject)
		}
		if string(m.Data) == "last" {
			return
		}
	}
}

// A reply goes where the request says: a worker must not have the hub speak to JetStream.
func TestTheHubCannotBeMadeToSpeakToJetStream(t *testing.T) {
	w := begin(t)
	admin, err := w.server.Admin()
	w.must(err)
	js, err := admin.JetStream()
	w.must(err)
	_, err = js.AddStream(&nats.StreamConfig{Name: "S", Subjects: []string{"s"}})
	w.must(err)
	hub, err := w.server.Hub()
	w.must(err)
	answered := make(chan struct{})
	_, err = hub.Subscribe("tarry.join.*.*", func(m *nats.Msg) {
		w.must(hub.Publish(m.Reply, nil))
		close(answered)
	})
	w.must(err)
	w.must(hub.Flush())
	w.must(w.in(Worker).PublishRequest("tarry.join.worker.i", "$JS.API.STREAM.DELETE.S", nil))
	<-answered
	w.denied(hub)
	if _, err := js.StreamInfo("S"); err != nil {
		t.Error(err)
	}
}

func TestADialSaysWhichFileOrServerIsWrong(t *testing.T) {
	w := begin(t)
	files := FilesOf(w.dir, Worker)
	without := files
	without.Key = filepath.Join(w.dir, "none.key")
	garbage := files
	garbage.CA = filepath.Join(w.dir, "garbage")
	w.must(os.WriteFile(garbage.CA, []byte("no PEM"), 0o600))
	nobody := fmt.Sprint("tls://127.0.0.1:", detour.Port(t))
	elsewhere, err := Start(Options{Address: "127.0.0.2:0", Trust: w.trust, Store: t.TempDir()})
	w.must(err)
	defer elsewhere.Close()
	for _, c := range []struct {
		files Files
		url   string
		want  string
	}{
		{without, w.server.URL(), "none.key"}, {garbage, w.server.URL(), "garbage"}, {files, nobody, ErrUnreachable.Error()},
		{files, "http://x", "server[0]"}, {files, "tls://", "server[0]"}, {files, "tls://" + elsewhere.Address(), "it is for other names"},
	} {
		if _, _, err := Dial(Client{Files: c.files, URLs: []string{c.url}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
	for err, want := range map[*net.DNSError]error{{Err: "no such host", IsNotFound: true}: ErrUnknownHost, {Err: "server misbehaving", IsTemporary: true}: ErrUnreachable} {
		if got := reasonOf(&net.OpError{Op: "dial", Err: err}, []string{"tls://tune"}); !errors.Is(got, want) {
			t.Errorf("%v: want %v", got, want)
		}
	}
}
