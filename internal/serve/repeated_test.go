package serve

import (
	"fmt"
	"testing"
	"time"
)

// A value that comes again is the same observation, however many others came between.
func TestAnObservationThatIsRepeatedAfterManyOthersCountsOnce(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	observe := func(key string) string {
		return text(s.want(200, "", "", "POST", lr+"/observe", `{"x":{"lr":0.1,"kind":"a"},"value":1}`, "Idempotency-Key", key))
	}
	first := observe("first")
	for i := range 300 {
		observe(fmt.Sprint(i))
	}
	if again := observe("first"); again != first {
		t.Error(again, first)
	}
}

// What is kept for requests that come again is bounded by time, and by bytes: the oldest goes first.
func TestKeysAreBoundedByTimeAndBytes(t *testing.T) {
	var a answers
	begun, body := time.Now(), make([]byte, 1000)
	keep := func(i int, after time.Duration) {
		a.keep(fmt.Sprint(i), keyed{path: lr, answer: answer{body: body}, at: begun.Add(after)})
	}
	keep(0, 0)
	keep(1, keyAge)
	if len(a.keys) != 2 || len(a.byKey) != 2 {
		t.Errorf("%d keys, %d answers: one that is ten minutes old is kept", len(a.keys), len(a.byKey))
	}
	keep(2, keyAge+1)
	if _, there := a.byKey["0"]; there || len(a.keys) != 2 || len(a.byKey) != 2 {
		t.Error("one that is older is kept too")
	}
	for i := range 3 * maxAnswers / len(body) {
		keep(3+i, keyAge+2)
	}
	if each := a.size / len(a.keys); a.size > maxAnswers || a.size < maxAnswers-2*each || len(a.keys) != len(a.byKey) || each <= len(body) {
		t.Errorf("%d keys, %d answers, %d bytes", len(a.keys), len(a.byKey), a.size)
	}
	a.keep("great", keyed{answer: answer{body: make([]byte, 2*maxAnswers)}, at: begun.Add(keyAge + 2)})
	if len(a.keys) != 1 {
		t.Error("of one that is too great for others", len(a.keys), "are kept")
	}
	keep(0, keyAge+2)
	if len(a.keys) != 1 || a.size > maxAnswers {
		t.Error(len(a.keys), a.size)
	}
}
