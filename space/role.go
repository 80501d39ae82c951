package space

import (
	"fmt"
	"slices"
	"strings"
)

// Role is what a parameter is for. A table in role.go holds what is general about each role.
type Role int

// The roles of a parameter.
const (
	Action   Role = iota // the policy chooses it
	Context              // the world sets it before each query; the policy sees it and chooses the rest
	Fidelity             // how much an evaluation costs and how near it comes to what is wanted, which is the greatest value
)

// roles is all that is known of a role in general.
var roles = [...]struct {
	name   string // in files, in the order in which they are listed
	chosen bool   // by a search of the policy
}{
	Action:   {"action", true},
	Context:  {"context", false},
	Fidelity: {"fidelity", false},
}

// RoleNames returns the names of the roles: that of r is RoleNames()[r].
func RoleNames() []string {
	names := make([]string, len(roles))
	for r, role := range roles {
		names[r] = role.name
	}
	return names
}

// String returns "action", "context" or "fidelity".
func (r Role) String() string {
	if !r.known() {
		return fmt.Sprintf("Role(%d)", int(r))
	}
	return roles[r].name
}

// Chosen reports whether a search moves the parameter. Otherwise it is held where it is: a context by the world, a fidelity at one
// of its values, the greatest unless the policy says otherwise.
func (r Role) Chosen() bool { return r.known() && roles[r].chosen }

func (r Role) known() bool { return r >= 0 && int(r) < len(roles) }

// roleWords lists the roles in a sentence.
func roleWords() string {
	names := RoleNames()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// roleNamed returns the role of that name; empty is Action. It reports whether there is one.
func roleNamed(name string) (Role, bool) {
	r := slices.Index(RoleNames(), name)
	if name == "" {
		return Action, true
	}
	return Role(r), r >= 0
}
