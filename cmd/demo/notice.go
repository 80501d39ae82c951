package main

import "io"

// notice is a line on a terminal that says what is being measured. Nothing moves by itself, which would take time from
// what is measured.
type notice struct{ w io.Writer }

// eraseLine is the sequence that clears a line of a terminal from the cursor on (ECMA-48).
const eraseLine = "\x1b[K"

// newNotice shows nothing where standard error is no terminal, or one on which the lines for machines appear.
func newNotice(k console, jsonToStdout bool) notice {
	if live(k.stderr) && !(jsonToStdout && live(k.stdout)) {
		return notice{k.stderr}
	}
	return notice{io.Discard}
}

func (n notice) show(text string) { io.WriteString(n.w, "\r"+text+eraseLine) }
func (n notice) clear()           { io.WriteString(n.w, "\r"+eraseLine) }
