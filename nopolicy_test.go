package tarry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// untrue is a policy whose traits need what a nil pointer has not.
type untrue struct{ tarry.Policy }

// A policy that is the nil pointer of its type, or whose traits panic, is a violation like any other.
func TestAPolicyWithoutTraits(t *testing.T) {
	store := finished(t, tarry.Options{Budget: 3, Workers: 1, Policy: policy(t, "random")})
	for want, p := range map[string]tarry.Policy{"a nil *tarry_test.untrue": (*untrue)(nil), "*tarry_test.untrue": &untrue{}} {
		o := tarry.Options{Budget: 3, Policy: p}
		_, maximize := tarry.Maximize(t.Context(), unitSpace(t), hill, o)
		_, study := tarry.NewStudy(unitSpace(t), o)
		_, resume := tarry.ResumeStudy(store, tarry.Options{Policy: p})
		_, either := tarry.StartOrResumeStudy(store, unitSpace(t), o)
		_, begins := tarry.StartOrResumeStudy(&journal.Memory{}, unitSpace(t), o)
		for k, err := range []error{o.Validate(unitSpace(t)), maximize, study, resume, either, begins} {
			if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.Policy = "+want+": want a policy with traits; its Traits panicked: ") {
				t.Errorf("%d, %s: %v", k, want, err)
			}
		}
	}
}
