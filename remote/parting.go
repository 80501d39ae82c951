package remote

import (
	"cmp"
	"context"
	"time"
)

// away reports whether there is nobody now who could hear.
func (s *session) away() bool { return s.absent || !s.client.conn.IsConnected() }

// drain takes no more jobs: the session is over when those that run have been answered.
func (s *session) drain() {
	left := Left{Away: s.away()}
	s.mutex.Lock()
	s.draining = true
	for _, a := range s.attempts {
		if a.answered {
			left.Answers++
		} else {
			left.Running++
		}
	}
	s.settle()
	s.mutex.Unlock()
	if tell := s.worker.Drains; tell != nil && left.Running+left.Answers > 0 {
		tell(left)
	}
}

// settle ends a session that drains when nothing is left.
func (s *session) settle() {
	if s.draining && !s.over && len(s.attempts) == 0 {
		s.over = true
		close(s.idle)
	}
}

// leave gives back what runs, and lets it return.
func (s *session) leave(why error) {
	s.mutex.Lock()
	s.over = true
	waiting, known := s.waiting, s.known
	s.waiting = nil
	all := make([]*served, 0, len(s.studies))
	for _, st := range s.studies {
		all = append(all, st)
	}
	s.mutex.Unlock()
	_ = s.jobs.Unsubscribe() // the connection may be gone
	for _, a := range waiting {
		s.forget(a)
	}
	defer s.finish()
	away := s.away()
	if away {
		s.finish() // who is away is not waited for
	}
	end, cancel := context.WithTimeout(s.base, s.worker.Grace)
	defer cancel()
	if s.client.conn.IsClosed() {
		cancel()
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if known && !away {
			s.farewell(end, why)
		}
	}()
	for _, st := range all {
		st.runner.Stop()
	}
	returned := make(chan struct{})
	go func() {
		s.open.Wait()
		close(returned)
	}()
	select {
	case <-returned:
	case <-end.Done():
	}
	<-gone
}

// farewell says that the worker leaves, again until that was heard.
func (s *session) farewell(ctx context.Context, why error) {
	m := leaveMessage{Epoch: s.client.epoch.Load(), Reason: "it has nothing more to do"}
	if why != nil {
		m.Reason = clip(why.Error())
	}
	ctx, cancel := context.WithTimeout(ctx, 2*s.interval()+time.Second)
	defer cancel()
	for ctx.Err() == nil {
		var reply leaveReply
		if s.client.ask(ctx, "leave", m, &reply, min(s.interval(), time.Second)) == nil {
			return
		}
	}
}

// clip cuts a reason to what a message may have: its end, where what went wrong is said last.
func clip(reason string) string {
	for len(reason) > maxReason/4 { // it grows when it is written
		reason = reason[len(reason)-maxReason/4:]
	}
	return cmp.Or(validUTF8(reason), kindFailed)
}
