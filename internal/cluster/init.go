package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Init makes a folder, if need be, and writes to it an authority (ca.pem, ca.key), the server's certificate for these names and addresses and
// for this machine's own (server.pem, server.key), the first clients (admin, worker), and the folder studies. Keys can be read by the owner
// alone. Nothing is overwritten: where there is an authority already the error wraps fs.ErrExist.
func Init(dir string, hosts []string) error {
	if err := hostsAreNames("host", hosts); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "studies"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{ConfigName, authorityName + ".pem", authorityName + ".key"} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return &fs.PathError{Op: "make", Path: path, Err: fs.ErrExist}
		}
	}
	for _, name := range []string{serverName, Admin, Worker} {
		if err := absent(dir, name); err != nil {
			return err
		}
	}
	a, err := makeAuthority(dir)
	if err != nil {
		return err
	}
	if err := a.issueServer(dir, serverName, serverTime, hosts); err != nil {
		return err
	}
	for _, role := range []string{Admin, Worker} {
		if err := a.issue(dir, role, role, ClientTime); err != nil {
			return err
		}
	}
	return writeNew(filepath.Join(dir, ConfigName), []byte(initialConfig))
}

// FilesOf are the certificate and the key of a name in a folder of certificates, with its authority and revocations.
func FilesOf(dir, name string) Files {
	return Files{
		CA: filepath.Join(dir, authorityName+".pem"), Revoked: filepath.Join(dir, revokedFile),
		Cert: filepath.Join(dir, name+".pem"), Key: filepath.Join(dir, name+".key"),
	}
}
