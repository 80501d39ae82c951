package serve

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

	"github.com/tarry-bo/tarry/internal/cluster"
)

// KeyFiles are the files that say who is let in, PEM but for the roles.
type KeyFiles struct {
	Cert, Key string // of the server
	ClientCA  string // authorities whose certificates callers show
	Roles     string // JSON: roles by common names; empty: the organizational units of certificates are roles
	Revoked   string // serial numbers of certificates that hold no more; empty: none

	RevokedLater bool // the file of these may be missing until somebody is revoked
}

// Keys let callers in by their certificates, and say what each may do. The files may change while they are used.
type Keys struct {
	files KeyFiles
	now   atomic.Pointer[keyring]
	clock atomic.Pointer[time.Time] // nil: the clock on the wall

	mutex sync.Mutex
	seen  [5]stamp // of the files, when they were last read
}

// keyring is what the files say.
type keyring struct {
	tls   *tls.Config
	roots *x509.CertPool
	roles roles // nil: without a file

	revoked  cluster.Revocations
	gone     string        // what to tell of their file, where that is there no more
	replaced chan struct{} // closed when there is another

	mutex sync.Mutex
	known map[[32]byte]error // certificates that were looked at, by their hash
}

// altered returns what is closed when others may be let in; nil, which never is, without keys.
func (k *Keys) altered() <-chan struct{} {
	if k == nil {
		return nil
	}
	return k.now.Load().replaced
}

// stamp is what of a file changes with it.
type stamp struct {
	size     int64
	modified time.Time
}

// OpenKeys reads the files. An error names the one that is wrong.
func OpenKeys(files KeyFiles) (*Keys, error) {
	k := &Keys{files: files}
	_, err := k.Reload()
	return k, err
}

// TLS is for a listener. Connections that begin after a Reload are as the files are then.
func (k *Keys) TLS() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return k.now.Load().tls, nil },
	}
}

// Reload reads the files again and reports whether one had changed. After an error everything is as it was.
func (k *Keys) Reload() (changed bool, err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	seen := k.stamps() // before they are read: what changes meanwhile is read the next time
	changed = seen != k.seen
	before := k.now.Load()
	ring, err := k.read(before)
	if err != nil {
		return changed, err
	}
	k.now.Store(ring)
	if before != nil {
		close(before.replaced) // who is let in for long is looked at again
	}
	k.seen = seen
	return changed, nil
}

// Watch reads the files again whenever one has changed, until the context ends, and says what came of it, an error once.
func (k *Keys) Watch(ctx context.Context, every time.Duration, log func(string)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		k.mutex.Lock()
		changed := k.stamps() != k.seen
		k.mutex.Unlock()
		if !changed {
			continue
		}
		_, err := k.Reload()
		text := k.reloaded(err)
		if err == nil || text != said {
			log(text)
		}
		if said = ""; err != nil {
			said = text
		}
	}
}

// Reread is Reload for somebody who asked for it.
func (k *Keys) Reread(log func(string)) {
	_, err := k.Reload()
	log(k.reloaded(err))
}

func (k *Keys) reloaded(err error) string {
	if err != nil {
		return "certificates and roles stay as they were: " + err.Error()
	}
	return "certificates and roles were read again" + k.now.Load().gone
}

func (k *Keys) stamps() (out [5]stamp) {
	for i, name := range []string{k.files.Cert, k.files.Key, k.files.ClientCA, k.files.Roles, k.files.Revoked} {
		if info, err := os.Stat(name); err == nil {
			out[i] = stamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

// read reads the files; before is what they said the last time, nil where that was never.
func (k *Keys) read(before *keyring) (*keyring, error) {
	pair, err := tls.LoadX509KeyPair(k.files.Cert, k.files.Key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s and key %s: %w", k.files.Cert, k.files.Key, err)
	}
	text, err := os.ReadFile(k.files.ClientCA)
	if err != nil {
		return nil, fmt.Errorf("authorities: %w", err)
	}
	ring := &keyring{roots: x509.NewCertPool(), known: map[[32]byte]error{}, replaced: make(chan struct{})}
	if !ring.roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("authorities: %s: %w", k.files.ClientCA, errors.New("no certificate in it: want PEM"))
	}
	ring.tls = &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}, ClientCAs: ring.roots, ClientAuth: tls.RequireAndVerifyClientCert,
	}
	var known cluster.Revocations
	if before != nil {
		known = before.revoked
	}
	if ring.revoked, ring.gone, err = known.Reread(k.files.Revoked, k.files.RevokedLater); err != nil {
		return nil, err
	}
	if k.files.Roles == "" {
		return ring, nil
	}
	if text, err = os.ReadFile(k.files.Roles); err != nil {
		return nil, fmt.Errorf("roles: %w", err)
	}
	if ring.roles, err = parseRoles(text); err != nil {
		return nil, fmt.Errorf("roles: %s: %w", k.files.Roles, err)
	}
	return ring, nil
}
