package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// pauseName is what is kept beside the journal of a study that is paused: the text true, or false where it goes on again.
const pauseName = "paused"

// empty says what is wrong with the body of a request that has no members.
func empty(body []byte) *problem {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return invalid("body = " + shortened(string(body)) + ": want nothing, or an empty object")
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		wrong = append(wrong, fmt.Sprintf("unknown member %q (want none)", shortened(name)))
	}
	if len(wrong) > 0 {
		return invalid(wrong...)
	}
	return nil
}

// recall takes up whether a study was paused when its file was closed.
func (h *held) recall() (err error) {
	text, err := h.store.Kept(pauseName)
	h.server.Pause(string(text) == "true")
	return err
}

// pause holds back the queries of a study, or lets it give them again. It is kept before it is answered, and holds for whoever opens the
// file over HTTP.
func pause(on bool) func(*Server, *http.Request, []byte) (answer, *problem) {
	return func(s *Server, r *http.Request, body []byte) (answer, *problem) {
		if p := empty(body); p != nil {
			return answer{}, p
		}
		h, p := s.on(r)
		if p != nil {
			return answer{}, p
		}
		defer s.shelf.release(h)
		if h.rest != nil && !on {
			return answer{}, refused(fmt.Errorf("%w: once it is paused it goes on from its file, in another process", errNotAsked))
		}
		h.pausing.Lock()
		defer h.pausing.Unlock()
		if h.server.Paused() == on {
			return answer{body: []byte("{\"ok\":true,\"repeated\":true}\n")}, nil
		}
		text := map[bool]string{true: "true", false: "false"}[on]
		if h.store != nil {
			if err := h.store.Keep(pauseName, []byte(text)); err != nil {
				s.shelf.broken(h)
				return answer{}, problemOf(http.StatusInternalServerError, "not-kept", "nothing was acknowledged: %v", err)
			}
		}
		h.server.Pause(on)
		switch {
		case h.manned != nil:
			h.manned.pause(on)
		case h.rest != nil:
			h.rest()
		}
		h.news.stir()
		return answer{body: []byte("{\"ok\":true}\n")}, nil
	}
}
