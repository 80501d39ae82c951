package cluster

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestWhoIsRevokedIsDisconnectedAndOthersStay(t *testing.T) {
	w := begin(t)
	w.issue(Worker, "gpu-1")
	bad, good := w.in("gpu-1"), w.in(Worker)
	serials, err := Revoke(w.dir, "gpu-1")
	if err != nil || len(serials) != 1 {
		t.Fatal(serials, err)
	}
	w.says("disconnected", ErrRevoked.Error())
	w.eventually("it is out", func() bool { return !bad.IsConnected() })
	w.says("refused", ErrRevoked.Error()) // it tries again
	if _, err := w.dial("gpu-1"); !errors.Is(err, ErrRefused) {
		t.Errorf("it came in again: %v", err)
	}
	if good.Stats().Reconnects != 0 || !good.IsConnected() {
		t.Error("another one was disconnected")
	}
	if again, err := Revoke(w.dir, "gpu-1"); err != nil || again != nil {
		t.Errorf("revoked twice: %v, %v", again, err)
	}
	if _, err := Revoke(w.dir, "nobody"); !errors.Is(err, ErrNotIssued) {
		t.Error(err)
	}
}

// Who was revoked stays out when the file is taken away, and the log says so; one that was never there revokes nobody, unless it has another name than the
// one that the first revocation makes.
func TestWhoIsRevokedStaysOutWhenTheFileIsTakenAway(t *testing.T) {
	w := begin(t)
	w.issue(Worker, "gpu-1")
	w.must(w.trust.Reload())
	leaf, _, err := readPair(w.dir, "gpu-1")
	w.must(err)
	_, err = Revoke(w.dir, "gpu-1")
	w.must(err)
	w.must(w.trust.Reload())
	files := w.trust.files
	w.must(os.Remove(files.Revoked))
	w.must(w.trust.Reload())
	if err := w.trust.Verify(leaf, time.Now()); !errors.Is(err, ErrRevoked) {
		t.Error("it is let in again:", err)
	}
	if gone := w.trust.now.Load().gone; !contains(gone, "revoked.txt is gone, and whom it named stays revoked (1)") {
		t.Error(gone)
	}
	files.Revoked = filepath.Join(w.dir, "others.txt")
	if _, err := OpenTrust(files); !errors.Is(err, fs.ErrNotExist) || !contains(err, "others.txt") {
		t.Error(err)
	}
}

func TestOneOfTwoCertificatesOfANameIsRevokedByItsSerialNumber(t *testing.T) {
	w := begin(t)
	old, _, err := readPair(w.dir, Worker)
	w.must(err)
	w.must(failed(Renew(w.dir, Worker, 0)))
	serials, err := Revoke(w.dir, Serial(old))
	if err != nil || len(serials) != 1 || serials[0] != Serial(old) {
		t.Fatal(serials, err)
	}
	w.must(w.trust.Reload())
	w.in(Worker)
	if err := w.trust.Verify(old, time.Now()); !errors.Is(err, ErrRevoked) {
		t.Error(err)
	}
}

func TestAWorkersCertificateIsExchangedWhileItIsConnected(t *testing.T) {
	w := begin(t)
	worker := w.in(Worker)
	old, _, err := readPair(w.dir, Worker)
	w.must(err)
	w.must(failed(Renew(w.dir, Worker, 0)))
	_, err = Revoke(w.dir, Serial(old))
	w.must(err)
	w.eventually("it is back with the new one", func() bool { return worker.IsConnected() && worker.Stats().Reconnects > 0 })
	w.must(worker.Publish("tarry.hb.worker.i", nil))
	w.must(worker.Flush())
}

func TestTheServersCertificateIsExchangedWithoutARestart(t *testing.T) {
	w := begin(t)
	worker := w.in(Worker)
	before, _, err := readPair(w.dir, serverName)
	w.must(err)
	w.must(failed(Renew(w.dir, serverName, 0, "new.example.org")))
	shown := func() string {
		conn := w.in(Worker)
		defer conn.Close()
		state, err := conn.TLSConnectionState()
		w.must(err)
		return Serial(state.PeerCertificates[0])
	}
	w.eventually("the new one is shown", func() bool { return shown() != Serial(before) })
	after, _, err := readPair(w.dir, serverName)
	w.must(err)
	if after.VerifyHostname("new.example.org") != nil || after.VerifyHostname("tune.example.org") != nil || after.VerifyHostname("10.1.2.3") != nil {
		t.Error("names are missing: ", after.DNSNames, after.IPAddresses)
	}
	if worker.Stats().Reconnects != 0 || !worker.IsConnected() {
		t.Error("who was connected was disconnected")
	}
}

// Another authority puts out whom the first had let in.
func TestAnAuthorityThatIsExchangedPutsOutWhoseCertificateItDidNotSign(t *testing.T) {
	w := begin(t)
	worker := w.in(Worker)
	other := t.TempDir()
	w.must(Init(other, nil))
	for _, name := range []string{"server.key", "server.pem", "ca.pem"} {
		text, err := os.ReadFile(filepath.Join(other, name))
		w.must(err)
		w.must(os.WriteFile(filepath.Join(w.dir, name), text, 0o600))
	}
	w.eventually("it is out", func() bool { return !worker.IsConnected() })
	conn, _, err := Dial(Client{Files: FilesOf(other, Worker), URLs: []string{w.server.URL()}})
	w.must(err)
	conn.Close()
}

func TestFilesThatAreWrongLeaveEverythingAsItWas(t *testing.T) {
	w := begin(t)
	worker := w.in(Worker)
	for _, name := range []string{"server.pem", "ca.pem", "revoked.txt"} {
		path := filepath.Join(w.dir, name)
		was, err := os.ReadFile(path)
		if err != nil && name != "revoked.txt" {
			t.Fatal(err)
		}
		w.must(os.WriteFile(path, []byte("nonsense"), 0o600))
		if err := w.trust.Reload(); err == nil || !contains(err, name) {
			t.Errorf("%s: %v", name, err)
		}
		w.must(os.WriteFile(path, was, 0o600))
		w.must(w.trust.Reload())
	}
	if worker.Stats().Reconnects != 0 {
		t.Error("somebody was disconnected")
	}
	w.in(Admin)
}

// A client that shows an old session must show its certificate anew, which may be revoked by now.
func TestNoSessionIsResumed(t *testing.T) {
	w := begin(t)
	pair, err := loadPair(filepath.Join(w.dir, "worker.pem"), filepath.Join(w.dir, "worker.key"))
	w.must(err)
	config := &tls.Config{RootCAs: w.trust.now.Load().pool, Certificates: []tls.Certificate{pair}, ClientSessionCache: tls.NewLRUClientSessionCache(4)}
	for range 3 {
		conn, err := nats.Connect(w.server.URL(), nats.Secure(config))
		w.must(err)
		state, err := conn.TLSConnectionState()
		if err != nil || state.DidResume {
			t.Error("resumed", err)
		}
		conn.Close()
	}
}
