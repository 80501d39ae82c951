package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// A command reports on its way by lines of standard output such as {"report": 0.2, "step": 3}: JSON objects with both, and neither
// "value" nor "infeasible", which would make them value lines. The shim picks them out as they come and writes them to a file of the
// folder, a step and a value on each line, and whoever runs the command follows that file: what is kept of the output itself may be cut.
const (
	reportsFile   = "reports"
	maxReports    = 4 << 20 // bytes of that file; further reports are dropped
	maxReportLine = 4 << 10 // bytes of a line that reports
	followPause   = 100 * time.Millisecond
)

// parseReport returns what a line reports, and whether it does. Numbers may be NaN and infinite: whoever hears of them counts them.
func parseReport(line []byte) (step, value float64, is bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' || line[len(line)-1] != '}' || !hasField(line, "report") || hasField(line, "value", "infeasible") {
		return 0, 0, false
	}
	fields, _, err := readLenient(line)
	if err != nil || isNull(fields["report"]) || isNull(fields["step"]) {
		return 0, 0, false
	}
	value, valued, _ := number(`"report"`, fields["report"])
	step, stepped, _ := number(`"step"`, fields["step"])
	return step, value, valued && stepped
}

// clerk writes the reports among what a command prints to a file. The zero clerk of a path has none yet. What goes wrong loses
// reports, and nothing else.
type clerk struct {
	path string
	file *os.File
	size int
	line []byte // that has no end yet
	long bool   // it is too long to report, and gone
	err  error
}

// Write never fails.
func (c *clerk) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && c.err == nil {
		part, rest, ends := bytes.Cut(p, []byte("\n"))
		if c.long = c.long || len(c.line)+len(part) > maxReportLine; c.long {
			c.line = c.line[:0]
		} else {
			c.line = append(c.line, part...)
		}
		if p = rest; !ends {
			break
		}
		if step, value, is := parseReport(c.line); is && !c.long {
			c.keep(step, value)
		}
		c.line, c.long = c.line[:0], false
	}
	return n, nil
}

func (c *clerk) keep(step, value float64) {
	if c.file == nil { // not what the command may have put there
		if c.file, c.err = os.OpenFile(c.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode); c.err != nil {
			return
		}
	}
	text := fmt.Appendf(nil, "%s %s\n", strconv.FormatFloat(step, 'g', -1, 64), strconv.FormatFloat(value, 'g', -1, 64))
	if c.size += len(text); c.size <= maxReports {
		_, c.err = c.file.Write(text)
	}
}

// close ends the file, if there is one.
func (c *clerk) close() {
	if c.file != nil {
		_ = c.file.Close() // reports are worth nothing any more
	}
}

// follower reads the reports of an attempt as they come.
type follower struct {
	file *os.File
	rest []byte // of a line that has no end yet
	tell func(step, value float64)
}

// follow tells of reports until the context ends.
func (f folder) follow(ctx context.Context, tell func(step, value float64)) {
	w := follower{tell: tell}
	for tick := time.NewTicker(followPause); ; {
		select {
		case <-tick.C:
			w.read(f.path(reportsFile))
		case <-ctx.Done():
			tick.Stop()
			w.read(f.path(reportsFile))
			if w.file != nil {
				_ = w.file.Close()
			}
			return
		}
	}
}

// read tells of what is new in the file, if there is one.
func (w *follower) read(path string) {
	if w.file == nil {
		file, err := open(path, os.O_RDONLY)
		if err != nil {
			return
		}
		w.file = file
	}
	data := make([]byte, pipeSize)
	for {
		n, err := w.file.Read(data)
		w.rest = append(w.rest, data[:n]...)
		for {
			line, rest, ends := bytes.Cut(w.rest, []byte("\n"))
			if !ends {
				break
			}
			w.rest = bytes.Clone(rest)
			first, second, _ := bytes.Cut(line, []byte(" "))
			step, err := strconv.ParseFloat(string(first), 64)
			value, err2 := strconv.ParseFloat(string(second), 64)
			if errors.Join(err, err2) == nil {
				w.tell(step, value)
			}
		}
		if n == 0 || err != nil && !errors.Is(err, io.EOF) {
			return
		}
	}
}
