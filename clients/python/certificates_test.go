package python_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// certificates returns a folder with an authority, ca.pem, and what it signed: server.pem with server.key, client.pem with client.key.
func certificates(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	template := func(serial int64, name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name, OrganizationalUnit: []string{"admin"}}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true,
		}
	}
	authority := template(1, "authority")
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	var signer *ecdsa.PrivateKey
	for i, name := range []string{"ca", "server", "client"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		one := authority
		if i == 0 {
			signer = key
		} else {
			one = template(int64(i+1), name)
		}
		certificate, err := x509.CreateCertificate(rand.Reader, one, authority, &key.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		secret, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: certificate}, name + ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
			if err := os.WriteFile(filepath.Join(folder, file), pem.EncodeToMemory(block), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}
