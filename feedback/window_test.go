package feedback

import (
	"testing"
)

func TestAWindowIsLimitedByEither(t *testing.T) {
	if (Window{}).Limited() || !(Window{Duration: 1}).Limited() {
		t.Error("Limited")
	}
	for i, want := range []string{"ignore", "censor", "hallucinate", "Imputation(3)"} {
		if Imputation(i).String() != want {
			t.Error(Imputation(i))
		}
	}
}
