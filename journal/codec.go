package journal

import (
	"fmt"

	"github.com/tarry-bo/tarry/loop"
)

// EncodeEvent returns the event as a kind, such as "feedback_arrived", and a JSON object that a person can read. The same
// event gives the same bytes. Floats come back to the bit; those that JSON has no number for are the strings "nan", "inf"
// and "-inf". Members that are zero may be absent. Cost about a microsecond for feedback.
func EncodeEvent(e loop.Event) (kind string, body []byte, err error) {
	w := fields{out: make([]byte, 0, 128)}
	w.out = append(w.out, '{')
	for i := range forms {
		if forms[i].write(&w, e) {
			if w.err != nil {
				return "", nil, fmt.Errorf("event %s: %w", forms[i].kind, w.err)
			}
			return forms[i].kind, append(w.out, '}'), nil
		}
	}
	return "", nil, fmt.Errorf("an event of type %T has no form", e)
}

// DecodeEvent returns the event that EncodeEvent wrote. A kind or a member that is not known is an error, since a newer
// program means something by it; so are members that are missing, given twice, or of another type.
func DecodeEvent(kind string, body []byte) (loop.Event, error) {
	for i := range forms {
		if forms[i].kind != kind {
			continue
		}
		r, err := reading(body)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", kind, err)
		}
		e := forms[i].read(&r)
		if err := r.finish(); err != nil {
			return nil, fmt.Errorf("event %s: %w", kind, err)
		}
		return e, nil
	}
	return nil, fmt.Errorf("unknown kind of event %q: a newer program may have written it", kind)
}

// EncodeHeader returns the header as a JSON object. Its space must have a parameter.
func EncodeHeader(h Header) ([]byte, error) {
	w := fields{out: []byte{'{'}}
	visitHeader(&w, &h)
	if w.err != nil {
		return nil, fmt.Errorf("header of the journal: %w", w.err)
	}
	return append(w.out, '}'), nil
}

// DecodeHeader returns the header that EncodeHeader wrote. Before it looks at anything else it compares the format with
// Format; the error for another one names both and the program that wrote it. Any other names the member that is missing, not
// known, or not what it may be.
func DecodeHeader(text []byte) (Header, error) {
	h, err := parseHeader(text)
	if err == nil {
		err = h.Config.Validate()
	}
	if err != nil {
		return Header{}, fmt.Errorf("header of the journal: %w", err)
	}
	return h, nil
}

// parseHeader returns the header, whatever the values in it.
func parseHeader(text []byte) (h Header, err error) {
	first, err := reading(text)
	if err != nil {
		return h, err
	}
	first.int(must, "format", &h.Format)
	if first.err != nil {
		return h, first.err
	}
	if h.Format != Format {
		return h, fmt.Errorf("format %d, written by %s; this program, %s, reads format %d",
			h.Format, writtenBy(&first), programName(ThisProgram()), Format)
	}
	r, _ := reading(text)
	visitHeader(&r, &h)
	return h, r.finish()
}

// writtenBy names the program in a header of another format, as far as that can be understood.
func writtenBy(f *fields) string {
	raw, ok := f.take("program")
	if !ok {
		return "an unknown program"
	}
	members, err := split(raw)
	if err != nil {
		return "an unknown program"
	}
	f = &fields{reading: true, in: members}
	var p Program
	f.text(may, "tarry", &p.Tarry)
	f.text(may, "go", &p.Go)
	if f.err != nil || p.Tarry == "" {
		return "an unknown program"
	}
	return programName(p)
}

func programName(p Program) string { return fmt.Sprintf("tarry %s (%s)", p.Tarry, p.Go) }

// form is how events of one type are written and read.
type form struct {
	kind  string
	write func(*fields, loop.Event) bool // false: an event of another type
	read  func(*fields) loop.Event
}

// formOf makes a form of one list of the members, which serves both directions.
func formOf[E loop.Event](kind string, visit func(*fields, *E)) form {
	return form{
		kind: kind,
		write: func(f *fields, e loop.Event) bool {
			event, ok := e.(E)
			if ok {
				visit(f, &event)
			}
			return ok
		},
		read: func(f *fields) loop.Event {
			var event E
			visit(f, &event)
			return event
		},
	}
}
