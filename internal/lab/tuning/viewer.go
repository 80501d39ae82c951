package tuning

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/lab/console"
)

// frameEvery is the time between two frames.
const frameEvery = 100 * time.Millisecond

// viewer keeps a screen up to date and shows it: as a frame on a terminal, and as a line now and then anywhere else.
type viewer struct {
	w        io.Writer
	terminal *terminal // nil: lines
	begin    time.Time
	done     chan struct{}
	gone     sync.WaitGroup

	mutex  sync.Mutex // guards the screen
	screen screen
}

// watch shows a screen until stop is called or ctx ends. After that the cursor is where and what it was.
func watch(ctx context.Context, w io.Writer, s screen) *viewer {
	return show(ctx, newTerminal(w), w, s)
}

func show(ctx context.Context, t *terminal, w io.Writer, s screen) *viewer {
	v := &viewer{w: w, terminal: t, begin: time.Now(), done: make(chan struct{}), screen: s}
	v.gone.Go(func() { v.run(ctx) })
	return v
}

// apply takes the next event of the study.
func (v *viewer) apply(e tarry.Event) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.screen.course.apply(e)
}

// stop ends the show and returns the last state of the screen.
func (v *viewer) stop() screen {
	close(v.done)
	v.gone.Wait()
	return v.screen
}

func (v *viewer) run(ctx context.Context) {
	every := console.PlainEvery
	if v.terminal != nil {
		every = frameEvery
		defer v.terminal.clear()
		v.update()
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			v.update()
		case <-v.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (v *viewer) update() {
	now := time.Since(v.begin)
	if v.terminal == nil {
		v.mutex.Lock()
		line := v.screen.line(now)
		v.mutex.Unlock()
		fmt.Fprintln(v.w, line)
		return
	}
	width, height := v.terminal.size()
	v.mutex.Lock()
	lines := v.screen.frame(now, width, height-1, mayPaint()) // the cursor is in the line below
	v.mutex.Unlock()
	v.terminal.draw(lines)
}
