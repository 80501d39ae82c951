package journal

import (
	"strings"
	"testing"
)

// FuzzDecodeEvent feeds the decoder whatever comes. It must not panic, and what it takes for an event is written again as
// something that it takes for the same event.
func FuzzDecodeEvent(f *testing.F) {
	for _, w := range written {
		kind, body, _ := strings.Cut(w.text, " ")
		f.Add(kind, []byte(body))
	}
	f.Add("worker_left", []byte(`{"worker":0,"reason":"\ud800\u00e9\\"}`))
	f.Add("evaluation_failed", []byte(`{"evaluation":-0,"attempt":1,"verdict":1}`))
	f.Add("proposed", []byte(`{"ask":1,"proposals":[{"x":[],"forecast":{"mean":"nan","stddev":1E400,"shift":0,"scale":0}}]}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		e, err := DecodeEvent(kind, body)
		if err != nil {
			return
		}
		again, text, err := EncodeEvent(e)
		if err != nil || again != kind {
			t.Fatalf("%s %s became %+v, which is written as %s, %v", kind, body, e, again, err)
		}
		back, err := DecodeEvent(kind, text)
		if err != nil || bits(back) != bits(e) {
			t.Fatalf("%s %s became %+v, and by way of %s it became %+v, %v", kind, body, e, text, back, err)
		}
	})
}

// FuzzDecodeHeader is the same for headers.
func FuzzDecodeHeader(f *testing.F) {
	f.Add([]byte(`{"format":2,"program":{"tarry":"v1.2.3","go":"go1.26","arch":"amd64"},"config":{"space":{"parameters":[` +
		`{"name":"x","type":"float","low":1,"high":2,"log":true},{"name":"c","type":"categorical","choices":["a","b"]}],"points":[[1,0]]},` +
		`"policy":"random","policy-pending":"ignore","seed":18446744073709551615,"budget":12,"initial":4,"design":"halton","kernel":"se","window-rounds":3,"floor":-0,"timeout":"1h30m"}}`))
	f.Add([]byte(`{"format":2,"program":{"tarry":""}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := DecodeHeader(text)
		if err != nil {
			return
		}
		again, err := EncodeHeader(h)
		if err != nil {
			t.Fatalf("%s became %+v, which cannot be written: %v", text, h, err)
		}
		back, err := DecodeHeader(again)
		if err != nil || bits(back) != bits(h) {
			t.Fatalf("%s became %+v, and by way of %s it became %+v, %v", text, h, again, back, err)
		}
	})
}
