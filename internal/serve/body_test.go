package serve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What is said of a body is bounded, however much is wrong with it.
// A whole number is one however it is written.
func TestAWholeNumberMayBeWrittenAsAFraction(t *testing.T) {
	for text, want := range map[string]string{
		"50": "50", "50.0": "50", "5e1": "50", "5E+1": "50", "500e-1": "50", "-0.0": "-0", "18446744073709551615": "18446744073709551615",
		"5.5": "5.5", "1e400": "1e400", "1e17": "1e17",
	} {
		if got := inDigits(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	s := serving(t, Config{})
	if out := s.want(201, "", "", "PUT", lr, wishing(`,"budget":5e1,"pending":2.0`)); out["budget"] != 50.0 {
		t.Error(out)
	}
	s.want(200, "", "", "PUT", lr, wishing(`,"budget":50.0`))
}

func TestTheRestOfVeryMuchIsCounted(t *testing.T) {
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, `"m%d":1,`, i)
	}
	_, p := wished([]byte(`{` + many.String() + `"options":{` + many.String() + `"seed":1}}`))
	if p == nil || len(p.Violations) != 2*(maxFaults+1)+1 || strings.Count(p.Detail, "and 4980 more") != 2 {
		t.Errorf("%+v", p)
	}
}

// Whatever is wrong with the members of a body is said at once; of one that is no JSON, or no object, that alone is said.
func TestEverythingThatIsWrongWithABodyIsSaid(t *testing.T) {
	const fine = `"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]}`
	for body, want := range map[string][]string{
		`{"space":7,"options":[],"foo":1}`:                                                 {"foo: unknown member (want space, options, remote)", "space: 7: want an object", "options = []: want an object with options"},
		`{"spce":{"parameters":[]},"options":{"budgt":1}}`:                                 {"spce: unknown member: did you mean space?", "space: parameters: want 1 to", "options.budgt: unknown option"},
		`{"remote":{"needs":3,"neds":1},"options":{"budget":"a"}}`:                         {"space: missing", "remote.neds: unknown member: did you mean needs?", "remote.needs = 3: want a list", "options.budget = \"a\": want a whole number"},
		`{"remote":{"needs":[null,"a b",1,"gpu"]},` + fine + `}`:                           {"remote.needs[0] = null: want text", "remote.needs[1] = \"a b\": want text", "remote.needs[2] = 1: want text"},
		`{"remote":[],"options":{"policy":"nope","budget":-5,"retries":-1,"seed":1}}`:      {"space: missing", "remote = []: want an object", "options.policy: policy \"nope\"", "options.budget = -5: want", "options.retries = -1: want"},
		`{` + fine + `,"space":1,"options":{"seed":1,"seed":2},"remote":null,"remote":{}}`: {"space: given twice", "options.seed: given twice", "remote: given twice"},
		`{` + fine + `,"options":null,"remote":null}`:                                      nil,
		`{` + fine + `,"options":{},"remote":{"needs":null}}`:                              nil,
		"": {"body: empty: want {"}, "null": {"body: null: want {"}, "[1]": {"body: of the type array: want {"}, `{"space":NaN,"foo":1}`: {"body: invalid character 'N'"},
		`{"foo":1}}`: {"body: something follows the object"}, `{"foo":1} {}`: {"body: something follows the object"},
	} {
		w, p := wished([]byte(body))
		if p == nil {
			p = &problem{}
		}
		each := len(p.Violations) == len(want)
		for _, part := range want {
			each = each && slices.ContainsFunc(p.Violations, func(v string) bool { return strings.HasPrefix(v, part) })
		}
		if !each || (w != nil) != (want == nil) {
			t.Errorf("%s:\n%s\nwant\n%s", body, strings.Join(p.Violations, "\n"), strings.Join(want, "\n"))
		}
	}
}
