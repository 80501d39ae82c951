package command

import (
	"errors"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
)

func TestCodesAreMinusOneOrWhatACommandCanEndWith(t *testing.T) {
	for _, c := range []struct {
		infeasible, lost int
		want             string
	}{
		{65, 75, ""},
		{1, 255, ""},
		{-1, -1, ""},
		{-1, 65, ""},
		{0, 75, "infeasible-code = 0: want -1 for none, or 1 ≤ code ≤ 255"},
		{256, -2, "infeasible-code = 256: want -1 for none, or 1 ≤ code ≤ 255\nlost-code = -2: want -1 for none, or 1 ≤ code ≤ 255"},
		{65, 65, "lost-code = 65: want a code other than infeasible-code"}, // whoever says nothing has 65 and 75
		{75, 75, "infeasible-code = 75: want a code other than lost-code"},
		{7, 7, "lost-code = 7: want a code other than infeasible-code"},
	} {
		err := ValidateCodes(c.infeasible, c.lost)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want || !errors.Is(err, check.ErrInvalidOption)) {
			t.Errorf("%d and %d: %v, want %q", c.infeasible, c.lost, err, c.want)
		}
	}
}

func TestARunnerTellsItsCodesApart(t *testing.T) {
	for _, c := range []struct {
		infeasible, lost int
		ok               bool
	}{
		{0, 0, true}, {-1, -1, true}, {75, 65, true}, {75, -1, true}, {75, 0, false}, {0, 65, false}, {3, 3, false},
	} {
		r := &Runner{InfeasibleCode: c.infeasible, LostCode: c.lost}
		if err := r.validateCodes(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
