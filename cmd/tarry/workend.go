package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/tarry-bo/tarry/remote"
)

// drains says what a worker that takes nothing new waits for, and what another Ctrl-C does.
func (w *worker) drains(l remote.Left) string {
	var waits []string
	if l.Running > 0 {
		waits = append(waits, "what runs")
	}
	if l.Answers > 0 || l.Away {
		server := "the server"
		if l.Away {
			server = "the server, which is away,"
		}
		waits = append(waits, fmt.Sprintf("%s to take %s", server, these(l.Answers+l.Running, "answer")))
	}
	again := "gives it back"
	if l.Away {
		again = fmt.Sprintf("waits no longer: what was found stays in %s, where the next worker has it", shortened(w.Logs))
	}
	return fmt.Sprintf("tarry: nothing new is started; waiting for %s. Ctrl-C again %s", strings.Join(waits, ", and for "), again)
}

// heed lets the worker end at a signal: at the first Ctrl-C when what runs has ended, else at once. Interrupted says whether there was one.
func (w *worker) heed(log io.Writer, drain chan struct{}, stop context.CancelFunc) (interrupted func() bool) {
	signals := make(chan os.Signal, 4)
	listen(signals)
	var mutex sync.Mutex
	heard := false
	go func() {
		for s := range signals {
			mutex.Lock()
			first := !heard
			heard = true
			mutex.Unlock()
			if s == os.Interrupt && first {
				close(drain)
				continue
			}
			fmt.Fprintln(log, "tarry: ending what runs")
			stop()
		}
	}()
	return func() bool {
		signal.Stop(signals)
		mutex.Lock()
		defer mutex.Unlock()
		return heard
	}
}
