package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// study is one that is attached.
type study struct {
	name        string
	remote      *tarry.RemoteStudy
	needs       []string
	description []byte
	identity    [sha256.Size]byte // of the bytes that describe its space, and when it began
	about       string            // which description it is
	config      loop.Config
	over        bool // it has ended, and is about to be detached; guarded by the hub's mutex
}

// attach takes a study in until it has ended.
func (h *Hub) attach(s *tarry.RemoteStudy, needs []string) error {
	c := s.Config()
	if err := errors.Join(text("name, as JSON,", string(encode(s.Name())), maxStudyName), within("parameters", c.Space.Dim(), 1, maxDimensions)); err != nil {
		return err
	}
	where, err := c.Space.MarshalJSON()
	if err != nil {
		return err
	}
	identity := identityOf(where, s.Begun())
	description, err := describe(s.Name(), hex.EncodeToString(identity[:8]), c)
	if err != nil {
		return err
	}
	st := &study{name: s.Name(), remote: s, needs: slices.Clone(needs), description: description, about: digest(description), identity: identity, config: c}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if before := h.studies[st.name]; before != nil && before.ended() {
		h.detach(before) // sooner than await
	}
	switch {
	case h.closed:
		return ErrClosed
	case h.studies[st.name] != nil:
		return fmt.Errorf("study %q is there already: want another name", st.name)
	}
	h.studies[st.name] = st
	h.order = append(h.order, st)
	h.busy.Go(func() { h.await(st) })
	h.shareAll()
	h.options.Logger.Info("study attached", zap.String("study", st.name), zap.Strings("needs", needs), zap.Int("workers", len(h.workers)))
	return nil
}

// identityOf tells a study from others of its name: what was given out for one that was deleted is not taken for one that is there now.
func identityOf(space []byte, begun time.Time) [sha256.Size]byte {
	if begun.IsZero() {
		return sha256.Sum256(space)
	}
	return sha256.Sum256(begun.UTC().AppendFormat(slices.Clone(space), time.RFC3339Nano))
}

// await takes a study away when it has ended.
func (h *Hub) await(s *study) {
	select {
	case <-s.remote.Done():
	case <-h.done:
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.detach(s)
}

// ended reports whether the study has.
func (s *study) ended() bool {
	select {
	case <-s.remote.Done():
		return true
	default:
		return false
	}
}

// detach takes a study away, unless that was done. The mutex is held.
func (h *Hub) detach(s *study) {
	if h.studies[s.name] != s {
		return
	}
	delete(h.studies, s.name)
	h.order = slices.DeleteFunc(h.order, func(o *study) bool { return o == s })
	for _, w := range h.workers {
		if seat := w.seats[s]; seat != nil {
			seat.clear()
			delete(w.seats, s)
		}
		delete(w.declined, s)
	}
	h.shareAll()
	h.options.Logger.Info("study detached", zap.String("study", s.name))
}

// token is that of an attempt of the study for a worker.
func (s *study) token(key []byte, evaluation, attempt int, x space.Point, worker string) string {
	return token(key, s.name, s.identity, evaluation, attempt, x, worker)
}

// open returns the evaluation that an attempt with a token is of, if it was given to the worker; otherwise the error says why not.
func (s *study) open(key []byte, of id, worker string) (loop.Evaluation, error) {
	e, there := s.remote.Evaluation(of.Evaluation)
	if !there || of.Attempt > e.Attempt {
		return e, fmt.Errorf("evaluation %d.%d of study %q is unknown", of.Evaluation, of.Attempt, s.name)
	}
	if !sameToken(of.Token, s.token(key, of.Evaluation, of.Attempt, e.Point(s.config.Space), worker)) {
		return e, fmt.Errorf("token: evaluation %d.%d of study %q was not given to worker %s", of.Evaluation, of.Attempt, s.name, worker)
	}
	return e, nil
}

// find returns a study that is attached, nil where there is none with the name.
func (h *Hub) find(name string) *study {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.studies[name]
}

// describe answers a worker that wants to know a study.
func (h *Hub) describe(from key, text []byte) any {
	var m studyMessage
	reply := studyReply{Epoch: h.options.Epoch}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	s := h.find(m.Study)
	switch {
	case s == nil:
		reply.Error = fmt.Sprintf("study %.99q is unknown", m.Study)
	case m.From > len(s.description):
		reply.Error = fmt.Sprintf("from = %d: the description has %d bytes", m.From, len(s.description))
	default:
		reply.Total = len(s.description)
		reply.Part = s.description[m.From:min(m.From+maxPart, len(s.description))]
	}
	return reply
}
