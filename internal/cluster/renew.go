package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Renewed is what became of a certificate that was exchanged.
type Renewed struct {
	Until time.Time // the new one holds
	Key   bool      // whether there is a new key too, since the certificate before had been revoked
}

// Renew exchanges the certificate of the server ("server") or of a client for one of the same holder and names that holds from now on, with
// a new serial number. The key stays what it was, and the certificate before holds until its end; one that was revoked is followed by one
// with a new key, since somebody else may have the old one. Files are exchanged at once: programs that have them open read the one or the other.
// Validity 0 means as long as the one before; hosts, for servers only, are added to its names.
func Renew(dir, name string, validity time.Duration, hosts ...string) (Renewed, error) {
	if !IsName(name) || name == authorityName {
		return Renewed{}, fmt.Errorf("name = %q: want server, or the name of a client", name)
	}
	a, err := openAuthority(dir)
	if err != nil {
		return Renewed{}, err
	}
	old, key, err := readPair(dir, name)
	if err != nil {
		return Renewed{}, err
	}
	if validity == 0 {
		validity = min(max(old.NotAfter.Sub(old.NotBefore)-backdated, time.Second), maxTime)
	}
	if err := errors.Join(lasting(&validity), hostsAreNames("host", hosts)); err != nil {
		return Renewed{}, err
	}
	if len(hosts) > 0 && !slices.Contains(old.ExtKeyUsage, x509.ExtKeyUsageServerAuth) {
		return Renewed{}, fmt.Errorf("host = %s: want none, since %s is a client", hosts[0], name)
	}
	revoked, err := revokedIn(dir)
	if err != nil {
		return Renewed{}, err
	}
	again := Renewed{Key: revoked[Serial(old)]}
	if again.Key {
		if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return Renewed{}, err
		}
	}
	template, err := successor(old, validity, hosts)
	if err != nil {
		return Renewed{}, err
	}
	der, err := a.sign(dir, template, &key.PublicKey)
	if err != nil {
		return Renewed{}, err
	}
	again.Until = template.NotAfter
	return again, exchange(dir, name, der, key, again.Key)
}

// successor is a certificate of the same holder and names as another one, and of more names.
func successor(old *x509.Certificate, validity time.Duration, hosts []string) (*x509.Certificate, error) {
	template, err := blank(validity)
	if err != nil {
		return nil, err
	}
	template.Subject = pkix.Name{CommonName: old.Subject.CommonName, OrganizationalUnit: old.Subject.OrganizationalUnit}
	template.KeyUsage, template.ExtKeyUsage = old.KeyUsage, old.ExtKeyUsage
	template.DNSNames, template.IPAddresses = old.DNSNames, old.IPAddresses
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	return template, nil
}

// exchange puts a certificate in the place of another, and its key where that is new.
func exchange(dir, name string, der []byte, key *ecdsa.PrivateKey, keyed bool) error {
	cert, secret := filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	if !keyed {
		if err := writeNew(cert+".new", certPEM(der)); err != nil {
			return err
		}
		return os.Rename(cert+".new", cert)
	}
	fresh := filepath.Join(dir, name+".new")
	if err := writePair(dir, name+".new", der, key); err != nil {
		return err
	}
	if err := os.Rename(fresh+".key", secret); err != nil {
		return err
	}
	return os.Rename(fresh+".pem", cert)
}
