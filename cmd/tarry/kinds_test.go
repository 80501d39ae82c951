package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const everyKind = `parameters:
- {name: rate, type: float, low: 1e-5, high: 1, log: true}
- {name: dropout, type: float, low: 0.1, high: 0.75, step: 0.1}
- {name: width, type: int, low: 8, high: 70, step: 8}
- {name: kind, type: categorical, choices: [adam, sgd]}
- {name: bias, type: bool}
- {name: batch, type: ordered, values: [1000000, 16, 32, 64]}
- {name: momentum, type: float, low: 0.9, high: 0.9}
- {name: data, type: categorical, choices: [digits]}
`

// A command gets every kind of parameter as it would write it, in its arguments and in its environment alike, and what it
// got can be looked at.
func TestACommandIsTunedOverEveryKind(t *testing.T) {
	dir := folder(t, `
[ "$1" = "$TARRY_DROPOUT" ] && [ "$2" = "$TARRY_WIDTH" ] && [ "$3" = "$TARRY_BIAS" ] && [ "$4" = "$TARRY_BATCH" ] || exit 1
case $1 in 0.[1-7]) ;; *) exit 2 ;; esac
case $2 in 8|16|24|32|40|48|56|64) ;; *) exit 3 ;; esac
case $3 in true) bonus=1 ;; false) bonus=0 ;; *) exit 4 ;; esac
case $4 in 16|32|64|1000000) ;; *) exit 5 ;; esac
[ "$TARRY_MOMENTUM $TARRY_DATA" = "0.9 digits" ] || exit 6
grep -q "\"bias\":$3,\"batch\":$4," "$TARRY_PARAMETERS" || exit 7
awk "BEGIN { print $bonus - ($1 - 0.3)^2 }"
`)
	if err := os.WriteFile(filepath.Join(dir, "kinds.yaml"), []byte(everyKind), 0o644); err != nil {
		t.Fatal(err)
	}
	got := callIn(t, dir, "", "tune", "--space", "kinds.yaml", "--budget", "16", "--seed", "2", "--study", "s.db", "-q", "--", "./train.sh", "{dropout}", "{width}", "{bias}", "{batch}")
	if got.code != exitOK || !strings.Contains(got.out, "bias=true") || !strings.Contains(got.out, "momentum=0.9 data=digits") {
		t.Fatalf("%+v", got)
	}
	path := filepath.Join(dir, "s.db")
	_, rows := sheet(t, path)
	if len(rows) != 16 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row["status"] != "observed" || !slices.Contains([]string{"true", "false"}, row["bias"]) || !slices.Contains([]string{"16", "32", "64", "1000000"}, row["batch"]) ||
			len(row["dropout"]) != 3 || row["momentum"] != "0.9" || row["data"] != "digits" {
			t.Errorf("%v", row)
		}
	}
	var found struct {
		Evaluations []struct {
			X struct {
				Bias  *bool
				Batch int
				Kind  string
			}
		}
	}
	if inspected := callIn(t, dir, "", "inspect", "s.db", "--json"); json.Unmarshal([]byte(inspected.out), &found) != nil || len(found.Evaluations) != 16 {
		t.Fatalf("%+v", inspected)
	}
	for _, e := range found.Evaluations {
		if e.X.Bias == nil || e.X.Batch < 16 || e.X.Kind == "" {
			t.Errorf("%+v", e)
		}
	}
	if inspected := callIn(t, dir, "", "inspect", "s.db", "--plot", "plots"); inspected.code != exitOK {
		t.Errorf("%+v", inspected)
	}
	if verified := callIn(t, dir, "", "verify", "s.db"); verified.code != exitOK {
		t.Errorf("%+v", verified)
	}
}
