package page

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// served is a server of a folder of its own.
type served struct {
	t           *testing.T
	folder, url string
}

// serve starts tarry serve, which ends with the test.
func serve(t *testing.T) *served {
	t.Helper()
	return started(t, t.TempDir(), "--without-tls")
}

// started starts tarry serve on a folder.
func started(t *testing.T, folder string, flags ...string) *served {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, folder: folder}
	cmd := exec.Command(path, append([]string{"serve", s.folder, "--http", "127.0.0.1:0"}, flags...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() })
	line, err := bufio.NewReader(log).ReadString('\n')
	if err != nil {
		t.Fatal(line, err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), "served on ")
	s.url = url
	go io.Copy(io.Discard, log)
	return s
}

// call does a request and returns the body, which must be one of success.
func (s *served) call(method, path string, body any) map[string]any {
	s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequest(method, s.url+path, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	out, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %s %v: %s", method, path, answer.Status, err, out)
	}
	var object map[string]any
	if err := json.Unmarshal(out, &object); err != nil {
		s.t.Fatalf("%s %s: %v: %s", method, path, err, out)
	}
	return object
}
