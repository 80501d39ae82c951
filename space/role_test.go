package space

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// Every role of the table has a name, goes to JSON and back, and decides who sets the parameter.
func TestEveryRoleIsInTheTable(t *testing.T) {
	for r, name := range RoleNames() {
		role := Role(r)
		if again, known := roleNamed(name); role.String() != name || !known || again != role {
			t.Errorf("%d is %q, which is %v", r, name, again)
		}
		p := Float("z", 0, 1)
		if p.Role = role; role == Fidelity {
			p = p.AsFidelity(1, 2)
		}
		s := must.Get(New(Float("x", 0, 1), p))(t)
		if role.Chosen() != (len(s.Actions()) == 2) || role.Chosen() != (len(s.Held()) == 0) || (role == Context) != (len(s.Contexts()) == 1) {
			t.Errorf("%v: actions %v, held %v, contexts %v", role, s.Actions(), s.Held(), s.Contexts())
		}
		text, err := s.MarshalJSON()
		if err != nil || strings.Contains(string(text), "role") != (role != Action) {
			t.Errorf("%v: %s (%v)", role, text, err)
		}
		var back Space
		if err := back.UnmarshalJSON(text); err != nil || back.Parameter(1).Role != role {
			t.Errorf("%v came back as %v (%v)", role, back.Parameter(1).Role, err)
		}
	}
	odd := Float("z", 0, 1)
	odd.Role = Role(len(roles))
	if err := odd.Validate("p"); err == nil || odd.Role.Chosen() || !strings.Contains(err.Error(), "p.Role = 3: want action, context or fidelity") {
		t.Errorf("error %v", err)
	}
}
