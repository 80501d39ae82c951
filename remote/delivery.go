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

	leastPatience = 2 * time.Second // with an answer, whose journal may be on a slow disk
)

// answer brings what came of an attempt to the hub, again and again until it is acknowledged.
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
	go s.deliver(at, m)
}

// deliver repeats a result until the hub has it.
func (s *session) deliver(a *attempt, m resultMessage) {
	defer s.forget(a)
	wait, until := firstPause, time.Now().Add(s.worker.Keep)
	for s.end.Err() == nil {
		m.Epoch = s.client.epoch.Load()
		var reply resultReply
		err := s.client.ask(s.end, "result", m, &reply, max(s.interval(), leastPatience))
		fields := []zap.Field{zap.String("study", a.Study), zap.Int("evaluation", a.Evaluation), zap.Int("attempt", a.Attempt)}
		switch {
		case err == nil && !reply.Later && reply.Error != "":
			s.log.Warn("result refused", append(fields, zap.String("reason", reply.Error))...)
			return
		case err == nil && !reply.Later:
			if log := s.log.Check(zap.DebugLevel, "result taken"); log != nil {
				log.Write(append(fields, zap.String("fate", reply.Fate))...)
			}
			return
		case time.Now().After(until):
			s.log.Error("result given up", append(fields, zap.Error(err))...)
			return
		}
		s.log.Debug("result to be repeated", append(fields, zap.Error(err))...)
		pause(s.end, wait)
		wait = min(2*wait, lastPause)
	}
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
