package loop

import (
	"encoding/json"
	"testing"
)

// Counts and shares are written under stable names, unknown ones as null, and a Coverage reads back.
func TestCoverageAsJSON(t *testing.T) {
	for want, c := range map[string]Coverage{
		`{"judged":0,"central":0,"central_share":null,"issued":0,"held":0,"held_share":null,"target":null}`: {},
		`{"judged":4,"central":3,"central_share":0.75,"issued":0,"held":0,"held_share":null,"target":null}`: {Judged: 4, Central: 3},
		`{"judged":4,"central":3,"central_share":0.75,"issued":2,"held":1,"held_share":0.5,"target":0.8}`:   {Judged: 4, Central: 3, Issued: 2, Held: 1, Target: 0.8},
	} {
		text, err := json.Marshal(c)
		if err != nil || string(text) != want {
			t.Errorf("%+v is %s, %v, want %s", c, text, err, want)
		}
		var back Coverage
		if err := json.Unmarshal(text, &back); err != nil || back != c {
			t.Errorf("%s reads back as %+v, %v", text, back, err)
		}
	}
}
