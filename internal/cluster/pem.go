package cluster

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// absent wants that neither file of a client is there.
func absent(dir, name string) error {
	for _, end := range []string{".pem", ".key"} {
		path := filepath.Join(dir, name+end)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return &fs.PathError{Op: "make", Path: path, Err: fs.ErrExist}
		}
	}
	return nil
}

func writePair(dir, name string, der []byte, key *ecdsa.PrivateKey) error {
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name+".key")
	if err := writeNew(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})); err != nil {
		return err
	}
	return writeNew(filepath.Join(dir, name+".pem"), certPEM(der))
}

func certPEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// writeNew writes a file that is not there yet, for its owner alone, down to the disk.
func writeNew(path string, text []byte) error {
	return write(path, os.O_EXCL, text)
}

// appendTo adds to a file, which is made where there is none, in one write.
func appendTo(path string, text []byte) error { return write(path, os.O_APPEND, text) }

func write(path string, how int, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// hostsAreNames wants names and addresses that a certificate can have, and no ports.
func hostsAreNames(field string, hosts []string) error {
	var wrong []error
	for _, host := range hosts {
		if net.ParseIP(host) == nil && !isHost(host) {
			wrong = append(wrong, fmt.Errorf("%s = %q: want a name or an address as in tune.example.org or 10.0.0.7, without a port", field, host))
		}
	}
	return errors.Join(wrong...)
}

// isHost reports whether a text is a name of a machine as certificates have them.
func isHost(text string) bool {
	if text == "" || len(text) > 253 {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if !IsName(strings.ReplaceAll(label, "_", "!")) || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	return true
}
