package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestAServerThatOthersCouldReachIsRefusedWithoutTLS(t *testing.T) {
	dir := t.TempDir()
	for flags, want := range map[string]string{
		"--http 0.0.0.0:0":                                                  "other machines could reach it: want --tls-cert, --tls-key and --client-ca",
		"--http :0 --without-tls":                                           "other machines could reach it",
		"--http 127.0.0.1 --without-tls":                                    "want an address",
		"--http 127.0.0.1:0":                                                "or --without-tls",
		"--http 127.0.0.1:0 --tls-cert none.pem":                            "want all three",
		"--without-tls --tls-cert a":                                        "want no --tls-cert",
		"--without-tls --roles a":                                           "--roles: want --tls-cert",
		"--tls-cert a.pem --tls-key a.key --client-ca a":                    "certificate a.pem and key a.key",
		"--tls-cert a.pem --tls-key a.key --client-ca a --revoked none.txt": "--revoked: stat none.txt: no such file",
	} {
		if got := callIn(t, dir, "", append([]string{"serve", "."}, strings.Fields(flags)...)...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %d %s", flags, got.code, got.log)
		}
	}
}

// A server answers, keeps a second one off its folder, and ends in good order when it is interrupted.
func TestAServerEndsInGoodOrder(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, dir, "serve", ".", "--http", "127.0.0.1:0", "--without-tls")
	out, in := io.Pipe()
	cmd.Stderr = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	_, url, _ := strings.Cut(lines.Text(), "served on ")
	go io.Copy(io.Discard, out)
	answer, err := http.Get(url + "/v1/studies")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if got := callIn(t, dir, "", "serve", ".", "--http", "127.0.0.1:0", "--without-tls"); got.code != exitInUse || answer.StatusCode != http.StatusOK {
		t.Error(answer.Status, got.code, got.log)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Error("it ended with", code)
	}
}

// A server that a program started for itself goes where the program goes.
func TestAServerEndsWithItsStandardInput(t *testing.T) {
	cmd := program(t, t.TempDir(), "serve", ".", "--http", "127.0.0.1:0", "--without-tls", "--until-eof")
	in, err := cmd.StdinPipe()
	must(t, err)
	log, err := cmd.StderrPipe()
	must(t, err, cmd.Start())
	url := ""
	for lines := bufio.NewScanner(log); url == "" && lines.Scan(); {
		_, url, _ = strings.Cut(lines.Text(), " is served on ")
	}
	answer, err := http.Get(url + "/v1/studies")
	must(t, err)
	must(t, answer.Body.Close(), in.Close())
	if err := cmd.Wait(); err != nil {
		t.Error("it ended with", err)
	}
}
