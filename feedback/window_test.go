package feedback

import (
	"strings"
	"testing"
	"time"
)

func TestWindowValidates(t *testing.T) {
	if err := (Window{Rounds: 20, Strict: true}).Validate("Options.Window"); err != nil {
		t.Error(err)
	}
	err := Window{Rounds: -1, Duration: -time.Second}.Validate("Options.Window")
	for _, want := range []string{"Options.Window.Rounds = -1", "Options.Window.Duration = -1s"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	if err := (Window{Strict: true}).Validate("w"); err == nil {
		t.Error("strict about nothing was accepted")
	}
	if (Window{}).Limited() || !(Window{Duration: 1}).Limited() {
		t.Error("Limited")
	}
	for i, want := range []string{"ignore", "censor", "hallucinate", "Imputation(3)"} {
		if Imputation(i).String() != want {
			t.Error(Imputation(i))
		}
	}
}
