package cluster

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	revokedFile = "revoked.txt" // serial numbers that hold no more
	issuedFile  = "issued.txt"  // what was ever signed: serial number, role, name, end

	maxRevoked = 1 << 20 // bytes of the file of revocations
	serialSize = 32      // digits of a serial number
)

// Serial is the serial number of a certificate as the files write it: in hexadecimal digits.
func Serial(c *x509.Certificate) string { return serialText(c.SerialNumber) }

func serialText(n *big.Int) string { return fmt.Sprintf("%0*x", serialSize, n) }

// Revocations are serial numbers that hold no more, as Serial writes them; nil: no file was read.
type Revocations map[string]bool

// parseRevocations reads a file of revocations: a serial number at the beginning of each line, and after a blank whatever somebody wants to
// know of it; lines that are empty or begin with # mean nothing. An error names every line that is wrong.
func parseRevocations(text []byte) (Revocations, error) {
	if len(text) > maxRevoked {
		return nil, fmt.Errorf("%d bytes: want at most %d", len(text), maxRevoked)
	}
	out := Revocations{}
	var wrong []error
	for i, line := range strings.Split(string(bytes.TrimPrefix(text, []byte("\ufeff"))), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		serial := strings.ToLower(strings.ReplaceAll(fields[0], ":", ""))
		n, ok := new(big.Int).SetString(serial, 16)
		if !ok || n.Sign() <= 0 || len(serial) > 40 || serial[0] == '+' {
			if wrong = append(wrong, fmt.Errorf("line %d = %.60q: want a serial number, hexadecimal, at its beginning", i+1, fields[0])); len(wrong) == 10 {
				break
			}
			continue
		}
		out[serialText(n)] = true
	}
	return out, errors.Join(wrong...)
}

// ReadRevocations reads a file of revocations, as Revoke writes it: a serial number at the beginning of each line. An empty path is an empty
// one; an error names the file and every line that is wrong, and wraps fs.ErrNotExist where there is no file.
func ReadRevocations(path string) (Revocations, error) {
	if path == "" {
		return Revocations{}, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("revocations: %w", err)
	}
	out, err := parseRevocations(text)
	if err != nil {
		return nil, fmt.Errorf("revocations: %s: %w", path, err)
	}
	return out, nil
}

// Reread reads the file of the revocations that are known, again or for the first time. Where it was there and is no more, those that are known hold
// on, and gone says what to tell of it. One that was never there is an error, or, where it may come later, one without a line.
func (r Revocations) Reread(path string, later bool) (now Revocations, gone string, err error) {
	now, err = ReadRevocations(path)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return now, "", err
	case r != nil:
		return r, fmt.Sprintf("; %s is gone, and whom it named stays revoked (%d)", path, len(r)), nil
	case later:
		return nil, "", nil
	}
	return nil, "", err
}

// RevokedLater reports whether a file of revocations has the name under which Revoke makes it: it comes with the first revocation.
func RevokedLater(path string) bool { return filepath.Base(path) == revokedFile }

// revokedIn are the revocations of a folder, in which nobody may have been revoked yet.
func revokedIn(dir string) (Revocations, error) {
	out, _, err := Revocations(nil).Reread(filepath.Join(dir, revokedFile), true)
	return out, err
}

// noteIssued keeps that a certificate was signed, so that it can be revoked by its name when nobody has it at hand.
func noteIssued(dir string, c *x509.Certificate) error {
	role := serverName
	if len(c.Subject.OrganizationalUnit) > 0 {
		role = c.Subject.OrganizationalUnit[0]
	}
	line := fmt.Sprintf("%s %s %s %s\n", Serial(c), role, c.Subject.CommonName, c.NotAfter.UTC().Format(time.RFC3339))
	return appendTo(filepath.Join(dir, issuedFile), []byte(line))
}

// ErrNotIssued is what Revoke returns where the authority never signed a certificate of the name or serial number.
var ErrNotIssued = errors.New("no such certificate was issued")

// Revoke ends all certificates of a name that the authority of a folder has signed, or the one with a serial number, by lines in DIR/revoked.txt.
// Servers that read this file cut their connections. It returns the serial numbers that were added: none where all were revoked before.
func Revoke(dir, what string) (serials []string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, issuedFile))
	if err != nil {
		return nil, fmt.Errorf("what was issued: %w", err)
	}
	already, err := revokedIn(dir)
	if err != nil {
		return nil, err
	}
	known, lines := false, ""
	for line := range strings.SplitSeq(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[2] != what && fields[0] != strings.ToLower(what) {
			continue
		}
		known = true
		if !already[fields[0]] {
			serials = append(serials, fields[0])
			lines += fmt.Sprintf("%s %s %s\n", fields[0], fields[2], time.Now().UTC().Format(time.RFC3339))
		}
	}
	switch {
	case !known:
		return nil, fmt.Errorf("%q: %w", what, ErrNotIssued)
	case lines == "":
		return nil, nil
	}
	return serials, appendTo(filepath.Join(dir, revokedFile), []byte(lines))
}
