package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A collector of traces hears of the evaluations from both sides; one that is away holds nobody up.
func TestTracesGoToACollector(t *testing.T) {
	var mutex sync.Mutex
	heard := ""
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mutex.Lock()
		defer mutex.Unlock()
		heard += r.URL.Path + " " + string(body)
	}))
	defer collector.Close()
	c := clusterOf(t, square)
	c.serve("--otlp", collector.URL)
	c.begin("lr", `"budget":4`, `{}`)
	worker, log := c.work("worker", "--otlp", collector.URL, "--", "./train.sh", "{lr}")
	c.ended("lr")
	must(t, worker.Process.Signal(syscall.SIGTERM))
	_ = worker.Wait()
	c.kill(syscall.SIGTERM)
	mutex.Lock()
	defer mutex.Unlock()
	for _, want := range []string{"/v1/traces", "tarry serve", "tarry work"} {
		if !strings.Contains(heard, want) {
			t.Errorf("the collector heard nothing of %q: %s", want, log)
		}
	}
	collector.Close()
	if got := callIn(t, c.dir, "", "work", "--server", "tls://localhost:1", "--otlp", "localhost", "--", "./train.sh"); got.code != exitUsage || !strings.Contains(got.log, "--otlp localhost: want a URL") {
		t.Error(got.code, got.log)
	}
}
