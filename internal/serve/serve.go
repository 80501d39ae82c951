// Package serve is ask and tell over HTTP: a handler for a folder of studies, each in the file NAME.db. Its paths begin with /v1, its
// bodies are JSON, its errors application/problem+json (RFC 9457) with every violation at once; openapi.json describes all of it.
//
//	PUT  /v1/studies/NAME                        a space and options: the study begins, or is there already
//	POST /v1/studies/NAME/ask?wait=30s           the next queries, as soon as there is one
//	POST /v1/studies/NAME/evaluations/1/tell     the value of one
//	GET  /v1/studies/NAME/best                   what was found
//
// A study is opened when it is first needed, and of many the one that nobody needed for longest is closed. What is acknowledged is in
// its file.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/portrait"
)

// ErrInUse: another process serves the folder.
var ErrInUse = errors.New("the folder is served by another process")

// Config says what is served, and how much of it at once.
type Config struct {
	Folder string // of the studies; it must exist
	Live   *Live  // a study that goes on, in place of a folder; nil: the folder's

	// Export writes the study of a file as "json" or "csv", or as a page, "html". It reads the file while this process has it open.
	Export func(w io.Writer, path, format string) error
	// Look reads the study of a file that this process has not open, for the page; nil: such a study is not shown.
	Look func(path string) (portrait.Study, error)
	// Admit says why a study that is there is not for ask and tell; nil: each is.
	Admit func(Texts) error
	// Begun is called with the store of a new study before the study begins; nil: nothing happens then.
	Begun func(Texts) error
	// Store opens the store of the study in a file, or makes it where that is wanted and there is none; nil: that of package sqlite.
	Store func(path, study string, create bool) (Store, error)

	// Remote lets the remote workers that have the labels work for a study, by its options; nil: there are no such workers.
	Remote func(o *tarry.Options, study string, needs []string)
	// Hold lets remote workers begin nothing more of a study, or go on; it is there where Remote is.
	Hold func(study string, on bool)

	// Workers lists the remote workers as they are now; nil: there are none.
	Workers func() []Worker

	// Keys let callers in by their certificates; nil: whoever reaches the server may do everything.
	Keys *Keys
	// Metrics are what GET /metrics has; nil: those of the requests.
	Metrics *Metrics
	// Log gets a line for each request that was refused because of who sent it, and for what goes wrong beside requests; nil: none.
	Log func(string)

	Loopback bool    // only requests to a name of this machine are answered, so that no page on the web reaches the studies
	Open     int     // studies open at once: 1 … 10000; 0: 64
	Requests int     // under way at once, but for asks and streams: 1 … 100000; 0: 1000
	Asks     int     // under way at once, those that wait for a query included: 1 … 100000; 0: 1000
	Streams  int     // of events under way at once: 1 … 10000; 0: 100
	Rate     float64 // requests a second of one address, with bursts of as many; 0: no limit
	Body     int64   // bytes of a request: 1 … 1 GiB; 0: 4 MiB
}

// Validate returns nil or every violation.
func (c Config) Validate() error {
	var l check.List
	l.Require(c.Export != nil, "Config.Export", nil, "a function")
	l.Require((c.Remote == nil) == (c.Hold == nil), "Config.Hold", c.Hold != nil, "a function where Remote is one, and only there")
	l.Between("Config.Open", cmp.Or(c.Open, 64), 1, 10000)
	l.Between("Config.Requests", cmp.Or(c.Requests, 1000), 1, 100000)
	l.Between("Config.Asks", cmp.Or(c.Asks, 1000), 1, 100000)
	l.Between("Config.Streams", cmp.Or(c.Streams, 100), 1, 10000)
	l.NotNegative("Config.Rate", c.Rate)
	l.Require(c.Body >= 0 && c.Body <= 1<<30, "Config.Body", c.Body, "0 ≤ Body ≤ 1073741824")
	return l.Err()
}

// Server is the handler. Close it when no request is under way any more.
type Server struct {
	config   Config
	lock     *flock.Flock
	shelf    *shelf
	mux      *http.ServeMux
	routeOf  map[string]route // by its pattern
	requests places
	asks     places
	streams  places
	exports  chan struct{} // one at a time: each holds a study in memory
	glimpses glimpses
	rates    rates
	log      *chronicle
	ending   chan struct{} // closed when those that wait should end
	end      sync.Once
	patience time.Duration // for the body of a request
}

// lockName is the file by which a process holds the folder.
const lockName = ".tarry-serve.lock"

// New returns the handler of a folder, which no other process serves meanwhile, or ErrInUse, or every violation.
func New(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Metrics == nil {
		var err error
		if c.Metrics, err = NewMetrics(); err != nil {
			return nil, err
		}
	}
	var lock *flock.Flock
	if c.Live == nil {
		var err error
		if lock, err = taken(c.Folder); err != nil {
			return nil, err
		}
	}
	c.Body = cmp.Or(c.Body, 4<<20)
	log := newChronicle(c.Log)
	s := &Server{
		config: c, lock: lock, shelf: newShelf(c, log), log: log, patience: readTime, requests: placesFor("requests", cmp.Or(c.Requests, 1000)),
		asks: placesFor("asks", cmp.Or(c.Asks, 1000)), streams: placesFor("streams of events", cmp.Or(c.Streams, 100)), exports: make(chan struct{}, 1), ending: make(chan struct{}),
		rates: rates{perSecond: c.Rate, now: time.Now}, routeOf: map[string]route{},
	}
	if c.Live != nil {
		s.shelf.open[c.Live.name] = c.Live.held()
	}
	s.mux = s.routes()
	return s, nil
}

// CheckFolder returns why studies cannot be in a folder: it is not there, or is none.
func CheckFolder(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("folder of studies: there is no folder %s; make it first", folder)
	case err != nil:
		return fmt.Errorf("folder of studies: %w", err)
	case !info.IsDir():
		return fmt.Errorf("folder of studies: %s is no folder", folder)
	}
	return nil
}

// taken takes a folder, so that no other process serves it.
func taken(folder string) (*flock.Flock, error) {
	if err := CheckFolder(folder); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(folder, lockName))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("folder of studies: %w", err)
	}
	if !held {
		return nil, fmt.Errorf("%s: %w", folder, ErrInUse)
	}
	return lock, nil
}

// Close closes the studies and gives the folder free.
func (s *Server) Close() error {
	if s.lock == nil {
		return s.shelf.close()
	}
	return errors.Join(s.shelf.close(), s.lock.Unlock())
}

// The limits of a connection. A long poll and a stream of events set their own.
const (
	headerTime   = 5 * time.Second
	readTime     = 30 * time.Second
	writeTime    = 30 * time.Second
	idleTime     = 2 * time.Minute
	headerBytes  = 64 << 10
	drainingTime = 20 * time.Second
)

// Serve answers on the listener until the context ends. Then those who wait are answered at once, what is under way has 20 s to end,
// and Serve returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: s.patience, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		ErrorLog: log.New(s.log, "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.end.Do(func() { close(s.ending) })
	last, stop := context.WithTimeout(context.Background(), drainingTime)
	defer stop()
	err := server.Shutdown(last)
	if err != nil {
		server.Close()
	}
	<-failed
	return err
}
