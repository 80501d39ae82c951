package remote

import (
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"
)

// worker is one that has joined.
type worker struct {
	key
	slots    int
	labels   []string
	only     string // the one study that it wants; empty: all
	heard    time.Time
	watch    *time.Timer // goes off when it has been silent for too long
	due      time.Time   // when it should
	offset   int         // of its turn, so that not every worker gives its odd slot to the same study
	seats    map[*study]*seat
	declined map[*study]string // why it does not get a study
	strays   int               // attempts that it runs and that no seat has
	ended    map[id]bool       // those of them that have come to their end, and whose answers cannot be taken yet
}

// wants reports whether a study may go to the worker.
func (w *worker) wants(s *study) bool {
	if _, declined := w.declined[s]; declined || w.only != "" && w.only != s.name {
		return false
	}
	for _, need := range s.needs {
		if !slices.Contains(w.labels, need) {
			return false
		}
	}
	return true
}

// patience is how long a worker may be silent.
func (h *Hub) patience() time.Duration {
	return time.Duration(h.options.Missed) * h.options.Heartbeat
}

// join answers a worker that wants to work, or wants to anew.
func (h *Hub) join(from key, text []byte) any {
	var m joinMessage
	reply := joinReply{Epoch: h.options.Epoch, Heartbeat: h.options.Heartbeat, Missed: h.options.Missed}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	strays, err := h.enter(from, &m)
	if err != nil {
		reply.Error = err.Error()
		return reply
	}
	n, _ := h.mayCount(from, strays)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	w := h.workers[from]
	if w == nil || h.closed {
		return nil // it joins again
	}
	w.strays = n
	h.share(w)
	h.options.Logger.Info("worker joined", zap.String("worker", w.name), zap.String("instance", w.instance), zap.Int("slots", w.slots), zap.Strings("labels", w.labels), zap.Int("strays", n))
	return reply
}

// enter notes who a worker is, and returns the attempts that it runs and that no seat has.
func (h *Hub) enter(from key, m *joinMessage) (strays []id, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.closed {
		return nil, nil
	}
	w := h.workers[from]
	if w == nil && len(h.workers) >= MaxWorkers {
		return nil, fmt.Errorf("the hub has %d workers, as many as it can have", MaxWorkers)
	}
	if w == nil {
		h.joined++
		w = &worker{key: from, offset: h.joined, seats: map[*study]*seat{}, declined: map[*study]string{}, ended: map[id]bool{}}
		h.workers[from] = w
		w.watch = time.AfterFunc(h.patience(), func() { h.silent(w) })
	}
	w.labels, w.only = m.Labels, m.Study
	h.hear(w)
	for _, s := range h.order {
		if seat := w.seats[s]; seat != nil && !w.wants(s) {
			h.unseat(seat, "the worker does not want the study any more")
		}
	}
	for _, i := range m.Running {
		if w.seats[h.studies[i.Study]].job(i) == nil && !w.ended[i] {
			strays = append(strays, i)
		}
	}
	w.slots = m.Slots
	w.strays = max(w.strays, len(strays)) // until it is known which may count
	return strays, nil
}

// hear notes that a worker lives.
func (h *Hub) hear(w *worker) {
	w.heard = time.Now()
	w.due = w.heard.Add(h.patience())
	w.watch.Reset(h.patience())
}

// silent takes a worker for lost, unless it was this process that did not hear: it was stopped for a while, or is cut off itself.
func (h *Hub) silent(w *worker) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	now := time.Now()
	switch {
	case h.closed || h.workers[w.key] != w || now.Before(w.due):
	case now.Sub(w.due) > h.options.Heartbeat || !h.conn.IsConnected():
		w.due = now.Add(h.patience())
		w.watch.Reset(h.patience())
	default:
		h.dismiss(w, fmt.Sprintf("worker %s: nothing was heard for %v", w.name, h.patience()))
		h.options.Logger.Warn("worker lost", zap.String("worker", w.name), zap.String("instance", w.instance), zap.Duration("silent", now.Sub(w.heard)))
	}
}

// dismiss lets the seats of a worker go, and forgets it.
func (h *Hub) dismiss(w *worker, reason string) {
	w.watch.Stop()
	delete(h.workers, w.key)
	for _, seat := range w.seats {
		h.unseat(seat, reason)
	}
}

// leave answers a worker that goes: what it runs starts elsewhere.
func (h *Hub) leave(from key, text []byte) any {
	var m leaveMessage
	reply := leaveReply{Epoch: h.options.Epoch}
	if err := h.read(from, text, &m, &m.Epoch); err != nil {
		reply.Error = err.Error()
		return reply
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if w := h.workers[from]; w != nil {
		h.dismiss(w, fmt.Sprintf("worker %s left: %s", w.name, m.Reason))
		h.options.Logger.Info("worker left", zap.String("worker", w.name), zap.String("instance", w.instance), zap.String("reason", m.Reason))
	}
	return reply
}

// WorkerInfo is a worker as a hub knows it.
type WorkerInfo struct {
	Name, Instance string
	Slots          int
	Labels         []string
	Study          string            // the only one that it wants; empty: all
	Running        map[string]int    // attempts by study, those that take a slot
	Declined       map[string]string // why it does not get a study, by study; nil where it gets all that it wants
	Strays         int               // attempts of studies or times that no seat is for: their answers may still count
	Heard          time.Time         // when it last said that it lives
}

// Workers lists the workers, by name and instance.
func (h *Hub) Workers() []WorkerInfo {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	all := make([]WorkerInfo, 0, len(h.workers))
	for _, w := range h.workers {
		info := WorkerInfo{Name: w.name, Instance: w.instance, Slots: w.slots, Labels: slices.Clone(w.labels), Study: w.only, Running: map[string]int{}, Strays: w.strays, Heard: w.heard}
		for s, seat := range w.seats {
			if seat.busy > 0 {
				info.Running[s.name] = seat.busy
			}
		}
		for s, reason := range w.declined {
			if info.Declined == nil {
				info.Declined = map[string]string{}
			}
			info.Declined[s.name] = reason
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b WorkerInfo) int { return compare(a.Name, b.Name, a.Instance, b.Instance) })
	return all
}
