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
		"--http 0.0.0.0:0":                            "other machines could reach it",
		"--http :0":                                   "other machines could reach it",
		"--http 127.0.0.1":                            "want an address",
		"--http 127.0.0.1:0 --tls-cert none.pem":      "all three or none",
		"--tls-cert a.pem --tls-key a --client-ca a ": "--tls-cert and --tls-key",
		"--without-tls --tls-cert a.pem":              "want no certificates",
	} {
		if got := callIn(t, dir, "", append([]string{"serve", "."}, strings.Fields(flags)...)...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %d %s", flags, got.code, got.log)
		}
	}
}

// A server answers, keeps a second one off its folder, and ends in good order when it is interrupted.
func TestAServerEndsInGoodOrder(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, dir, "serve", ".", "--http", "127.0.0.1:0")
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
	if got := callIn(t, dir, "", "serve", ".", "--http", "127.0.0.1:0"); got.code != exitInUse || answer.StatusCode != http.StatusOK {
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
