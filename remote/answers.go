package remote

import (
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// answer is what a result says, for the loop.
func (m *resultMessage) answer() outcome.Answer {
	a := outcome.Answer{Evaluation: m.Evaluation, Attempt: m.Attempt, Follows: m.Follows, Returned: m.Returned, Found: m.Found}
	switch {
	case m.Outcome != nil:
		a.Outcome = outcome.Outcome{Value: *m.Outcome.Value, Cost: m.Outcome.Cost, Constraints: m.Outcome.Constraints, Infeasible: m.Outcome.Infeasible}
	case m.Failure != nil:
		a.Failure = outcome.Failure{Reason: m.Failure.Reason, Verdict: verdicts[m.Failure.Kind]}
		if a.Reason == "" {
			a.Reason = m.Failure.Kind
		}
	}
	return a
}

// result answers a worker that has come to the end of an attempt: what it says is in the journal by then, or it is to say so again.
func (h *Hub) result(from key, text []byte) any {
	var m resultMessage
	reply := resultReply{Epoch: h.options.Epoch}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	defer func() {
		if reply.Later {
			h.postpone(from, m.id)
		}
	}()
	s := h.find(m.Study)
	if s == nil {
		reply.Later = true // it may be about to be resumed
		return reply
	}
	j := h.given(from, s, m.id, true)
	if j == nil {
		if _, err := s.open(h.options.Key, m.id, from.name); err != nil {
			h.options.Logger.Warn("result refused", append(about(m.id, from), zap.Error(err))...)
			reply.Error = err.Error()
			return reply
		}
	}
	defer h.traced(from, s, j, &reply)
	if m.Failure != nil && m.Failure.Kind == kindDeclined {
		h.decline(from, s, m.Failure.Reason)
		reply.Fate = kindDeclined
		return reply
	}
	reaction, err := s.remote.Answer(m.answer())
	h.settled(from, s, &m, &reply, reaction, err)
	return reply
}

// settled says what became of a result.
func (h *Hub) settled(from key, s *study, m *resultMessage, reply *resultReply, reaction loop.Reaction, err error) {
	reply.Fate = reaction.Fate.String()
	switch {
	case err == nil:
	case errors.Is(err, tarry.ErrContradiction), errors.Is(err, tarry.ErrUnknownEvaluation):
		reply.Error = err.Error()
	case errors.Is(err, tarry.ErrEnded) && !h.pends(s, m.Evaluation):
		reply.Fate = "the study has ended"
	default: // it was paused, or its journal keeps nothing any more: whoever resumes it hears it
		reply.Fate, reply.Later = "", true
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if w := h.workers[from]; w != nil && w.seats[s] != nil {
		seat := w.seats[s]
		if spared := seat.answered(m.name(), reply.Fate); spared || seat.granted != seat.target {
			h.share(w)
		}
	}
	if log := h.options.Logger.Check(zap.DebugLevel, "result"); log != nil {
		log.Write(append(about(m.id, from), zap.String("fate", reply.Fate), zap.Error(err))...)
	}
}

// traced ends the span of an attempt with what became of its result, also where that has ended the study, whose seats are gone by then.
func (h *Hub) traced(from key, s *study, j *job, reply *resultReply) {
	if j == nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	j.answering = false
	w := h.workers[from]
	switch gone := w == nil || w.seats[s] == nil; {
	case !reply.Later:
		j.span.end(reply.Fate)
	case gone:
		j.span.end(notAwaited)
	}
}

// pends reports whether an evaluation has no outcome.
func (h *Hub) pends(s *study, evaluation int) bool {
	e, there := s.remote.Evaluation(evaluation)
	return there && e.Status == loop.Pending
}

// given returns the job of an attempt that this hub gave to the worker, with its token, and notes whether its result is being taken;
// nil where it gave none.
func (h *Hub) given(from key, s *study, i id, answering bool) *job {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	w := h.workers[from]
	if w == nil {
		return nil
	}
	j := w.seats[s].job(i)
	if j != nil {
		j.answering = j.answering || answering
	}
	return j
}

// decline takes a worker from a study that it cannot serve.
func (h *Hub) decline(from key, s *study, reason string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	w := h.workers[from]
	if w == nil {
		return
	}
	if _, already := w.declined[s]; already {
		return
	}
	w.declined[s] = reason
	if seat := w.seats[s]; seat != nil {
		h.unseat(seat, fmt.Sprintf("worker %s declined the study: %s", w.name, reason))
	}
	h.share(w)
	h.options.Logger.Warn("study declined", zap.String("study", s.name), zap.String("worker", w.name), zap.String("instance", w.instance), zap.String("reason", reason))
}

// report answers a worker that brings a value from the way to the end. An attempt that this hub did not give out, or gave up for lost, goes on
// as it does by its heartbeats: as long as its evaluation pends its value would count. What it reports is dropped then.
func (h *Hub) report(from key, text []byte) any {
	var m reportMessage
	reply := reportReply{Epoch: h.options.Epoch}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	s := h.find(m.Study)
	if s == nil {
		return reply // it is lost, and the attempt goes on
	}
	if h.given(from, s, m.id, false) == nil {
		if _, err := s.open(h.options.Key, m.id, from.name); err != nil {
			h.options.Logger.Warn("report refused", append(about(m.id, from), zap.Error(err))...)
			reply.Error = err.Error()
			return reply
		}
	}
	err := s.remote.Report(tarry.EvaluationID{Evaluation: m.Evaluation, Attempt: m.Attempt}, *m.Step, *m.Value)
	switch {
	case errors.Is(err, tarry.ErrCancelled):
		j := h.given(from, s, m.id, false)
		reply.Stop = !h.pends(s, m.Evaluation) || !errors.Is(err, tarry.ErrEnded) && j != nil
		reply.Late = reply.Stop && j != nil && j.late()
	case err != nil:
		reply.Error = err.Error()
	}
	return reply
}

// beat answers a worker that says that it lives and what it runs: with what it is to stop.
func (h *Hub) beat(from key, text []byte) any {
	var m beatMessage
	reply := beatReply{Epoch: h.options.Epoch}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	strays, absent, known := h.alive(from, &m, &reply)
	if !known {
		reply.Rejoin = true
		return reply
	}
	for _, i := range absent {
		if s := h.find(i.Study); s != nil {
			_, _ = s.remote.Answer(outcome.Answer{Evaluation: i.Evaluation, Attempt: i.Attempt, Returned: true}) // its slot is free, if it was not
		}
	}
	n, vain := h.mayCount(from, strays)
	reply.Stop = append(reply.Stop, vain...)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if w := h.workers[from]; w != nil && w.strays != n {
		w.strays = n
		h.share(w)
	}
	return reply
}

// alive notes what a worker said and sends what did not reach it again. It returns the attempts that no seat has, and those that were
// cancelled and that the worker does not have.
func (h *Hub) alive(from key, m *beatMessage, reply *beatReply) (strays, absent []id, known bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	w := h.workers[from]
	if w == nil {
		return nil, nil, false
	}
	h.hear(w)
	if w.slots != m.Slots {
		w.slots = m.Slots
		h.share(w)
	}
	named, ended := make(map[id]bool, len(m.Running)), make(map[id]bool, len(w.ended))
	for _, i := range m.Running {
		if w.ended[i] {
			ended[i] = true
		}
		s := w.seats[h.studies[i.Study]]
		j := s.job(i)
		named[i.name()] = named[i.name()] || j != nil
		switch {
		case j == nil && ended[i]:
		case j == nil:
			strays = append(strays, i)
		case j.cancelled:
			reply.Stop = append(reply.Stop, i.name())
		}
	}
	w.ended = ended
	spared, old := false, time.Now().Add(-2*h.options.Heartbeat)
	for _, s := range w.seats {
		for name, j := range s.jobs {
			switch {
			case named[name] || j.sent.After(old):
			case j.cancelled:
				spared = s.answered(name, "stopped") || spared
				absent = append(absent, name)
			default:
				h.send(w, j)
			}
		}
	}
	if spared {
		h.share(w)
	}
	return strays, absent, true
}

// job is one that was given out with the token; nil where it was not.
func (s *seat) job(i id) *job {
	if s == nil {
		return nil
	}
	if j := s.jobs[i.name()]; j != nil && sameToken(j.Token, i.Token) {
		return j
	}
	return nil
}

// mayCount counts the attempts that no seat has and whose answers may still count, and returns the others.
func (h *Hub) mayCount(from key, strays []id) (n int, vain []id) {
	for _, i := range strays {
		if h.counts(from, i) {
			n++
		} else {
			vain = append(vain, i.name())
		}
	}
	return n, vain
}

// counts reports whether the answer of an attempt that no seat has may still count.
func (h *Hub) counts(from key, i id) bool {
	s := h.find(i.Study)
	if s == nil {
		return time.Since(h.began) < h.options.Settle
	}
	e, err := s.open(h.options.Key, i, from.name)
	if err != nil {
		h.options.Logger.Warn("attempt refused", append(about(i, from), zap.Error(err))...)
	}
	return err == nil && e.Status == loop.Pending
}
