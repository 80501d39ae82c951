package console

import "io"

// Notice is a line on a terminal that says what is being measured. Nothing moves by itself, which would take time from
// what is measured.
type Notice struct{ w io.Writer }

// EraseLine is the sequence that clears a line of a terminal from the cursor on (ECMA-48).
const EraseLine = "\x1b[K"

// NewNotice shows nothing where standard error is no terminal, or one on which the lines for machines appear.
func NewNotice(k Streams, jsonToStdout bool) Notice {
	if Live(k.Stderr) && !(jsonToStdout && Live(k.Stdout)) {
		return Notice{k.Stderr}
	}
	return Notice{io.Discard}
}

// Show puts a text in the place of the last one.
func (n Notice) Show(text string) { io.WriteString(n.w, "\r"+text+EraseLine) }

// Clear takes the text away.
func (n Notice) Clear() { io.WriteString(n.w, "\r"+EraseLine) }
