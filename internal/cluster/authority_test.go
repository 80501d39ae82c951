package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAFolderOfACluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := Init(dir, []string{"tune.example.org"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tarry.json", "ca.pem", "ca.key", "server.pem", "server.key", "admin.pem", "admin.key", "worker.pem", "worker.key", "issued.txt"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	c, err := ReadConfig(dir)
	if err != nil || c.Studies != filepath.Join(dir, "studies") || c.Files() != FilesOf(dir, serverName) {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := OpenTrust(c.Files()); err != nil {
		t.Error(err)
	}
	for role, want := range map[string]string{Admin: Admin, Worker: Worker} {
		leaf, _, err := readPair(dir, role)
		if err != nil {
			t.Fatal(err)
		}
		if name, got, err := holder(leaf); name != role || got != want || err != nil {
			t.Error(name, got, err)
		}
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	if err := Init(dir, nil); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	if err := Init(dir, nil); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if err := Issue(dir, Worker, Worker, 0); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	for _, name := range []string{serverName, authorityName} {
		if err := Issue(dir, Worker, name, 0); err == nil {
			t.Errorf("%s was issued", name)
		}
	}
	if after := snapshot(t, dir); after != before {
		t.Error("something is different")
	}
}

// snapshot is the text of all files of a folder.
func snapshot(t *testing.T, dir string) (all string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all += path + string(text)
	}
	return all
}

func TestWhatCannotBeIssuedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	if err := Issue(dir, Worker, "x", 0); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "authority") {
		t.Error(err)
	}
	if err := Init(dir, nil); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"role = wroker: want one of admin, worker, asker, viewer: did you mean worker?": Issue(dir, "wroker", "x", 0),
		`name = "a.b"`:    Issue(dir, Worker, "a.b", 0),
		"validity = -1s":  Issue(dir, Worker, "x", -time.Second),
		"host = \"a b\"":  Init(t.TempDir(), []string{"a b"}),
		"host = \"x:80\"": failed(Renew(dir, serverName, 0, "x:80")),
		"host = y":        failed(Renew(dir, Worker, 0, "y")),
		`name = "ca"`:     failed(Renew(dir, authorityName, 0)),
		"nobody.pem":      failed(Renew(dir, "nobody", 0)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s: %v", want, err)
		}
	}
}

// failed is the error of a renewal.
func failed(_ Renewed, err error) error { return err }

// A certificate that is renewed holds as long as the one before; where that was revoked, whoever has its key has nothing.
func TestWhatWasRevokedIsRenewedWithAnotherKey(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(Init(dir, nil), Issue(dir, Worker, "w", 90*24*time.Hour), IssueServer(dir, "standby", 0, "b.example.org")); err != nil {
		t.Fatal(err)
	}
	for _, revoked := range []bool{false, true} {
		if revoked {
			if _, err := Revoke(dir, "w"); err != nil {
				t.Fatal(err)
			}
		}
		_, before, err := readPair(dir, "w")
		if err != nil {
			t.Fatal(err)
		}
		again, err := Renew(dir, "w", 0)
		now, key, unread := readPair(dir, "w")
		if err != nil || unread != nil {
			t.Fatal(err, unread)
		}
		days := time.Until(again.Until).Hours() / 24
		if again.Key != revoked || key.Equal(before) == revoked || days < 89 || days > 90 || now.NotAfter.Sub(again.Until).Abs() > time.Second {
			t.Errorf("revoked %v: %+v, %v days", revoked, again, days)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.new*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if err := failed(Renew(dir, "standby", 0, "c.example.org")); err != nil {
		t.Fatal(err)
	}
	if c, _, err := readPair(dir, "standby"); err != nil || !slices.Contains(c.DNSNames, "b.example.org") || !slices.Contains(c.DNSNames, "c.example.org") || !slices.Contains(c.DNSNames, "localhost") {
		t.Error(c.DNSNames, err)
	}
}

func TestRevocationsAreRead(t *testing.T) {
	const serial = "4a0000000000000000000000000000ff"
	got, err := parseRevocations([]byte("\ufeff# those who left\n\n" + strings.ToUpper(serial) + " gpu-1 2026\r\n01:02  \n"))
	if err != nil || len(got) != 2 || !got[serial] || !got["00000000000000000000000000000102"] {
		t.Error(got, err)
	}
	_, err = parseRevocations([]byte("gpu-1\n-1\n+1\n0\n12\n:\n" + strings.Repeat("f", 41)))
	for _, want := range []string{`line 1 = "gpu-1"`, "line 2", "line 3", "line 4", "line 6", "line 7"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is missing: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "line 5") {
		t.Error(err)
	}
}

func FuzzParseRevocations(f *testing.F) {
	f.Add([]byte("4a0000000000000000000000000000ff gpu-1\n# x\n"))
	f.Add([]byte("a:b:c\r\n\ufeff\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseRevocations(text)
		if err != nil {
			return
		}
		lines := ""
		for serial := range got {
			lines += serial + " again\n"
		}
		again, err := parseRevocations([]byte(lines))
		if err != nil || len(again) != len(got) {
			t.Errorf("%v, %v: %v", got, again, err)
		}
	})
}
