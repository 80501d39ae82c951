package tournament

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/policies"
)

// Whatever is compared without being named can be played.
func TestGeneralPoliciesCanBePlayedOnEveryProblem(t *testing.T) {
	all, _, err := Problems("")
	if err != nil {
		t.Fatal(err)
	}
	if raced {
		all = all[:8]
	}
	who := contenders(t, strings.Join(policies.General(), ","))
	if err := Possible("-policies", Usual(all, 80), who, 1); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBePlayedIsNamedOnceWithItsProblem(t *testing.T) {
	cells := Usual([]*Problem{problem(t, "branin"), problem(t, "choices")}, 80)
	err := Possible("-policies", cells, contenders(t, "exp3,random,d-safe-bocp"), 1)
	if err == nil {
		t.Fatal("nothing is refused")
	}
	for _, want := range []string{
		"-policies exp3 on problem branin: Config.Space = one of real numbers", "-policies d-safe-bocp on problem branin: Config.Seeds = []",
		"-policies d-safe-bocp on problem choices: Config.Seeds = []",
	} {
		if strings.Count(err.Error(), want) != 1 {
			t.Errorf("%q is not once in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "random") {
		t.Errorf("a policy that can be played is refused:\n%v", err)
	}
}
