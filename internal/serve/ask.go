package serve

import (
	"net/http"
	"time"

	"github.com/tarry-bo/tarry/internal/asktell"
)

// maxWait bounds a long poll.
const maxWait = 60 * time.Second

// glance is how often who waits looks whether something timed out: nothing happens in a study by itself.
const glance = time.Second

// waiting reads how long a caller waits for a query.
func waiting(r *http.Request) (time.Duration, *problem) {
	text := r.URL.Query().Get("wait")
	if text == "" {
		return 0, nil
	}
	wait, err := time.ParseDuration(text)
	if err != nil || wait < 0 || wait > maxWait {
		return 0, invalid("wait = " + shortened(text) + ": want a time in 0s … 60s, as in 30s")
	}
	return wait, nil
}

// ask gives queries, or waits for the first of them as long as the caller says.
func (s *Server) ask(r *http.Request, body []byte) (answer, *problem) {
	wait, p := waiting(r)
	if p != nil {
		return answer{}, p
	}
	h, p := s.on(r)
	if p != nil {
		return answer{}, p
	}
	defer s.shelf.release(h)
	until := time.NewTimer(wait)
	defer until.Stop()
	ends := s.config.Keys.ends(r.TLS)
	look := time.NewTicker(glance)
	defer look.Stop()
	for {
		altered := s.config.Keys.altered()
		if p := s.permit(r, s.routeOf[r.Pattern]); p != nil { // a role that was taken away meanwhile, or a certificate that ended
			h.news.wake() // for somebody who may
			return answer{}, p
		}
		var reply asktell.Reply
		a, p := s.once(r, h, body, func() (answer, *problem) {
			reply = h.server.Do(r.Context(), "ask", 0, body)
			if wait > 0 && reply.Queries == 0 && reply.Held != "" {
				return answer{}, nil // which is no answer to be kept
			}
			return s.replied(h, 0, reply)
		})
		if p != nil || a.body != nil {
			h.news.wake() // there may be one for the next as well, or an end
			return s.settled(h, a, p)
		}
		if _, p := s.settled(h, answer{kept: reply.Kept}, nil); p != nil {
			return answer{}, p
		}
		if s.turn(r, h, altered, ends, until.C, look.C) {
			continue
		}
		select {
		case <-h.gone:
			return answer{}, gone(h.name)
		default:
			return s.replied(h, 0, reply)
		}
	}
}

// turn waits until something happened that may have set a query free, or who may ask is another, and reports whether it did in time.
func (s *Server) turn(r *http.Request, h *held, altered <-chan struct{}, ends, until, look <-chan time.Time) bool {
	for {
		select {
		case <-altered:
			return true
		case <-ends:
			return true
		case <-h.news.turn:
			if r.Context().Err() != nil {
				h.news.wake() // for somebody who is still there
				return false
			}
			return true
		case <-look:
			s.shelf.check(h)
			h.study.Evaluation(1) // lets end what has timed out
		case <-until:
			return false
		case <-h.gone:
			return false
		case <-s.ending:
			return false
		case <-r.Context().Done():
			return false
		}
	}
}
