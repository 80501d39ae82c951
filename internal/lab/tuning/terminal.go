package tuning

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// terminal draws frames over each other, each with one write and without clearing the screen first, so that nothing
// flickers.
type terminal struct {
	w     io.Writer
	size  func() (width, height int)
	drawn int // lines of the last frame
}

// Control sequences (ECMA-48 and DEC).
const (
	hideCursor, showCursor = "\x1b[?25l", "\x1b[?25h"
	noWrap, wrap           = "\x1b[?7l", "\x1b[?7h"
	eraseBelow             = "\x1b[J"
)

// newTerminal returns nil unless w is a terminal that understands the sequences.
func newTerminal(w io.Writer) *terminal {
	file, ok := w.(*os.File)
	if !ok || !console.Live(w) || runtime.GOOS == "windows" {
		return nil
	}
	return &terminal{w: w, size: func() (int, int) {
		width, height, err := cwriter.GetSize(int(file.Fd()))
		if err != nil {
			return 80, 24
		}
		return width, height
	}}
}

// draw puts a frame where the last one was. The cursor stays in the line below it.
func (t *terminal) draw(lines []string) {
	var b strings.Builder
	if t.drawn == 0 {
		b.WriteString(hideCursor + noWrap)
	}
	b.WriteString(t.top())
	for _, line := range lines {
		b.WriteString(line + console.EraseLine + "\n")
	}
	b.WriteString(eraseBelow)
	t.drawn = len(lines)
	io.WriteString(t.w, b.String())
}

// clear takes the last frame off the screen and gives the cursor back.
func (t *terminal) clear() {
	if t.drawn > 0 {
		io.WriteString(t.w, t.top()+eraseBelow+wrap+showCursor)
	}
	t.drawn = 0
}

// top moves the cursor to the first line of the last frame, whatever was typed meanwhile.
func (t *terminal) top() string {
	if t.drawn == 0 {
		return ""
	}
	return fmt.Sprintf("\r\x1b[%dA", t.drawn)
}
