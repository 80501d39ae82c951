package remote

// Hold lets the study of a name get no slots of any worker, or lets it get them again, now and whenever one with the name is attached: nothing
// of it begins, and others get the slots. What of it runs goes on, and what comes of that is taken.
func (h *Hub) Hold(study string, on bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.held[study] == on {
		return
	}
	if on {
		h.held[study] = true
	} else {
		delete(h.held, study)
	}
	h.shareAll()
}

// withhold takes the slots of a study that is held, and returns how many it still takes: what runs goes on.
func (h *Hub) withhold(s *seat) (busy int) {
	if s.target = 0; s.granted > 0 {
		h.grant(s, 0)
	}
	return s.busy
}

// postpone notes that an attempt has come to its end at a worker though what came of it cannot be taken yet: it is repeated, and takes no slot.
func (h *Hub) postpone(from key, i id) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if w := h.workers[from]; w != nil && len(w.ended) < maxRunning {
		w.ended[i] = true
	}
}
