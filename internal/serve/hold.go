package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// way is how somebody opens a study that is not open.
type way struct {
	creates bool // whether it is made where there is none
	open    func(h *held) (created bool, err error)
}

// get returns the study, open, for somebody who releases it; created says that this made it. Who finds that another opens it waits for that
// one. Where that fails he tries his own way, but for two who both open what is there, of whom one is told what the other is.
func (s *shelf) get(name string, by way) (h *held, created bool, p *problem) {
	if !isStudyName(name) {
		return nil, false, misnamed(name)
	}
	if l := s.config.Live; l != nil && name != l.name {
		return nil, false, alone(name, l.name)
	}
	for {
		h, there, p := s.take(name, by)
		if p != nil {
			return nil, false, p
		}
		if there {
			<-h.ready
		} else {
			s.begin(h, by)
		}
		if h.err == nil {
			return h, !there && h.created, nil
		}
		s.release(h)
		if !there || !by.creates && !h.creates {
			return nil, false, opening(name, h.err)
		}
	}
}

// take counts a user of the study. Where it is not there it has a place from now on, and its first user opens it.
func (s *shelf) take(name string, by way) (h *held, there bool, p *problem) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h, there = s.open[name]
	if there && !h.same() {
		s.drop(h)
		return nil, false, gone(name)
	}
	if !there {
		path := filepath.Join(s.config.Folder, name+extension)
		if !by.creates && s.lacks(path) { // for which no other study is closed
			return nil, false, opening(name, fs.ErrNotExist)
		}
		if p := s.room(); p != nil {
			return nil, false, p
		}
		h = &held{name: name, path: path, creates: by.creates, ready: make(chan struct{}), asking: make(chan struct{}, 1), gone: make(chan struct{})}
		h.news = newNews()
		s.open[name] = h
	}
	h.users++
	s.clock++
	h.used = s.clock
	return h, there, nil
}

// lacks reports whether a study cannot be opened since there is no file. Where the folder is not all there is, it may be made of what is elsewhere.
func (s *shelf) lacks(path string) bool {
	if s.config.Store != nil {
		return false
	}
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// begin opens a study that everybody else waits for. One that cannot be opened leaves nothing open for who tries it next.
func (s *shelf) begin(h *held, by way) {
	created, err := by.open(h)
	if err == nil {
		h.begun, err = h.store.Created()
	}
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(h.path)
	}
	if err != nil {
		s.shut(h)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h.info, h.created, h.err = info, created, err
	if err != nil {
		s.drop(h)
	}
	close(h.ready)
}
