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
	"math/big"
	"net"
	"path/filepath"
	"slices"
	"time"
)

// How long certificates hold, where nobody says.
const (
	authorityTime = 10 * 365 * 24 * time.Hour
	serverTime    = 2 * 365 * 24 * time.Hour
	ClientTime    = 365 * 24 * time.Hour
	maxTime       = authorityTime

	// backdated is how long before it is made a certificate begins to hold, so that machines whose clocks are behind take it.
	backdated = 24 * time.Hour
)

// authorityName is that of the files of the authority.
const authorityName = "ca"

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// makeAuthority writes a new authority to a folder. Its key never leaves it.
func makeAuthority(dir string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := blank(authorityTime)
	if err != nil {
		return nil, err
	}
	template.Subject = pkix.Name{CommonName: "tarry " + template.SerialNumber.Text(16)[:8]}
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero = true, true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{cert, key}, writePair(dir, authorityName, der, key)
}

// openAuthority reads that of a folder.
func openAuthority(dir string) (*authority, error) {
	cert, key, err := readPair(dir, authorityName)
	if err != nil {
		return nil, fmt.Errorf("authority: %w", err)
	}
	if !cert.IsCA {
		return nil, fmt.Errorf("authority: %s is the certificate of no authority", filepath.Join(dir, authorityName+".pem"))
	}
	return &authority{cert, key}, nil
}

// sign returns a certificate of somebody's key, and keeps in the folder that there is one.
func (a *authority) sign(dir string, template *x509.Certificate, public *ecdsa.PublicKey) ([]byte, error) {
	if template.NotAfter.After(a.cert.NotAfter) {
		template.NotAfter = a.cert.NotAfter // it would not be believed for longer
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, public, a.key)
	if err != nil {
		return nil, err
	}
	return der, noteIssued(dir, template)
}

// blank is a certificate with a new serial number that holds from a day ago until validity has passed.
func blank(validity time.Duration) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 126))
	if err != nil {
		return nil, err
	}
	serial.SetBit(serial, 126, 1) // so that all are equally long
	now := time.Now()
	return &x509.Certificate{SerialNumber: serial, NotBefore: now.Add(-backdated), NotAfter: now.Add(validity)}, nil
}

// Issue writes the certificate and the key of a new client, DIR/NAME.pem and DIR/NAME.key, which only the owner may read. Files that are there
// are not overwritten: the error wraps fs.ErrExist. Validity 0 means ClientTime. Cost: one signature, about a millisecond.
func Issue(dir, role, name string, validity time.Duration) error {
	if err := errors.Join(named(name, role), lasting(&validity)); err != nil {
		return err
	}
	a, err := openAuthority(dir)
	if err != nil {
		return err
	}
	return a.issue(dir, role, name, validity)
}

// lasting wants a validity that a certificate may have; 0 becomes the usual.
func lasting(validity *time.Duration) error {
	if *validity == 0 {
		*validity = ClientTime
	}
	if *validity < time.Second || *validity > maxTime {
		return fmt.Errorf("validity = %v: want 1s ≤ validity ≤ %d days", *validity, int(maxTime.Hours()/24))
	}
	return nil
}

func (a *authority) issue(dir, role, name string, validity time.Duration) error {
	if err := absent(dir, name); err != nil {
		return err
	}
	template, err := blank(validity)
	if err != nil {
		return err
	}
	template.Subject = pkix.Name{CommonName: name, OrganizationalUnit: []string{role}}
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.certify(dir, name, template)
}

// certify makes a key, signs its certificate and writes both.
func (a *authority) certify(dir, name string, template *x509.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := a.sign(dir, template, &key.PublicKey)
	if err != nil {
		return err
	}
	return writePair(dir, name, der, key)
}

// IssueServer writes the certificate and the key of another server, DIR/NAME.pem and DIR/NAME.key, for these names and addresses and for its own
// machine's: that of a standby, or of a NATS server. Files that are there are not overwritten: the error wraps fs.ErrExist. Validity 0 means two years.
func IssueServer(dir, name string, validity time.Duration, hosts ...string) error {
	if validity == 0 {
		validity = serverTime
	}
	if err := errors.Join(named(name, Worker), lasting(&validity), hostsAreNames("host", hosts)); err != nil {
		return err
	}
	a, err := openAuthority(dir)
	if err != nil {
		return err
	}
	if err := absent(dir, name); err != nil {
		return err
	}
	return a.issueServer(dir, name, validity, hosts)
}

// issueServer writes the certificate of a server, for these names and addresses and for its machine's own.
func (a *authority) issueServer(dir, name string, validity time.Duration, hosts []string) error {
	template, err := blank(validity)
	if err != nil {
		return err
	}
	template.Subject = pkix.Name{CommonName: name}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		ip := net.ParseIP(host)
		switch {
		case ip == nil && !slices.Contains(template.DNSNames, host):
			template.DNSNames = append(template.DNSNames, host)
		case ip != nil && !slices.ContainsFunc(template.IPAddresses, ip.Equal):
			template.IPAddresses = append(template.IPAddresses, ip)
		}
	}
	return a.certify(dir, name, template)
}

// readPair reads a certificate with its key.
func readPair(dir, name string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	pair, err := loadPair(filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key"))
	if err != nil {
		return nil, nil, err
	}
	key, is := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !is {
		return nil, nil, fmt.Errorf("%s: the key is %T: want one that tarry made", filepath.Join(dir, name+".key"), pair.PrivateKey)
	}
	return pair.Leaf, key, nil
}

// loadPair reads a certificate with its key; the error names both files.
func loadPair(cert, key string) (tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return pair, fmt.Errorf("certificate %s and key %s: %w", cert, key, err)
	}
	return pair, nil
}
