package asktell

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine bounds a request, in bytes. A longer one is answered with an error and not kept in memory.
const MaxLine = 16 << 20

// byteOrderMark stands before the first line where an editor or a shell of Windows wrote it.
const byteOrderMark = "\ufeff"

// line is one line of the input, without its end.
type line struct {
	text []byte
	long bool  // it has more than MaxLine bytes: the text is not there
	none bool  // there is no line, only an end
	end  error // why nothing follows; nil while something may
}

// read sends the lines of in until they end, or done is closed.
func read(in io.Reader, lines chan<- line, done <-chan struct{}) {
	r := bufio.NewReaderSize(in, 64<<10)
	for first := true; ; first = false {
		l := readLine(r)
		if first {
			l.text = bytes.TrimPrefix(l.text, []byte(byteOrderMark))
		}
		select {
		case lines <- l:
		case <-done:
			return
		}
		if l.end != nil {
			return
		}
	}
}

// readLine returns the next line. The last one needs no line end, but what an error cuts off is no line.
func readLine(r *bufio.Reader) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if l.long = l.long || len(l.text)+len(part) > MaxLine; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case err == nil:
			return l
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && (l.long || len(l.text) > 0):
			l.end = err
			return l
		default:
			return line{none: true, end: err}
		}
	}
}
