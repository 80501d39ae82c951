package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Files say who is trusted, and who one is oneself. All are PEM but Revoked.
type Files struct {
	CA        string // authorities whose certificates are believed
	Cert, Key string // one's own
	Revoked   string // serial numbers that hold no more; empty: none. One that is called revoked.txt may come later, any other must be there
}

// Trust is what the files say. They may change while they are used.
type Trust struct {
	files Files
	now   atomic.Pointer[view]

	mutex   sync.Mutex
	seen    [4]stamp // of the files, when they were last read
	changed []func() // who wants to know
}

// view is what the files said when they were read last.
type view struct {
	pool    *x509.CertPool
	pair    tls.Certificate
	revoked Revocations
	gone    string // what to tell of their file, where that is there no more
}

// stamp is what of a file changes with it.
type stamp struct {
	size     int64
	modified time.Time
}

// OpenTrust reads the files. An error names the one that is wrong.
func OpenTrust(files Files) (*Trust, error) {
	t := &Trust{files: files}
	return t, t.Reload()
}

// Reload reads the files again, and has connections cut whose certificates hold no more. After an error everything is as it was.
func (t *Trust) Reload() error {
	t.mutex.Lock()
	seen := t.stamps() // before they are read: what changes meanwhile is read the next time
	v, err := t.read()
	if err == nil {
		t.now.Store(v)
		t.seen = seen
	}
	changed := t.changed
	t.mutex.Unlock()
	if err != nil {
		return err
	}
	for _, tell := range changed {
		tell()
	}
	return nil
}

// Watch reads the files again whenever one has changed, until the context ends, and says what came of it, the same error once.
func (t *Trust) Watch(ctx context.Context, every time.Duration, log func(string)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		t.mutex.Lock()
		same := t.stamps() == t.seen
		t.mutex.Unlock()
		if same {
			continue
		}
		err := t.Reload()
		text := "certificates and revocations were read again" + t.now.Load().gone
		if err != nil {
			text = "certificates and revocations stay as they were: " + err.Error()
		}
		if err == nil || text != said {
			log(text)
		}
		if said = ""; err != nil {
			said = text
		}
	}
}

// onChange has somebody told whenever the files were read again.
func (t *Trust) onChange(tell func()) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.changed = append(t.changed, tell)
}

func (t *Trust) stamps() (out [4]stamp) {
	for i, name := range []string{t.files.CA, t.files.Cert, t.files.Key, t.files.Revoked} {
		if info, err := os.Stat(name); err == nil {
			out[i] = stamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

func (t *Trust) read() (*view, error) {
	pair, err := loadPair(t.files.Cert, t.files.Key)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(t.files.CA)
	if err != nil {
		return nil, fmt.Errorf("authorities: %w", err)
	}
	v := &view{pool: x509.NewCertPool(), pair: pair}
	if !v.pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("authorities: %s: no certificate in it: want PEM", t.files.CA)
	}
	var known Revocations
	if before := t.now.Load(); before != nil {
		known = before.revoked
	}
	v.revoked, v.gone, err = known.Reread(t.files.Revoked, RevokedLater(t.files.Revoked))
	return v, err
}

// serverTLS is for a listener that lets in who shows a certificate of an authority. Connections that begin after a Reload are as the files are
// then; none is resumed, so that each shows its certificate anew.
func (t *Trust) serverTLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAndVerifyClientCert,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			v := t.now.Load()
			return &tls.Config{
				MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true,
				Certificates: []tls.Certificate{v.pair}, ClientCAs: v.pool, ClientAuth: tls.RequireAndVerifyClientCert,
			}, nil
		},
	}
}

// ErrRevoked is why a certificate on the list of revocations is refused.
var ErrRevoked = errors.New("it is revoked")

// Verify returns why a certificate of a client holds no more at a moment: it wraps ErrRevoked, or says what x509 says.
func (t *Trust) Verify(leaf *x509.Certificate, at time.Time) error {
	v := t.now.Load()
	if v.revoked[Serial(leaf)] {
		return ErrRevoked
	}
	_, err := leaf.Verify(x509.VerifyOptions{Roots: v.pool, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err
}
