package asktell_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
)

var (
	number = regexp.MustCompile(`"line":\d+`)
	bom    = "\ufeff"
)

// FuzzServe sends arbitrary bytes. Every line has one answer, which is JSON; an answer that is an error changes nothing,
// except that a contradiction is counted; line by line the session is the same as in one piece; and the journal leads to
// the same study, in which all is well.
func FuzzServe(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		script := must.Get(os.ReadFile(path))(f)
		var requests []byte
		for line := range bytes.Lines(script) {
			if request, found := bytes.CutPrefix(line, []byte(">")); found {
				requests = append(requests, request...)
			}
		}
		f.Add(requests, uint8(1))
		f.Add(requests, uint8(1+everyKind))
	}
	f.Add([]byte(strings.Join(nonsense[:26], "\n")), uint8(0))
	f.Add([]byte("{\"op\":\"ask\",\"n\":3}\r\n{\"op\":\"tell\",\"id\":3,\"value\":-0}\n\n{\"op\":\"tell\",\"id\":3,\"value\":0,\"tag\":NaN}"), uint8(2))
	f.Fuzz(func(t *testing.T, input []byte, retries uint8) {
		whole, store := fuzzed(t, retries)
		var out bytes.Buffer
		if err := whole.Serve(t.Context(), bytes.NewReader(input), &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(input), "\n")
		if last := len(lines) - 1; lines[last] == "" {
			lines = lines[:last]
		}
		answers := answersIn(t, out.String(), len(lines))
		replayed, _, err := journal.Replay(store)
		if err != nil {
			t.Fatal(err)
		}
		if err := replayed.Check(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(input), bom) || len(lines) > 100 {
			return // a mark counts in the first line only, and a look at the study takes time
		}
		single, _ := fuzzed(t, retries)
		before := view(single)
		for i, line := range lines {
			answer := serve(t, single, line)[0]
			if got, want := plain(answer), plain(answers[i]); got != want {
				t.Fatalf("line %d is answered\n%s\nin one session and\n%s\nin another", i+1, want, got)
			}
			after := view(single)
			if field(t, answer, "error") != nil && !reflect.DeepEqual(before, after) {
				t.Fatalf("line %q is answered %s and changes\n%+v\nto\n%+v", line, answer, before, after)
			}
			before = after
		}
	})
}

// everyKind is the bit of the retries that chooses the space with the other kinds.
const everyKind = 128

func fuzzed(t *testing.T, retries uint8) (*asktell.Server, *journal.Memory) {
	store, space := &journal.Memory{}, exampleSpace(t)
	if retries&everyKind > 0 {
		space = kindsSpace(t)
	}
	return server(t, space, tarry.Options{Budget: 12, Retries: int(retries % everyKind % 3), Policy: random(t), Journal: store}), store
}

// view is what a study knows, but for time and for the values that were refused.
func view(s *asktell.Server) *tarry.Result {
	r := s.Study.Result()
	r.Elapsed, r.Counters.Contradictory = 0, 0
	return r
}

// plain takes away from an answer what depends on time and on the line.
func plain(answer string) string {
	return number.ReplaceAllString(age.ReplaceAllString(answer, ""), "")
}
