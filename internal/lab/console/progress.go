package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// Meter shows how far a comparison is. Its methods may be called from many goroutines.
type Meter interface {
	Query() // a query was sent out
	Run()   // a run is complete
	Stop()  // nothing more will come; takes what was drawn off the screen
}

// NewMeter returns a bar on a terminal, and lines anywhere else.
func NewMeter(c Streams, runs, queries int, jsonToStdout bool) Meter {
	if Live(c.Stderr) && !(jsonToStdout && Live(c.Stdout)) {
		return newBar(c.Stderr, runs, queries)
	}
	return newPlain(c.Stderr, runs, queries, time.Now)
}

// Live reports whether w is a terminal on which the cursor may be moved.
func Live(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !cwriter.IsTerminal(int(f.Fd())) {
		return false
	}
	_, rows, err := cwriter.GetSize(int(f.Fd()))
	return err == nil && rows > 0
}

// bar is a progress bar with the time that is left.
type bar struct {
	progress *mpb.Progress
	bar      *mpb.Bar
	complete atomic.Int64
}

func newBar(w io.Writer, runs, queries int) *bar {
	b := &bar{progress: mpb.New(mpb.WithOutput(w), mpb.WithWidth(64))}
	counter := decor.Any(func(decor.Statistics) string { return progressText(int(b.complete.Load()), runs) })
	b.bar = b.progress.AddBar(int64(queries)+1, // never reached, so that the bar stays until stop
		mpb.PrependDecorators(counter, decor.Percentage(decor.WCSyncSpace)),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left")),
	)
	return b
}

func (b *bar) Query() { b.bar.Increment() }
func (b *bar) Run()   { b.complete.Add(1) }
func (b *bar) Stop() {
	b.bar.Abort(true)
	b.progress.Wait()
}

// PlainEvery is the least time between two lines.
const PlainEvery = 4 * time.Second

// plain writes a line now and then.
type plain struct {
	w              io.Writer
	now            func() time.Time
	mutex          sync.Mutex
	begin, last    time.Time
	runs, complete int
	queries, sent  int
}

func newPlain(w io.Writer, runs, queries int, now func() time.Time) *plain {
	return &plain{w: w, now: now, begin: now(), last: now(), runs: runs, queries: queries}
}

func (p *plain) Query() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.sent++
	now := p.now()
	if now.Sub(p.last) < PlainEvery {
		return
	}
	p.last = now
	share := float64(p.sent) / float64(p.queries)
	left := time.Duration(float64(now.Sub(p.begin)) * (1 - share) / share)
	fmt.Fprintf(p.w, "%s, %.0f %%, about %v left\n", progressText(p.complete, p.runs), 100*share, left.Round(time.Second))
}

func (p *plain) Run() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.complete++
}

func (p *plain) Stop() {}

func progressText(complete, runs int) string {
	return fmt.Sprintf("%d of %s", complete, Plural(runs, "run"))
}
