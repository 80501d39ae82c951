package remote

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
)

// A worker that drains says what it waits for, and when its context ends it does not wait for a hub that is away: neither where the server is
// gone with it, nor where that says that nobody is there.
func TestAWorkerDoesNotWaitForWhoIsAway(t *testing.T) {
	for what, alone := range map[string]bool{"the hub is away": true, "the server is away": false} {
		t.Run(what, func(t *testing.T) {
			s := serve(t)
			hub := newHub(t, connect(t, s), Options{Heartbeat: brief})
			run := start(t, hub, tarry.Options{Budget: 2})
			log, logs := logged()
			w, drain, lefts, done := newGated(), make(chan struct{}), make(chan Left, 2), make(chan error, 1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			worker := Worker{Objective: w.evaluate, Slots: 2, Drain: drain, Drains: func(l Left) { lefts <- l }, Grace: time.Hour, Logger: log}
			conn := connect(t, s, nats.ReconnectBufSize(-1))
			go func() { done <- worker.Work(ctx, conn) }()
			got(t, "an attempt", w.began)
			got(t, "another", w.began)
			if hub.Close(); !alone {
				s.Shutdown()
			}
			w.values <- 1
			want := map[bool]string{true: "nobody is there", false: "not connected to a server"}[alone]
			eventually(t, "it is noticed, and called "+want, func() bool {
				named := logs.FilterMessage("heartbeat not answered").Filter(func(e observer.LoggedEntry) bool {
					return strings.Contains(e.ContextMap()["error"].(string), want)
				})
				return named.Len() > 0 && logs.FilterMessage("result to be repeated").Len() > 0
			})
			close(drain)
			if l := got(t, "what is left", lefts); l != (Left{Running: 1, Answers: 1, Away: true}) {
				t.Errorf("%+v", l)
			}
			cancel()
			if err := got(t, "its end", done); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if n := logs.FilterMessage("result not brought").Len(); n != 1 {
				t.Errorf("%d lines about what was not brought", n)
			}
			run.Pause(true)
			if _, err := run.Wait(); err != nil && !errors.Is(err, tarry.ErrNoValue) {
				t.Error(err)
			}
		})
	}
}
