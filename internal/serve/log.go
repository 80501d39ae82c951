package serve

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// chronicle writes lines for whoever runs the server: a bounded number a second, since callers cause them.
type chronicle struct {
	write func(string) // nil: nobody reads
	mutex sync.Mutex
	rates rates
	lost  int
}

// maxLines bounds the lines of a second.
const maxLines = 20

func newChronicle(write func(string)) *chronicle {
	return &chronicle{write: write, rates: rates{perSecond: maxLines, now: time.Now}}
}

// say writes a line, or counts it where there are too many.
func (c *chronicle) say(format string, args ...any) {
	if c.write == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.rates.take("") > 0 {
		c.lost++
		return
	}
	text := strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(format, args...)), "\n", "; ")
	if c.lost > 0 {
		text += fmt.Sprintf(" (and %d lines that are left out)", c.lost)
		c.lost = 0
	}
	c.write(text)
}

// Write takes the lines of the server of the standard library: handshakes that failed, panics.
func (c *chronicle) Write(line []byte) (int, error) {
	c.say("%s", line)
	return len(line), nil
}
