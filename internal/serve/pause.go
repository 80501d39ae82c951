package serve

import (
	"fmt"
	"net/http"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/loop"
)

// pausedName is what is kept beside the journal of a study that is paused: an empty text where it goes on again.
const pausedName = "paused"

// pausedReply is what an ask gets meanwhile.
var pausedReply = asktell.Reply{Body: []byte(`{"queries":[],"held":"the study is paused"}`), Held: "the study is paused"}

// recall restores what is kept of a study beside its journal.
func (h *held) recall() error {
	text, err := h.store.Kept(pausedName)
	h.paused.Store(len(text) > 0)
	return err
}

// pausing answers who lets a study rest, or go on. A study that is paused gives no queries and takes answers, also after a restart.
func pausing(pause bool) func(*Server, *http.Request, []byte) (answer, *problem) {
	return func(s *Server, r *http.Request, _ []byte) (answer, *problem) {
		h, p := s.on(r)
		if p != nil {
			return answer{}, p
		}
		defer s.shelf.release(h)
		if err := h.pause(pause); err != nil {
			return answer{}, problemOf(http.StatusInternalServerError, "not-kept", "nothing was changed: %v", err)
		}
		return answer{body: fmt.Appendf(nil, `{"ok":true,"paused":%t}`, pause)}, nil
	}
}

// pause keeps whether the study is paused, and wakes who waits for a query.
func (h *held) pause(pause bool) (err error) {
	text := ""
	if pause {
		text = "yes"
	}
	h.study.Look(func(*loop.Loop, time.Duration) { err = h.store.Keep(pausedName, []byte(text)) }) // while nobody else writes
	if err == nil {
		h.paused.Store(pause)
		h.news.wake()
	}
	return err
}

// heard is told each event of the study, which waits meanwhile.
func (h *held) heard(e tarry.Event) {
	h.news.add(e)
	h.seen.touch(e.Reaction.Evaluation)
}
