package cluster

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Roles of certificates: their organizational units.
const (
	Admin  = "admin"  // everything
	Worker = "worker" // evaluates
	Asker  = "asker"  // makes studies, asks and tells, over HTTP
	Viewer = "viewer" // looks on, over HTTP

	serverName = "server" // of the server's own certificate and files; it has no role
)

var roles = []string{Admin, Worker, Asker, Viewer}

// maxName is how long a name may be: it is part of subjects and of names of files.
const maxName = 64

// IsName reports whether a text may be the name of a client: 1 to 64 letters and digits of ASCII, hyphens and underscores. A dot, a star or
// a blank would be more than one token of a subject.
func IsName(text string) bool {
	if text == "" || len(text) > maxName {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// named records what is wrong with a name and a role.
func named(name, role string) error {
	var wrong check.List
	wrong.Require(IsName(name), "name", fmt.Sprintf("%q", name), fmt.Sprintf("1 to %d of the characters A-Z a-z 0-9 - _", maxName))
	for _, taken := range []string{serverName, authorityName} {
		wrong.Require(name != taken, "name", name, "another: that is a file of the cluster itself")
	}
	want := "one of " + strings.Join(roles, ", ")
	if meant := check.Meant(role, roles); meant != "" {
		want += ": did you mean " + meant + "?"
	}
	wrong.Require(slices.Contains(roles, role), "role", role, want)
	return wrong.Err()
}

var errNoName = errors.New("its common name is no plain name: want letters, digits, - and _")

// holder returns whose certificate it is: the name, and the one of its roles that may most. An error says what is wrong with it.
func holder(c *x509.Certificate) (name, role string, err error) {
	name = c.Subject.CommonName
	if !IsName(name) {
		return "", "", errNoName
	}
	for _, r := range roles {
		if slices.Contains(c.Subject.OrganizationalUnit, r) {
			return name, r, nil
		}
	}
	return name, "", fmt.Errorf("its organizational unit %q is no role: want one of %s", c.Subject.OrganizationalUnit, strings.Join(roles, ", "))
}
