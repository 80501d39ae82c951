package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheFolderOfAClusterIsMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my cluster")
	got := call(t, "", "serve", "--init", dir, "--host", "tune.example.org,10.0.0.7")
	if got.code != exitOK || !strings.Contains(got.out, "tarry work --server tls://tune.example.org:4222 --ca '"+dir+"/ca.pem'") {
		t.Fatalf("%+v", got)
	}
	for _, name := range []string{"tarry.json", "ca.key", "server.pem", "worker.key", "admin.pem", "studies"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if again := call(t, "", "serve", "--init", dir); again.code != exitUsage || !strings.Contains(again.log, "exists") {
		t.Errorf("%+v", again)
	}
}

// The file of revocations that --init names comes with the first of them; one of another name must be there, and so must one of a flag.
func TestAFileOfRevocationsThatIsMissingIsRefused(t *testing.T) {
	dir := t.TempDir()
	if got := call(t, "", "serve", "--init", dir); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := call(t, "", "serve", dir, "--revoked", "some.txt"); got.code != exitUsage || !strings.Contains(got.log, "--revoked: want it in tarry.json") {
		t.Errorf("%+v", got)
	}
	config := filepath.Join(dir, "tarry.json")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(strings.Replace(string(text), "revoked.txt", "others.txt", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := call(t, "", "serve", dir); got.code != exitUsage || !strings.Contains(got.log, "others.txt: no such file") {
		t.Errorf("%+v", got)
	}
}

func TestCertificatesAreMadeRenewedAndRevoked(t *testing.T) {
	dir := t.TempDir()
	if got := call(t, "", "serve", "--init", dir); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"--role worker --name gpu-1 --days 7", exitOK, "gpu-1.key hold 7 days"},
		{"--role worker --name gpu-1", exitUsage, "gpu-1.pem"},
		{"--role wroker --name gpu-2", exitUsage, "did you mean worker?"},
		{"--role worker --name a.b", exitUsage, `name = "a.b"`},
		{"--role worker", exitUsage, "name = "},
		{"--renew gpu-1", exitOK, "gpu-1.pem is new, and holds 7 days; the one before holds"},
		{"--renew server --host x.example.org", exitOK, "server.pem is new"},
		{"--renew gpu-9", exitUsage, "gpu-9.pem"},
		{"--revoke gpu-1", exitOK, "gpu-1 is revoked: 2 of its certificates"},
		{"--revoke gpu-1", exitOK, "was revoked before"},
		{"--renew gpu-1 --days 20", exitOK, "gpu-1.key are new, and hold 20 days: the certificate before is revoked"},
		{"--revoke gpu-1 --days 5", exitUsage, "--days 5: want --role or --renew with it"},
		{"--role server --name standby --host b.example.org", exitOK, "standby.key hold 730 days"},
		{"--renew standby --host c.example.org", exitOK, "standby.pem is new, and holds 730 days"},
		{"--role server --name server", exitUsage, "name = server: want another"},
		{"--revoke gpu-9", exitUsage, "no such certificate was issued"},
		{"", exitUsage, "want one of --role with --name, --renew and --revoke"},
		{"--renew a --revoke b", exitUsage, "want one of"},
		{"--role worker --name x --days 0", exitUsage, "--days 0: want 1 ≤ days ≤ 3650"},
		{"--role worker --name x --host y", exitUsage, "want --renew server or --role server with it"},
	} {
		got := call(t, "", append([]string{"certify", dir}, strings.Fields(c.flags)...)...)
		if got.code != c.code || !strings.Contains(got.out+got.log, c.want) {
			t.Errorf("%s: want %d, %s: %+v", c.flags, c.code, c.want, got)
		}
	}
	if got := call(t, "", "certify", t.TempDir(), "--role", "worker", "--name", "x"); got.code != exitUsage || !strings.Contains(got.log, "authority") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "serve", dir, "--host", "x"); got.code != exitUsage || !strings.Contains(got.log, "want --init") {
		t.Errorf("%+v", got)
	}
}
