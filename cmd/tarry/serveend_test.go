package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A server that is ended while somebody waits for a query, somebody reads the events and many tell answers or ends each of them, and what it
// acknowledged is in the file.
func TestAServerIsEndedUnderWay(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, dir, "serve", ".", "--http", "127.0.0.1:0", "--without-tls")
	base := servedBy(t, cmd) + "/v1/studies/"
	const space = `"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]}`
	wantTalk(t, http.StatusCreated, "", "PUT", base+"full", `{`+space+`,"options":{"policy":"random","pending":1}}`)
	wantTalk(t, http.StatusOK, `"id":1`, "POST", base+"full/ask", "")
	wantTalk(t, http.StatusCreated, "", "PUT", base+"lr", `{`+space+`,"options":{"policy":"random","pending":100000}}`)

	waited, sent := make(chan string, 1), make(chan bool, 1)
	poll, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { sent <- true },
	}), "POST", base+"full/ask?wait=60s", nil)
	must(t, err)
	go func() {
		answer, err := http.DefaultClient.Do(poll)
		if err != nil {
			waited <- err.Error()
			return
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		waited <- fmt.Sprint(answer.StatusCode, " ", string(text), err)
	}()
	<-sent
	stream, err := http.Get(base + "full/events?after=0")
	must(t, err)
	defer stream.Body.Close()
	first := make([]byte, 3)
	_, err = io.ReadFull(stream.Body, first) // it streams
	must(t, err)
	ended := make(chan error, 1)
	go func() { _, err := io.Copy(io.Discard, stream.Body); ended <- err }()

	c := &crowd{told: map[int]float64{}, enter: make(chan struct{}, 1000)}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { c.call(base + "lr") })
	}
	for range 40 {
		<-c.enter
	}
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	all.Wait()
	for range 2 {
		select {
		case got := <-waited:
			if !strings.HasPrefix(got, "200 ") || !strings.Contains(got, `"held":`) || !strings.HasSuffix(got, "<nil>") {
				t.Error("who waits for a query got", got)
			}
		case err := <-ended:
			if err != nil {
				t.Error("the stream ended with", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("somebody waits for ever")
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Error("it ended with", code)
	}
	got := callIn(t, dir, "", "inspect", "lr.db", "--csv")
	for id, value := range c.told {
		if line := fmt.Sprintf("\n%d,1,observed,%v,", id, value); !strings.Contains(got.out, line) {
			t.Errorf("evaluation %d was acknowledged with %v, and is not there", id, value)
		}
	}
	if len(c.told) < 40 || len(c.twice) > 0 {
		t.Error(len(c.told), c.twice)
	}
}
