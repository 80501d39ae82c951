package serve

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/cluster"
)

// caller is who sent a request.
type caller struct {
	name   string // of the certificate
	grants []grant
	source string // why there are no grants
}

// caller returns who sent the request, or why that is nobody any more. A connection lives longer than what it began with: so its
// certificate is looked at again when it ends, and when the authorities are others.
func (k *Keys) caller(state *tls.ConnectionState) (caller, error) {
	if state == nil || len(state.PeerCertificates) == 0 {
		return caller{name: "somebody without a certificate"}, fmt.Errorf("there is no certificate")
	}
	cert, ring := state.PeerCertificates[0], k.now.Load()
	c := caller{name: cert.Subject.CommonName}
	if k.time().After(cert.NotAfter) {
		return c, fmt.Errorf("it ended at %s", cert.NotAfter.UTC().Format(time.RFC3339))
	}
	if ring.revoked[cluster.Serial(cert)] {
		return c, cluster.ErrRevoked
	}
	if err := ring.verify(state.PeerCertificates); err != nil {
		return c, err
	}
	if ring.roles != nil {
		c.grants, c.source = ring.roles[c.name], "the file of roles does not name it"
		return c, nil
	}
	for _, unit := range cert.Subject.OrganizationalUnit {
		if r, is := roleOf(unit); is {
			c.grants = append(c.grants, grant{role: r})
		}
	}
	c.source = fmt.Sprintf("none of the organizational units %q of its certificate is one", cert.Subject.OrganizationalUnit)
	return c, nil
}

// ends returns what is sent to when the certificate of a caller ends; nil, which never is, without keys. Who stays for long is looked at again then.
func (k *Keys) ends(state *tls.ConnectionState) <-chan time.Time {
	if k == nil || state == nil || len(state.PeerCertificates) == 0 {
		return nil
	}
	return time.After(state.PeerCertificates[0].NotAfter.Sub(k.time()) + time.Millisecond) // so that it has ended by the clock on the wall too
}

func (k *Keys) time() time.Time {
	if fixed := k.clock.Load(); fixed != nil {
		return *fixed
	}
	return time.Now()
}

// maxKnown bounds how many certificates are remembered. Where there are more, all are looked at anew.
const maxKnown = 10000

// verify returns why a certificate is not one of the authorities of now.
func (k *keyring) verify(chain []*x509.Certificate) error {
	hash := sha256.Sum256(chain[0].Raw)
	k.mutex.Lock()
	defer k.mutex.Unlock()
	err, known := k.known[hash]
	if known {
		return err
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err = chain[0].Verify(x509.VerifyOptions{Roots: k.roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	if len(k.known) >= maxKnown {
		clear(k.known)
	}
	k.known[hash] = err
	return err
}

// permit says why the caller may not do what the route does; nil without keys, where everybody may do everything.
func (s *Server) permit(r *http.Request, to route) *problem {
	if s.config.Keys == nil {
		return nil
	}
	c, err := s.config.Keys.caller(r.TLS)
	study := r.PathValue("study")
	var p *problem
	switch {
	case err != nil:
		p = problemOf(http.StatusForbidden, "certificate", "the certificate of %q lets nobody in any more: %v", shortened(c.name), err)
	case allow(c.grants, to.may, study):
		return nil
	default:
		needs := strings.ReplaceAll((to.may | admin).String(), ", ", " or ")
		if study != "" {
			needs += " of " + shortened(study)
		}
		has := said(c.grants)
		if len(c.grants) == 0 {
			has += ": " + c.source
		}
		p = problemOf(http.StatusForbidden, "role", "%q has %s; %s %s needs %s", shortened(c.name), has, to.method, to.path, needs)
		if len(c.grants) > 0 {
			p.Detail = fmt.Sprintf("%q is %s; %s %s needs %s", shortened(c.name), has, to.method, to.path, needs)
		}
	}
	s.log.say("refused %s %s from %s: %s", r.Method, shortened(r.URL.Path), r.RemoteAddr, p.Detail)
	return p
}

// permissions are the routes that are open to the caller, for a study of this name.
func (s *Server) permissions(r *http.Request, _ []byte) (answer, *problem) {
	study := r.PathValue("study")
	if !isStudyName(study) {
		return answer{}, misnamed(study)
	}
	out := struct {
		Caller string   `json:"caller,omitempty"`
		May    []string `json:"may"`
	}{May: []string{}}
	var grants []grant
	if s.config.Keys != nil {
		c, err := s.config.Keys.caller(r.TLS)
		if err != nil {
			return answer{}, problemOf(http.StatusForbidden, "certificate", "the certificate of %q lets nobody in any more: %v", shortened(c.name), err)
		}
		out.Caller, grants = c.name, c.grants
	}
	for pattern, one := range s.routeOf {
		if strings.HasPrefix(one.path, studyPath) && (s.config.Keys == nil || allow(grants, one.may, study)) {
			out.May = append(out.May, pattern)
		}
	}
	slices.Sort(out.May)
	return answer{body: marshalled(out)}, nil
}

// sees reports whether the caller has a role in a study.
func (s *Server) sees(r *http.Request, study string) bool {
	if s.config.Keys == nil {
		return true
	}
	c, err := s.config.Keys.caller(r.TLS)
	return err == nil && allow(c.grants, anybody, study)
}
