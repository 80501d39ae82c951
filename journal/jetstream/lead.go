package jetstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Lead is the life of a standby, up to where it leads: it follows, waits for the lease, brings every file of the folder up to its
// stream, and claims the streams, so that nobody else writes them any more. Then the files are closed, and those of the folder that
// have no stream have one. The holder is a name for people. The error is that of the group's options, or of the context.
func (g *Group) Lead(ctx context.Context, folder, holder string) (*Term, error) {
	for {
		f, err := g.follower(folder)
		if err != nil {
			return nil, err
		}
		lease, err := f.wait(ctx, holder)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		t := &Term{group: g, js: f.js, epoch: lease.Epoch(), name: string(lease.value[:26]), lease: lease}
		if err = f.settle(ctx, t); err == nil {
			return t, nil
		}
		g.say("epoch %d could not begin: %v", t.epoch, err)
		_ = lease.Release(ctx) // else it ends by itself
		if err := errors.Join(ctx.Err(), f.close()); err != nil {
			return nil, err
		}
	}
}

// wait follows until this process has the lease. It tries to have it when it has looked at every stream once, so that of several
// standbys one leads that is not far behind.
func (f *follower) wait(ctx context.Context, holder string) (lease *Lease, err error) {
	following, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); f.run(following) }()
	select {
	case <-f.ready:
		lease, err = f.group.Acquire(ctx, holder)
	case <-ctx.Done():
		err = ctx.Err()
	}
	stop()
	<-done
	return lease, err
}

// settle brings every file up to its stream and claims that. A file that cannot be brought there holds nothing up: who opens its study
// hears of it.
func (f *follower) settle(ctx context.Context, t *Term) error {
	if err := t.insist(ctx, func() error { return f.list(ctx) }); err != nil {
		return err
	}
	for _, one := range f.tails {
		err := t.insist(ctx, func() error { return f.last(ctx, one) })
		if silent(err) && !errors.Is(err, ErrShortened) {
			return fmt.Errorf("study %s: %w", one.study, err)
		}
		if err != nil { // Open compares file and stream
			f.trouble(one, err)
			one.at = position{}
		}
		t.epoch = max(t.epoch, one.at.Epoch+1)
	}
	if err := f.close(); err != nil {
		return err
	}
	for _, one := range f.tails {
		_, err := t.claim(ctx, one.study, one.at, func(message) error { return nil })
		if err != nil {
			return fmt.Errorf("study %s: %w", one.study, err)
		}
	}
	return f.adopt(t)
}

// insist does something again as long as the servers do not answer and this process leads: while they choose a leader among them, it
// may have been chosen for the lease already.
func (t *Term) insist(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || !silent(err) || errors.Is(err, ErrShortened) {
			return err
		}
		if ended := errors.Join(t.valid(), ctx.Err()); ended != nil {
			return errors.Join(ended, err)
		}
		time.Sleep(pause)
	}
}

// adopt makes streams for the files of the folder that have none: those of a server that kept them alone so far.
func (f *follower) adopt(t *Term) error {
	entries, err := os.ReadDir(f.folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		study, is := strings.CutSuffix(e.Name(), extension)
		if !is || !e.Type().IsRegular() || !isStudy(study) || f.tails[study] != nil {
			continue
		}
		s, err := t.Open(f.path(study), study)
		switch {
		case err == nil:
			if err := s.Close(); err != nil {
				return err
			}
		case errors.Is(err, ErrFenced), errors.Is(err, ErrUnanswered):
			return err
		default:
			f.group.say("study %s: not replicated: %v", study, err)
		}
	}
	return nil
}
