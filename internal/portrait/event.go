package portrait

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/tarry-bo/tarry/loop"
)

var inner = regexp.MustCompile(`([a-z])([A-Z])`)

// KindOf returns the name of an event, as in feedback-arrived.
func KindOf(e loop.Event) string {
	return strings.ToLower(inner.ReplaceAllString(reflect.TypeOf(e).Name(), "$1-$2"))
}

// EventOf returns an event as a portrait has it.
func EventOf(e loop.Stamped) Event {
	out := Event{Seq: e.Seq, At: seconds(e.At), Kind: KindOf(e.Event)}
	out.Evaluation, _, _ = loop.About(e.Event)
	return out
}
