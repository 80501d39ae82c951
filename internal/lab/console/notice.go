package console

import (
	"io"
)

// notice is a line on a terminal that says what is being measured. Nothing moves by itself, which would take time from
// what is measured.
type notice struct{ w io.Writer }

// EraseLine is the sequence that clears a line of a terminal from the cursor on (ECMA-48).
const EraseLine = "\x1b[K"

// NewNotice shows nothing where standard error is no terminal, or one on which the lines for machines appear.
func NewNotice(k Streams, jsonToStdout bool) notice {
	if Live(k.Stderr) && !(jsonToStdout && Live(k.Stdout)) {
		return notice{k.Stderr}
	}
	return notice{io.Discard}
}

func (n notice) Show(text string) { io.WriteString(n.w, "\r"+text+EraseLine) }
func (n notice) Clear()           { io.WriteString(n.w, "\r"+EraseLine) }
