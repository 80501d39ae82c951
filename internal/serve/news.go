package serve

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal"
)

// news are the latest events of a study, for who looks on, and wake who waits for a query. It keeps a bounded number of them whoever reads.
type news struct {
	mutex   sync.Mutex
	latest  []told        // in order, at most maxNews
	lost    uint64        // the last event before them that was for readers
	begun   bool          // whether it is known what that is
	changed chan struct{} // closed, and replaced, by each event
	turn    chan struct{} // one for who waits for a query: an event came that may have set one free
}

// untold reports whether an event is for no reader: it is how an ask begins and ends, and nothing happened.
func untold(kind string) bool { return kind == "worker-joined" || kind == "worker-left" }

// goOn says which event was the last one for readers before those that are to come.
func (n *news) goOn(last uint64) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.lost, n.begun = last, true
}

// lastTold is the last event for readers in the journal of a study; false where it cannot be read, which whoever goes on with the study will hear of.
func lastTold(store journal.Snapshots) (last uint64, ok bool) {
	at, _, err := store.Snapshot()
	if err != nil {
		return 0, false
	}
	for back := uint64(64); ; back *= 8 {
		from := at - min(at, back)
		for r, err := range store.RecordsAfter(from) {
			if err != nil {
				return 0, false
			}
			if !untold(portrait.KindOf(r.Event.Event)) {
				last = r.Event.Seq
			}
		}
		if last > 0 || from == 0 {
			return last, true
		}
	}
}

// told is an event as it is sent.
type told struct {
	seq  uint64
	kind string
	text []byte
}

// maxNews bounds how far back a reader may begin.
const maxNews = 1000

func newNews() *news { return &news{changed: make(chan struct{}), turn: make(chan struct{}, 1)} }

// happened is an event for a reader.
type happened struct {
	Seq        uint64   `json:"seq"`
	At         float64  `json:"at_s"` // since the study began
	Kind       string   `json:"kind"`
	Fate       string   `json:"fate"`
	Evaluation int      `json:"evaluation,omitempty"` // that it is about
	Status     string   `json:"status,omitempty"`     // of that evaluation
	Value      *float64 `json:"value,omitempty"`      // of that evaluation
	Best       *float64 `json:"best"`                 // so far
	Pending    int      `json:"pending"`
	Spent      int      `json:"spent"`
	Budget     int      `json:"budget"`
}

// add is told each event of the study, which waits meanwhile.
func (n *news) add(e tarry.Event) {
	n.first(e.Seq)
	kind := portrait.KindOf(e.Event)
	if len(e.Reaction.Expired) > 0 {
		n.wake() // whatever the event says, there may be a query now
	}
	if untold(kind) {
		return
	}
	switch kind {
	case "feedback-arrived", "evaluation-failed", "cancel-requested", "woke", "stop-requested":
		n.wake()
	}
	h := happened{Seq: e.Seq, At: e.At.Seconds(), Kind: kind, Fate: e.Reaction.Fate.String(), Pending: e.Pending, Spent: e.Spent, Budget: e.Budget}
	if e.Evaluation.Number > 0 {
		h.Evaluation, h.Status = e.Evaluation.Number, e.Evaluation.Status.String()
		if e.Evaluation.Measured {
			h.Value = &e.Evaluation.Value
		}
	}
	if e.Incumbent.Number > 0 {
		h.Best = &e.Incumbent.Value
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic("serve: " + err.Error()) // nothing in it is NaN or infinite
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if len(n.latest) == maxNews {
		n.lost = n.latest[maxNews/4-1].seq
		n.latest = append(make([]told, 0, maxNews), n.latest[maxNews/4:]...)
	}
	n.latest = append(n.latest, told{e.Seq, h.Kind, text})
	close(n.changed)
	n.changed = make(chan struct{})
}

// first takes all events before the first one that comes for lost, where nobody said which they are.
func (n *news) first(seq uint64) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if !n.begun {
		n.lost, n.begun = seq-1, true
	}
}

// wake gives somebody who waits for a query a turn to ask for it. Who has got one wakes the next.
func (n *news) wake() {
	select {
	case n.turn <- struct{}{}:
	default:
	}
}

// stir lets everybody who reads or waits look again.
func (n *news) stir() {
	n.mutex.Lock()
	close(n.changed)
	n.changed = make(chan struct{})
	n.mutex.Unlock()
	n.wake()
}

// after returns what came after an event, the last event that is no longer there, and what is closed by the next one.
func (n *news) after(seq uint64) (since []told, lost uint64, changed <-chan struct{}) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for i, t := range n.latest {
		if t.seq > seq {
			return append([]told(nil), n.latest[i:]...), n.lost, n.changed
		}
	}
	return nil, n.lost, n.changed
}

// now returns the number of the latest event for readers, 0 before the first.
func (n *news) now() uint64 {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if len(n.latest) == 0 {
		return n.lost
	}
	return n.latest[len(n.latest)-1].seq
}

// frames appends events as a stream of events has them, and returns the number of the last one, or that of before.
func frames(to []byte, events []told, seq uint64) ([]byte, uint64) {
	for _, t := range events {
		to, seq = fmt.Appendf(to, "id: %d\nevent: %s\ndata: %s\n\n", t.seq, t.kind, t.text), t.seq
	}
	return to, seq
}
