package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// session is a worker at work.
type session struct {
	worker Worker
	client *client
	jobs   *nats.Subscription
	log    *zap.Logger
	spans  spans
	base   context.Context // the values of the context of Work; it does not end

	mutex     sync.Mutex // guards what follows
	heartbeat time.Duration
	draining  bool
	over      bool          // nothing more is begun
	known     bool          // it has joined, once
	silent    bool          // that nobody answers was said
	older     bool          // that a hub answers which is not the latest was said
	absent    bool          // there was nobody who could answer the last message
	news      chan struct{} // closed when there is reason to think that a hub hears again
	studies   map[described]*served
	attempts  map[id]*attempt // that run, wait for a slot, or whose answers were not acknowledged
	waiting   []*attempt      // for a slot, first in, first out
	busy      int             // slots
	idle      chan struct{}   // closed when draining and nothing is left
	open      sync.WaitGroup  // of what runs and what is not acknowledged
	end       context.Context // ends when nothing is repeated any more
	finish    context.CancelFunc
}

// begin connects a worker's ears.
func begin(ctx context.Context, w Worker, conn *nats.Conn) (*session, error) {
	k := key{w.Name, w.Instance}
	c, err := dial(conn, w.Prefix, k)
	if err != nil {
		return nil, err
	}
	s := &session{
		worker: w, client: c, spans: newSpans(w.Tracer), base: context.WithoutCancel(ctx), heartbeat: DefaultHeartbeat,
		log: w.Logger.With(zap.String("worker", w.Name), zap.String("instance", w.Instance)), studies: map[described]*served{}, attempts: map[id]*attempt{}, idle: make(chan struct{}), news: make(chan struct{}),
	}
	s.end, s.finish = context.WithCancel(s.base)
	if s.jobs, err = conn.Subscribe(w.Prefix+".job."+k.String(), s.receive); err != nil {
		c.close()
		s.finish()
	}
	return s, err
}

// run joins, says that it lives now and then, and leaves.
func (s *session) run(ctx context.Context) error {
	defer s.client.close()
	closed := s.client.conn.StatusChanged(nats.CLOSED)
	defer s.client.conn.RemoveStatusListener(closed)
	err := s.live(ctx, closed)
	s.leave(err)
	return err
}

// live returns why the session is over; nil where it was to end.
func (s *session) live(ctx context.Context, closed <-chan nats.Status) error {
	drain, joined := s.worker.Drain, false
	for {
		if s.client.conn.IsClosed() {
			return nats.ErrConnectionClosed
		}
		began := time.Now()
		if joined {
			rejoin, err := s.beat(ctx)
			joined = !rejoin
			s.said(ctx, "heartbeat", err)
		}
		if !joined {
			err := s.join(ctx)
			if errors.Is(err, ErrRefused) {
				return err
			}
			s.said(ctx, "join", err)
			joined = err == nil
		}
		next := time.NewTimer(s.interval() - time.Since(began))
		select {
		case <-next.C:
		case <-closed:
		case <-drain:
			drain = nil
			s.drain()
		case <-s.idle:
			next.Stop()
			return nil
		case <-ctx.Done():
			next.Stop()
			return ctx.Err()
		}
		next.Stop()
	}
}

// said logs what went wrong with a message, which is said again; once for as long as it goes on, and once more where a hub answers that is
// not heard.
func (s *session) said(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	s.absent = errors.Is(err, errNobody) || errors.Is(err, errAway)
	if err == nil {
		return
	}
	level, older := zap.WarnLevel, errors.As(err, &outdated{})
	if s.silent && (s.older || !older) {
		level = zap.DebugLevel
	}
	s.silent, s.older = true, s.older || older
	s.log.Log(level, what+" not answered", zap.Error(err))
}

func (s *session) interval() time.Duration {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.heartbeat
}

// slots is how many evaluations may run at once.
func (s *session) slots() int {
	if s.draining {
		return 0
	}
	return s.worker.Slots
}

// running are the attempts that run, wait for a slot, or have an answer that was not acknowledged: of those as many as a message has
// room for.
func (s *session) running() (all []id) {
	var answered []id
	for _, a := range s.attempts {
		if a.answered {
			answered = append(answered, a.id)
		} else {
			all = append(all, a.id)
		}
	}
	all = append(all, answered...)
	return all[:min(len(all), maxRunning)]
}

func (s *session) join(ctx context.Context) error {
	s.mutex.Lock()
	m := joinMessage{Version: Version, Epoch: s.client.epoch.Load(), Slots: s.slots(), Labels: s.worker.Labels, Study: s.worker.Study, Running: s.running()}
	s.mutex.Unlock()
	var reply joinReply
	if err := s.client.ask(ctx, "join", m, &reply, s.interval()); err != nil {
		if why := s.client.forbidden("join"); why != nil && !s.known && errors.Is(err, errNoAnswer) {
			return fmt.Errorf("%w: NATS does not let worker %s speak below the prefix %s: %w", ErrRefused, s.worker.Name, s.worker.Prefix, why)
		}
		return err
	}
	if reply.Error != "" {
		return fmt.Errorf("%w: %s", ErrRefused, reply.Error)
	}
	s.mutex.Lock()
	if s.known { // who joins first may have answered jobs before this was heard, and is heard well
		close(s.news)
		s.news = make(chan struct{})
	}
	s.heartbeat, s.known, s.silent, s.older = reply.Heartbeat, true, false, false
	s.mutex.Unlock()
	s.log.Info("joined", zap.Duration("heartbeat", reply.Heartbeat), zap.Uint64("epoch", reply.Epoch))
	return nil
}

// beat says what runs, and stops what is to be stopped.
func (s *session) beat(ctx context.Context) (rejoin bool, err error) {
	s.mutex.Lock()
	m := beatMessage{Epoch: s.client.epoch.Load(), Slots: s.slots(), Running: s.running()}
	s.mutex.Unlock()
	var reply beatReply
	if err := s.client.ask(ctx, "hb", m, &reply, s.interval()); err != nil {
		return false, err
	}
	if reply.Error != "" {
		return true, errors.New(reply.Error)
	}
	for _, i := range reply.Stop {
		s.stop(i.name(), false)
	}
	return reply.Rejoin, nil
}
