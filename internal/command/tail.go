package command

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// Tail returns the end of what the attempt printed on standard error, or, where that is nothing, on standard output: whole lines of valid
// text, at most so many bytes together. Empty where nothing was printed or nothing can be read.
func (r *Runner) Tail(evaluation, attempt int, most int64) string {
	dir, err := root(r.Dir)
	if err != nil {
		return ""
	}
	f := attemptFolder(dir, evaluation, attempt)
	for _, file := range []string{stderrFile, stdoutFile} {
		if text := tailOf(f.path(file), most); text != "" {
			return text
		}
	}
	return ""
}

// tailOf is the end of a file. A first line that is cut is left out, unless it is all there is.
func tailOf(path string, most int64) string {
	in, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer in.Close()
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	from := max(size-most, 0)
	raw, err := io.ReadAll(io.NewSectionReader(in, from, size-from))
	if err != nil {
		return ""
	}
	text := string(raw)
	if from > 0 {
		if _, rest, more := strings.Cut(text, "\n"); more && strings.TrimSpace(rest) != "" {
			text = rest
		}
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "")
	}
	return strings.TrimSpace(text)
}
