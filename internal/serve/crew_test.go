package serve

import (
	"strings"
	"testing"
)

// What means nothing where remote workers evaluate is refused, by its name.
func TestWhatMeansNothingToRemoteWorkersIsRefused(t *testing.T) {
	const space = `"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]}`
	for body, want := range map[string]string{
		`{` + space + `,"options":{"lease":"1h"},"remote":{}}`:                       "options.lease = 1h0m0s: want none with remote",
		`{` + space + `,"remote":{"needs":["a b"]}}`:                                 "remote.needs[0] = \"a b\": want text of 1 … 64 letters",
		`{` + space + `,"remote":{"ended":true}}`:                                    "remote.ended: unknown member (want needs)",
		`{` + space + `,"remote":{"needs":[` + strings.Repeat(`"a",`, 40) + `"a"]}}`: "remote.needs: 41 labels: want at most 32",
		`{` + space + `,"options":{"lease":"1h"}}`:                                   "",
		`{` + space + `,"options":{"timeout":"1h"},"remote":{}}`:                     "",
	} {
		_, p := wished([]byte(body))
		said := ""
		if p != nil {
			said = strings.Join(p.Violations, "\n")
		}
		if (p != nil) != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", body, said, want)
		}
	}
}
