package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// How long a stream of events may be silent, and how long a reader may take for what is sent.
const (
	heartbeat  = 15 * time.Second
	streamTime = 10 * time.Second
)

// events streams what happens in a study, as server-sent events: from now on, or after the event that Last-Event-ID or after names. A
// reader that is too slow is let go, and so is one whose role is taken away, whose certificate ends, or whose study is taken away; where it comes back for events that are no longer there, or never were in this
// study, it gets an event gap first, and it is told whether the study is paused, which may have changed while it was away.
func (s *Server) events(w http.ResponseWriter, r *http.Request, to route) {
	if _, p := read(r); p != nil {
		p.write(w)
		return
	}
	h, p := s.on(r)
	if p != nil {
		p.write(w)
		return
	}
	defer s.shelf.release(h)
	begin, p := from(r, h)
	if p != nil {
		p.write(w)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	send := func(part []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(streamTime))
		_, err := w.Write(part)
		return err == nil && control.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	ends := s.config.Keys.ends(r.TLS)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	paused, seq := false, begin.seq                          // as the reader knows them
	for send(fmt.Appendf(nil, "id: %d\n: tarry\n\n", seq)) { // so that who comes again knows from where, though nothing happened
		for {
			altered := s.config.Keys.altered()
			if s.permit(r, to) != nil {
				return // a role that was taken away, or a certificate that ended
			}
			since, lost, changed := h.news.after(seq)
			var part []byte
			if seq < lost || begin.ahead {
				begin.ahead, seq = false, max(seq, lost)
				part = []byte("event: gap\ndata: {}\n\n")
			}
			part, seq = frames(part, since, seq)
			if now := h.server.Paused(); now != paused || begin.again {
				begin.again, paused = false, now
				part = fmt.Appendf(part, "event: paused\ndata: {\"paused\":%t}\n\n", now)
			}
			if len(part) > 0 && !send(part) {
				return
			}
			next := s.look(r, h, changed, altered, ends, beat.C)
			if next == silent {
				break
			}
			if next == ended { // the last events of a study that ends with its server are for its readers too
				since, _, _ = h.news.after(seq)
				part, _ = frames(nil, since, seq)
				send(part)
				return
			}
		}
		s.shelf.check(h)
		h.study.Evaluation(1) // lets end what has timed out
	}
}

type ending int

const (
	happening ending = iota
	silent
	ended
)

// look waits for the next event, other keys, the end of a certificate, a heartbeat or the end.
func (s *Server) look(r *http.Request, h *held, changed, altered <-chan struct{}, ends, beat <-chan time.Time) ending {
	select {
	case <-changed:
		return happening
	case <-altered:
		return happening
	case <-ends:
		return happening
	case <-beat:
		return silent
	case <-r.Context().Done():
	case <-h.gone:
	case <-s.ending:
	}
	return ended
}

// beginning is where a stream begins.
type beginning struct {
	seq   uint64 // of the event before
	ahead bool   // the study had not come to the event that was named, which is of another study of its name: seq is the latest
	again bool   // the reader was there before, and may know the study as paused or as not paused
}

// from is where the stream of a request begins.
func from(r *http.Request, h *held) (beginning, *problem) {
	text := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after"))
	if text == "" {
		return beginning{seq: h.news.now()}, nil
	}
	seq, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return beginning{}, invalid("after = " + shortened(text) + ": want the number of an event, or 0")
	}
	var latest uint64
	if of, can := h.study.(looked); can {
		of.Look(func(l *loop.Loop, _ time.Duration) { latest, _ = l.Now() })
		if seq > latest {
			return beginning{latest, true, true}, nil
		}
	}
	return beginning{seq: seq, again: true}, nil
}
