package remote

// divide gives n studies their shares of slots: equal ones, and what cannot be divided goes round with the turn.
func divide(slots, n, turn int) []int {
	shares := make([]int, n)
	for i := range shares {
		shares[i] = slots / n
	}
	for i := range slots % max(n, 1) {
		shares[(turn*(slots%n)+i)%n]++
	}
	return shares
}

// shareAll divides the slots of every worker anew.
func (h *Hub) shareAll() {
	for _, w := range h.workers {
		h.share(w)
	}
}

// share divides the slots of a worker among the studies that want it. A study that has too many loses them at once, and what it runs there
// goes on; one that has too few gets them when they are free.
func (h *Hub) share(w *worker) {
	if h.closed || h.workers[w.key] != w {
		return
	}
	var wanted []*study
	free := w.slots - w.strays
	for _, s := range h.order {
		switch seat := w.seats[s]; {
		case s.over && seat != nil:
			free -= seat.busy // what is being ended
		case h.held[s.name]:
			if seat != nil {
				free -= h.withhold(seat)
			}
		case !s.over && w.wants(s):
			wanted = append(wanted, s)
		}
	}
	var seats []*seat
	for i, target := range divide(max(free, 0), len(wanted), h.turn+w.offset) {
		s := w.seats[wanted[i]]
		if s == nil && target == 0 {
			continue
		}
		if s == nil {
			s = &seat{hub: h, study: wanted[i], worker: w, jobs: map[id]*job{}}
			w.seats[wanted[i]] = s
		}
		seats = append(seats, s)
		s.target = target
		if s.granted > target {
			h.grant(s, target)
		}
		free -= s.taken()
	}
	for _, s := range seats {
		if more := min(s.target, s.taken()+free); more > s.granted {
			free -= max(more-s.taken(), 0)
			h.grant(s, more)
		}
	}
}

// taken is how many slots of its worker a seat has, or still takes.
func (s *seat) taken() int { return max(s.granted, s.busy) }

// grant tells a study how many slots of the worker it has.
func (h *Hub) grant(s *seat, slots int) {
	s.granted = slots
	if s.place != nil {
		s.place.Resize(slots)
		return
	}
	place, err := s.study.remote.Join(slots, s)
	if err != nil {
		s.granted = 0 // it has ended, and is about to be taken away
		return
	}
	s.place = place
}
