package remote

import (
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/outcome"
)

// Bounds of the time before an answer is repeated to a hub that cannot take it yet.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second

	patience = 2 * time.Second // with an answer, whose journal may be on a slow disk
)

// answer brings what came of an attempt to the hub, again and again until it is acknowledged. It returns then: it is called by the goroutine
// of the attempt.
func (s *session) answer(name id, a outcome.Answer) {
	s.mutex.Lock()
	at := s.attempts[name]
	if at == nil || at.answered {
		s.mutex.Unlock()
		return // what was stopped has brought a value, and then returned
	}
	at.answered = true
	s.vacate(at)
	m, silent := message(at.id, a, at.declined), s.over && a.Returned
	s.next()
	s.mutex.Unlock()
	if silent {
		s.forget(at) // it was given back
		return
	}
	s.deliver(at, m)
}

// deliver repeats a result until the hub has it.
func (s *session) deliver(a *attempt, m resultMessage) {
	defer s.forget(a)
	wait, until := firstPause, time.Now().Add(s.worker.Keep)
	for s.end.Err() == nil {
		news := s.later()
		m.Epoch = s.client.epoch.Load()
		var reply resultReply
		err := s.client.askUnless(s.end, news, "result", m, &reply, patience)
		if err == nil && !reply.Later && reply.Error == "" && !s.log.Core().Enabled(zap.DebugLevel) {
			return
		}
		log := s.about(a)
		switch {
		case err == nil && !reply.Later && reply.Error != "":
			log.Warn("result refused", zap.String("reason", reply.Error))
			return
		case err == nil && (!reply.Later || !m.lasts()): // whoever resumes the study starts it again
			log.Debug("result taken", zap.String("fate", reply.Fate))
			return
		case time.Now().After(until):
			log.Error("result given up", zap.Error(err))
			return
		}
		log.Debug("result to be repeated", zap.Error(err))
		pause(s.end, news, wait)
		wait = min(2*wait, lastPause)
	}
	s.about(a).Warn("result not brought")
}

// about is the log with what a line about an attempt names.
func (s *session) about(a *attempt) *zap.Logger {
	return s.log.With(zap.String("study", a.Study), zap.Int("evaluation", a.Evaluation), zap.Int("attempt", a.Attempt))
}

// later returns what is closed when there is reason to think that a hub hears again.
func (s *session) later() <-chan struct{} {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.news
}

// forget takes an attempt off the list that was acknowledged.
func (s *session) forget(a *attempt) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.attempts, a.name())
	a.study.users--
	s.open.Done()
	s.settle()
}
