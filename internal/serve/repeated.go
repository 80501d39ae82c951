package serve

import (
	"crypto/sha256"
	"net/http"
	"time"
)

// answers are the latest ones of a study by the key of their requests, so that a request that is repeated gets the same answer.
type answers struct {
	byKey map[string]keyed
	keys  []string // in order
	size  int      // bytes, of all
}

type keyed struct {
	path   string
	body   [sha256.Size]byte
	answer answer
	at     time.Time
}

// Bounds of what is kept for requests that are repeated. Keys that are older go when others come, and the oldest go where all together would
// take too much: it is enough for 20 000 asks of one query each.
const (
	keyAge     = 10 * time.Minute
	maxAnswers = 8 << 20 // bytes of one study
	maxKey     = 200     // bytes
	aroundKey  = 200     // bytes that one takes beside what is in it
)

func (a *answers) keep(key string, k keyed) {
	if a.byKey == nil {
		a.byKey = map[string]keyed{}
	}
	size := k.size(key)
	for len(a.keys) > 0 {
		oldest := a.byKey[a.keys[0]]
		if a.size+size <= maxAnswers && k.at.Sub(oldest.at) <= keyAge {
			break
		}
		a.size -= oldest.size(a.keys[0])
		delete(a.byKey, a.keys[0])
		a.keys = a.keys[1:]
	}
	a.byKey[key] = k
	a.keys = append(a.keys, key)
	a.size += size
}

func (k *keyed) size(key string) int { return aroundKey + len(key) + len(k.path) + len(k.answer.body) }

// once does what changes the study when it is asked or observed, one at a time, and not again for a request with the same
// Idempotency-Key: that gets the answer of the first, while its key is kept and the study stays open.
func (s *Server) once(r *http.Request, h *held, body []byte, do func() (answer, *problem)) (answer, *problem) {
	key := r.Header.Get("Idempotency-Key")
	if len(key) > maxKey {
		return answer{}, invalid("Idempotency-Key: want at most 200 bytes")
	}
	select {
	case h.asking <- struct{}{}:
		defer func() { <-h.asking }()
	case <-r.Context().Done():
		return answer{}, busy("the caller has gone")
	}
	if r.Context().Err() != nil {
		return answer{}, busy("the caller has gone") // who would take no query
	}
	if known, there := h.answers.byKey[key]; there && key != "" {
		if known.path != r.URL.Path {
			return answer{}, problemOf(http.StatusConflict, "key", "Idempotency-Key %s was used for %s", shortened(key), known.path)
		}
		if known.body != sha256.Sum256(body) {
			return answer{}, problemOf(http.StatusConflict, "key", "Idempotency-Key %s was used with another body: want a key for each request", shortened(key))
		}
		return known.answer, nil
	}
	a, p := do()
	if p == nil && a.body != nil && key != "" {
		h.answers.keep(key, keyed{r.URL.Path, sha256.Sum256(body), a, time.Now()})
	}
	return a, p
}
