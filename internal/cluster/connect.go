package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

const (
	reconnectWait = 200 * time.Millisecond
	reconnectMost = 3 * time.Second
	pingInterval  = 5 * time.Second
	dialTime      = 5 * time.Second
)

// Client is who connects, and where to.
type Client struct {
	Files  Files    // Revoked is not read: that is the server's
	URLs   []string // of servers, as in tls://tune.example.org:4222
	Log    *zap.Logger
	Closed func(error) // is called when the connection has ended for good; nil: nobody wants to know
}

// Errors of Dial beside those of the files.
var (
	ErrExpired     = errors.New("the certificate is not valid at this time")
	ErrUntrusted   = errors.New("the server's certificate is not to be trusted")
	ErrRefused     = errors.New("the server refused the certificate")
	ErrUnreachable = errors.New("no server answers")
	ErrUnknownHost = errors.New("there is no host of that name")
)

// Dial connects as a worker or an admin, and returns the name in the certificate, which is the NAME of the subjects below which it may speak. The
// connection comes back after whatever breaks it, for ever, and reads certificate and key anew each time, so that they can be exchanged
// meanwhile. An error says what has to be done: it wraps ErrExpired, ErrUntrusted, ErrRefused, ErrUnknownHost or ErrUnreachable, or names a file. After
// ErrUnreachable alone the same may succeed later.
func Dial(c Client) (conn *nats.Conn, name string, err error) {
	trust, err := OpenTrust(Files{CA: c.Files.CA, Cert: c.Files.Cert, Key: c.Files.Key})
	if err != nil {
		return nil, "", err
	}
	leaf := trust.now.Load().pair.Leaf
	name, role, err := holder(leaf)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", c.Files.Cert, err)
	}
	if err := timely(leaf, c.Files.Cert, time.Now()); err != nil {
		return nil, "", err
	}
	if role != Worker && role != Admin {
		return nil, "", fmt.Errorf("%s: the role of %s is %s: want %s or %s: %w", c.Files.Cert, name, role, Worker, Admin, ErrRefused)
	}
	if err := CheckURLs("server", c.URLs); err != nil {
		return nil, "", err
	}
	conn, err = nats.Connect(strings.Join(c.URLs, ","), c.options(trust, name)...)
	if err != nil {
		return nil, "", reasonOf(err, c.URLs)
	}
	return conn, name, nil
}

// options are those that a connection over bad networks needs.
func (c *Client) options(trust *Trust, name string) []nats.Option {
	log := c.Log
	if log == nil {
		log = zap.NewNop()
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS13, RootCAs: trust.now.Load().pool,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if err := trust.Reload(); err != nil {
				log.Warn("the certificate stays as it was", zap.Error(err))
			}
			pair := trust.now.Load().pair
			return &pair, nil
		},
	}
	return []nats.Option{
		nats.Name(name), nats.Secure(config), nats.CustomInboxPrefix(InboxPrefix(name)), nats.Timeout(dialTime),
		nats.MaxReconnects(-1), nats.CustomReconnectDelay(patience), nats.ReconnectBufSize(-1),
		nats.IgnoreAuthErrorAbort(), nats.PingInterval(pingInterval), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { log.Warn("disconnected", zap.Error(err)) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { log.Debug("not connected yet", zap.Error(err)) }),
		nats.ReconnectHandler(func(n *nats.Conn) { log.Info("connected again", zap.String("to", n.ConnectedUrl())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("the server says", zap.Error(err)) }),
		nats.ClosedHandler(func(n *nats.Conn) {
			if c.Closed != nil {
				c.Closed(n.LastError())
			}
		}),
	}
}

// patience is how long to wait before the servers are tried again: soon at first, and every few seconds where they stay away, or keep
// refusing the certificate.
func patience(attempts int) time.Duration {
	wait := min(reconnectWait<<min(attempts/10, 10), reconnectMost)
	return wait + rand.N(wait)
}

// timely wants a certificate that holds now.
func timely(leaf *x509.Certificate, path string, now time.Time) error {
	const layout = time.RFC3339
	switch {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("%s: it ended at %s, and the clock says %s: want tarry certify DIR --renew %s where the authority is: %w",
			path, leaf.NotAfter.Format(layout), now.Format(layout), leaf.Subject.CommonName, ErrExpired)
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("%s: it begins at %s, and the clock says %s: is the clock right? %w", path, leaf.NotBefore.Format(layout), now.Format(layout), ErrExpired)
	}
	return nil
}

// reasonOf says why a first connection failed.
func reasonOf(err error, urls []string) error {
	at := strings.Join(urls, ", ")
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var elsewhere x509.HostnameError
	var alert tls.AlertError
	var lookup *net.DNSError
	text := err.Error()
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: another authority signed it than that of the file of authorities: %w: %w", at, ErrUntrusted, err)
	case errors.As(err, &elsewhere):
		return fmt.Errorf("%s: it is for other names: want tarry certify DIR --renew server --host NAME: %w: %w", at, ErrUntrusted, err)
	case errors.As(err, &invalid):
		return fmt.Errorf("%s: %w: %w", at, ErrUntrusted, err)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.As(err, &alert), strings.Contains(text, "remote error: tls"),
		strings.Contains(text, "after TLS handshake"), // it hung up without a word, or the word was lost: only a certificate is refused then
		strings.Contains(strings.ToLower(text), "authorization violation"):
		return fmt.Errorf("%s: it is revoked, of another authority or role, or at its end; the server's log says which: %w: %w", at, ErrRefused, err)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return fmt.Errorf("%s: %w: %w", at, ErrUnknownHost, err)
	default:
		return fmt.Errorf("%s: %w: %w", at, ErrUnreachable, err)
	}
}

// CheckURLs wants at least one address of a NATS server. Field is what they are called.
func CheckURLs(field string, urls []string) error {
	var wrong []error
	if len(urls) == 0 {
		wrong = append(wrong, fmt.Errorf("%s: want at least one as in tls://tune.example.org:4222", field))
	}
	for i, text := range urls {
		u, err := url.Parse(text)
		if err != nil || (u.Scheme != "tls" && u.Scheme != "nats") || u.Hostname() == "" || u.User != nil || strings.Contains(text, ",") {
			wrong = append(wrong, fmt.Errorf("%s[%d] = %q: want a server as in tls://tune.example.org:4222", field, i, text))
		}
	}
	return errors.Join(wrong...)
}
