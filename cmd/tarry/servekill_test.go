package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// crowd are callers who ask and tell over HTTP, all on one study, and what was acknowledged to them.
type crowd struct {
	mutex sync.Mutex
	told  map[int]float64
	twice []int         // queries that two were given
	enter chan struct{} // one for each value that was acknowledged, as far as somebody counts them
}

// call asks and tells until the server does not answer.
func (c *crowd) call(study string) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	post := func(path, body string) (text []byte, ok bool) {
		answer, err := client.Post(study+path, "application/json", strings.NewReader(body))
		if err != nil {
			return nil, false
		}
		defer answer.Body.Close()
		text, err = io.ReadAll(answer.Body)
		return text, err == nil && answer.StatusCode == http.StatusOK
	}
	for {
		var asked struct{ Queries []struct{ ID int } }
		text, ok := post("/ask", "")
		if !ok || json.Unmarshal(text, &asked) != nil || len(asked.Queries) == 0 {
			return
		}
		id := asked.Queries[0].ID
		value := float64(id) / 8
		if _, ok := post(fmt.Sprintf("/evaluations/%d/tell", id), fmt.Sprintf(`{"value":%v}`, value)); !ok {
			return
		}
		c.mutex.Lock()
		if _, is := c.told[id]; is {
			c.twice = append(c.twice, id)
		}
		c.told[id] = value
		c.mutex.Unlock()
		select {
		case c.enter <- struct{}{}:
		default:
		}
	}
}

// A server that is killed while many ask and tell at once has lost nothing that it acknowledged, and each query was given out once.
func TestAServerThatIsKilledUnderLoad(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), &crowd{told: map[int]float64{}}
	for round := range 1 + *kills {
		cmd := program(t, dir, "serve", ".", "--http", "127.0.0.1:0", "--without-tls")
		study := servedBy(t, cmd) + "/v1/studies/lr"
		if round == 0 {
			wantTalk(t, http.StatusCreated, "", "PUT", study, `{"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]},"options":{"policy":"random","pending":100000}}`)
		}
		for id, value := range c.told {
			_, text := talk(t, "GET", fmt.Sprintf("%s/evaluations/%d", study, id), "")
			var e struct{ Value *float64 }
			if err := json.Unmarshal([]byte(text), &e); err != nil || e.Value == nil || *e.Value != value {
				t.Fatalf("round %d: evaluation %d was acknowledged with %v, and is %s", round, id, value, text)
			}
		}
		c.enter = make(chan struct{}, 1000)
		var all sync.WaitGroup
		for range 24 {
			all.Go(func() { c.call(study) })
		}
		gone := make(chan bool)
		go func() { all.Wait(); close(gone) }()
		for range 100 + round*13 { // acknowledged values, and then in the midst of others
			select {
			case <-c.enter:
			case <-gone:
				t.Fatal("the server does not answer any more")
			}
		}
		must(t, cmd.Process.Kill())
		<-gone
		_ = cmd.Wait()
	}
	if len(c.twice) > 0 {
		t.Error("given out twice:", c.twice)
	}
}
