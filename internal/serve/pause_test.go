package serve

import (
	"context"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// A study that is paused gives no queries, also after its file was closed and opened again, and takes answers all the same. Who waits for a
// query gets it when the study is resumed.
func TestAPausedStudyGivesNoQueriesUntilItIsResumed(t *testing.T) {
	s := serving(t, Config{Open: 1})
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":9`))
	s.want(200, "", "", "POST", lr+"/ask", "")
	if out := s.want(200, "", "", "POST", lr+"/pause", ""); out["ok"] != true || out["repeated"] != nil {
		t.Error(out)
	}
	if out := s.want(200, "", "", "POST", lr+"/pause", "{}"); out["repeated"] != true {
		t.Error(out)
	}
	s.want(201, "", "", "PUT", "/v1/studies/two", wishing("")) // which closes the first
	if out := s.want(200, "", "", "GET", lr, ""); out["paused"] != true {
		t.Error("the pause is not kept:", out)
	}
	if out := s.want(200, "", "", "POST", lr+"/ask?wait=10ms", ""); len(out["queries"].([]any)) != 0 || out["held"] != "paused" {
		t.Error(out)
	}
	s.want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	got, begun := make(chan map[string]any), make(chan struct{})
	go func() {
		close(begun)
		out := s.plain().want(200, "", "", "POST", lr+"/ask?wait=60s", "")
		got <- out
	}()
	<-begun
	s.plain().want(200, "", "", "POST", lr+"/resume", "")
	if out := <-got; len(out["queries"].([]any)) != 1 {
		t.Error(out)
	}
	if out := s.want(200, "", "", "GET", lr, ""); out["paused"] != nil {
		t.Error(out)
	}
}

func TestAPausedStudyThatHasEndedSaysSo(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":1`))
	s.want(200, "", "", "POST", lr+"/ask", "")
	s.want(200, "", "", "POST", lr+"/pause", "")
	s.want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	s.want(409, "ended", "ended", "POST", lr+"/ask?wait=60s", "")
	s.want(400, "invalid", "want nothing", "POST", lr+"/pause", "[]")
}

// What a process refuses whose study was paused, and goes on elsewhere, is said to be paused, and not to have ended.
func TestWhatComesToAStudyThatGoesOnElsewhereIsPaused(t *testing.T) {
	space := must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1)))(t)
	follows := func(context.Context, tarry.Query) (float64, error) { return 0, tarry.ErrAnswerFollows }
	live := NewLive("lr", "")
	run := must.Get(tarry.Start(t.Context(), space, follows, tarry.Options{Budget: 9, Journal: &journal.Memory{}, OnEvent: live.Heard}))(t)
	live.Running(run, loop.Config{Space: space}, func() { run.Pause(true) })
	s := serving(t, Config{Live: live})
	s.want(200, "", "", "POST", lr+"/pause", "")
	<-run.Done()
	for path, body := range map[string]string{"/observe": `{"x":{"lr":0.5},"value":1}`, "/enqueue": `{"x":{"lr":0.5}}`, "/evaluations/1/cancel": "{}"} {
		_, p := s.call("POST", lr+path, body)
		if p["type"] != "urn:tarry:problem:paused" || strings.HasSuffix(p["detail"].(string), ": ") || strings.Contains(p["detail"].(string), "ID of its query") {
			t.Errorf("%s: %v", path, p)
		}
	}
}
