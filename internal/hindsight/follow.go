package hindsight

import (
	"fmt"
	"iter"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// follower steps a loop through the records of a journal and knows which ask is open.
type follower struct {
	loop  *loop.Loop
	ask   loop.Ask  // ID 0 means none
	asked uint64    // the event at which it was opened
	fit   *loop.Fit // the open one
}

// follow returns a follower of a study as it is.
func follow(l *loop.Loop) *follower {
	f := &follower{loop: l}
	f.note(l.Outstanding())
	return f
}

func (f *follower) note(effects []loop.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case loop.Ask:
			f.ask = e
			f.asked, _ = f.loop.Now()
		case loop.Fit:
			f.fit = &e
		}
	}
}

// answers reports whether an event answers the open ask.
func (f *follower) answers(e loop.Event) bool {
	a, is := answerOf(e)
	return is && a.ask == f.ask.ID && a.ask != 0
}

// step takes the next event.
func (f *follower) step(e loop.Stamped) (loop.Reaction, error) {
	reaction, err := f.loop.Step(e)
	if err != nil {
		return reaction, fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
	}
	if f.fit != nil && f.fit.Answers(e.Event) {
		f.fit = nil
	}
	if !f.loop.Asks(f.ask) {
		f.ask = loop.Ask{}
	}
	f.note(reaction.Effects)
	return reaction, nil
}

// view is what the policy may know for the open ask, with what its model needed. What round-off breaks is an error.
func (f *follower) view() (view policies.View, trouble loop.Trouble, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("model panicked: %v", r)
		}
	}()
	view, trouble = f.loop.Task().View()
	return view, trouble, nil
}

// read returns what a study is, and the study as it is after its last event. Errors are those of journal.Replay.
func read(s journal.Source) (journal.Header, *loop.Loop, error) {
	end, _, err := journal.Replay(s)
	if err != nil {
		return journal.Header{}, nil, err
	}
	h, err := s.Header()
	return h, end, err
}

// before returns a study as it was before an evaluation was chosen, and the records that follow: from the latest snapshot on
// where that was kept before, from the beginning otherwise.
func before(s journal.Source, h journal.Header, number int) (*follower, iter.Seq2[journal.Record, error], error) {
	if store, keeps := s.(journal.Snapshots); keeps {
		if seq, state, err := store.Snapshot(); err == nil && seq > 0 {
			if l, err := loop.Restore(h.Config, state); err == nil && len(l.Evaluations()) < number {
				return follow(l), store.RecordsAfter(seq), nil
			}
		}
	}
	l, err := loop.New(h.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: header: %w", journal.ErrCorruptJournal, err)
	}
	return follow(l), s.Records(), nil
}

// choice is how an evaluation came to be.
type choice struct {
	study    *loop.Loop // right after it
	fate     loop.Fate
	ask      loop.Ask // that was answered; ID 0 where nobody was asked
	answer   answer
	view     policies.View
	unviewed error // why there is no view of the ask
}

// find goes to the event that chose an evaluation. Cost O(n) for each event, and that of a view.
func find(s journal.Source, h journal.Header, number int) (choice, error) {
	f, records, err := before(s, h, number)
	if err != nil {
		return choice{}, err
	}
	for r, err := range records {
		if err != nil {
			return choice{}, fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
		}
		var c choice
		if f.ask.Round == number && f.answers(r.Event.Event) {
			c.ask = f.ask
			c.answer, _ = answerOf(r.Event.Event)
			c.view, _, c.unviewed = f.view()
		}
		reaction, err := f.step(r.Event)
		if err != nil {
			return choice{}, err
		}
		if len(f.loop.Evaluations()) >= number {
			if reaction.Evaluation != number {
				c.ask = loop.Ask{} // the answer came to nothing, and what follows from it is something else
			}
			c.study, c.fate = f.loop, reaction.Fate
			return c, nil
		}
	}
	return choice{}, fmt.Errorf("%w: evaluation %d is chosen by no event", journal.ErrCorruptJournal, number)
}
