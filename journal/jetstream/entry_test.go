package jetstream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
)

func TestWhatIsWrittenInAMessageIsReadAgain(t *testing.T) {
	var l lines
	must(t, l.add(entry{Claim: "who"}))
	must(t, l.texts(map[string][]byte{"b": []byte("<two>"), "a": []byte("one\n"), positionName: []byte("not this")}))
	for seq := uint64(1); seq <= 8; seq++ {
		must(t, l.event(event(seq)))
		if d := event(seq).Digest; d != 0 {
			l.mark(seq, d)
		}
	}
	l.snapshot(8, []byte{0, 1, 255})
	must(t, l.header(header(), time.Unix(5, 6)))
	var got []string
	must(t, parse(l, func(e entry, last bool) error {
		switch {
		case e.Claim != "":
			got = append(got, "claim "+e.Claim)
		case e.Keep != "":
			got = append(got, "keep "+e.Keep+" "+e.Text)
		case e.Event > 0:
			r := check(e.record())(t)
			want := event(e.Event)
			want.Digest = 0
			if text(r) != text(want) {
				t.Errorf("%s, want %s", text(r), text(want))
			}
		case e.Mark > 0:
			if d := check(e.digest())(t); d != event(e.Mark).Digest {
				t.Errorf("digest %x of event %d", d, e.Mark)
			}
		case e.Snapshot > 0:
			got = append(got, "snapshot "+string(e.State))
		case e.Header != nil:
			h := check(journal.DecodeHeader(e.Header))(t)
			ours, theirs := check(journal.EncodeHeader(header()))(t), check(journal.EncodeHeader(h))(t)
			if string(ours) != string(theirs) || !e.Created.Equal(time.Unix(5, 6)) || !last {
				t.Errorf("header %s of %v", theirs, e.Created)
			}
		}
		return nil
	}))
	if want := "claim who,keep a one\n,keep b <two>,snapshot \x00\x01\xff"; strings.Join(got, ",") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatIsNoMessageIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{":                              "line 1: unexpected EOF",
		"{}":                             "line 1: 0 kinds of entry",
		"[]":                             "line 1: json: cannot unmarshal array",
		`{"mark":1,"claim":"x"}`:         "line 1: 2 kinds of entry",
		`{"header":{}}`:                  "line 1: created: missing",
		`{"event":1,"kind":"x"}`:         "line 1: event 1: kind or body missing",
		`{"event":-1}`:                   "line 1: json: cannot unmarshal number -1",
		`{"claim":"x"} {"surprise":1}`:   `line 2: json: unknown field "surprise"`,
		`{"claim":"x"}` + "\n" + `claim`: "line 2: invalid character",
	} {
		if err := parse([]byte(text), func(entry, bool) error { return nil }); err == nil || !strings.HasPrefix(err.Error(), ErrUnreadable.Error()+": "+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	must(t, parse(nil, func(entry, bool) error { return errors.New("an entry of nothing") }))
}

// FuzzParse has what anybody may write in a stream told to a file: an error, or a journal that can be read.
func FuzzParse(f *testing.F) {
	var l lines
	must(f, l.header(header(), time.Unix(5, 6)))
	f.Add([]byte(l), []byte(`{"event":1,"at":5,"kind":"worker_joined","body":{"worker":1,"slots":1}}{"mark":1,"digest":"00000000000000ff"}`))
	f.Add([]byte(l), []byte(`{"snapshot":1,"state":"AAEC"}{"keep":"a","text":"b"}{"claim":"x"}`))
	f.Add([]byte(`{"mark":1,"digest":"f"}`), []byte(`{"event":18446744073709551615,"at":-5,"kind":"woke","body":{}}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		c, s := newCopier(t)
		for n, data := range [][]byte{one, two} {
			m := message{seq: uint64(n + 1), epoch: 1, part: 1, parts: 1, data: data}
			m.chain = link(c.chain, m)
			if c.take(m) != nil {
				break
			}
		}
		if err := c.sync(); err != nil {
			t.Fatal(err)
		}
		n := uint64(0)
		for r, err := range s.Records() {
			if n++; !c.torn && (err != nil || r.Event.Seq != n) {
				t.Fatalf("record %d: %v", n, err)
			}
		}
	})
}
