package serve

import (
	"fmt"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"
)

// ServeHTTP answers a request, or says why not.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'") // of a report; nothing else is a page
	if p := s.guard(r); p != nil {
		p.write(w)
		return
	}
	if !isClean(r.URL) { // which the library would send elsewhere
		s.among(s.unmatched)(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.config.Body)
	s.mux.ServeHTTP(w, r)
}

// places are for what is under way at once.
type places struct {
	taken chan struct{} // one for each
	what  string
}

func placesFor(what string, n int) places { return places{make(chan struct{}, n), what} }

// enter takes a place, for somebody who leaves it, or says that there is none.
func (p places) enter() *problem {
	select {
	case p.taken <- struct{}{}:
		return nil
	default:
		return busy("%d %s are under way, as many as may be", cap(p.taken), p.what)
	}
}

func (p places) leave() { <-p.taken }

// places are those of a route. Who asks may wait, and who reads events stays: so they have places of their own, and take none of those by which
// answers come.
func (s *Server) places(to route) places {
	switch {
	case to.do == nil:
		return s.streams
	case to.path == studyPath+"/ask":
		return s.asks
	}
	return s.requests
}

// among answers as a handler does, where there is a place among the requests.
func (s *Server) among(do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p := s.requests.enter(); p != nil {
			p.write(w)
			return
		}
		defer s.requests.leave()
		do(w, r)
	}
}

var origins = http.NewCrossOriginProtection()

// guard says why a request is not even looked at.
func (s *Server) guard(r *http.Request) *problem {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if wait := s.rates.take(host); wait > 0 {
		p := problemOf(http.StatusTooManyRequests, "rate", "more than %g requests a second from %s", s.config.Rate, host)
		p.retry = int(math.Ceil(wait.Seconds()))
		return p
	}
	if s.config.Loopback && !isLoopback(r.Host) {
		return problemOf(http.StatusForbidden, "host", "the host %q is no name of this machine: want localhost, 127.0.0.1 or [::1]", r.Host)
	}
	if err := origins.Check(r); err != nil {
		return problemOf(http.StatusForbidden, "origin", "a page of another origin may change nothing here")
	}
	return nil
}

// isLoopback reports whether the host of a request, with a port or without, is a name of this machine.
func isLoopback(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// notJSON says why a body cannot be read; nil where it is JSON, or there is none.
func notJSON(r *http.Request, body []byte) *problem {
	given := r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	if len(body) == 0 && given == "" || err == nil && kind == "application/json" {
		return nil
	}
	return problemOf(http.StatusUnsupportedMediaType, "content-type", "Content-Type is %q: want application/json", given)
}

// rates bound the requests a second of each address: a bucket each, which is full at the first request.
type rates struct {
	perSecond float64 // 0: no limit
	now       func() time.Time
	mutex     sync.Mutex
	buckets   map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// maxBuckets bounds how many addresses are known at once. Where there are more, all begin anew.
const maxBuckets = 10000

// take returns 0, or how long the address has to wait.
func (r *rates) take(address string) time.Duration {
	if r.perSecond == 0 {
		return 0
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	now, most := r.now(), max(r.perSecond, 1)
	b, known := r.buckets[address]
	if !known {
		if r.buckets == nil || len(r.buckets) >= maxBuckets {
			r.buckets = map[string]bucket{}
		}
		b = bucket{most, now}
	}
	b.tokens = min(most, b.tokens+now.Sub(b.at).Seconds()*r.perSecond)
	b.at = now
	wait := time.Duration(0)
	if b.tokens < 1 {
		wait = time.Duration((1 - b.tokens) / r.perSecond * float64(time.Second))
	} else {
		b.tokens--
	}
	r.buckets[address] = b
	return wait
}

// isClean reports whether a path has no empty part, and none that is . or .., as no path here has.
func isClean(u *url.URL) bool {
	p := u.EscapedPath()
	clean := path.Clean(p)
	return p == clean || clean != "/" && p == clean+"/"
}

// unmatched answers for a path that is none, or has no such method.
func (s *Server) unmatched(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 && isClean(r.URL) {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		problemOf(http.StatusMethodNotAllowed, "method", "%s: want %s", r.Method, strings.Join(allowed, " or ")).write(w)
		return
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	detail := "there is nothing here: /v1/openapi.json says what there is"
	if !isClean(r.URL) {
		detail = "the path has a part that is empty, . or ..: want it without; /v1/openapi.json describes all paths"
	} else if first != "v1" {
		detail = fmt.Sprintf("the path begins with %q: want /v1, the only version there is; /v1/openapi.json describes it", "/"+shortened(first))
	}
	problemOf(http.StatusNotFound, "path", "%s", detail).write(w)
}

// shortened is a text of a caller as an answer repeats it.
func shortened(text string) string {
	const most = 40
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
