package serve

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// role is what somebody may do, and a set of them who may do something: the column of the table of routes.
type role uint8

const (
	viewer role = 1 << iota // looks on
	worker                  // evaluates queries
	asker                   // makes studies, asks and tells: a program that optimizes something
	admin                   // may do everything

	anybody = viewer | worker | asker
	nobody  = role(0) // but an admin
)

// roleNames are the roles by their names, as certificates and files write them.
var roleNames = []struct {
	role role
	name string
}{{admin, "admin"}, {asker, "asker"}, {worker, "worker"}, {viewer, "viewer"}}

func roleOf(name string) (role, bool) {
	for _, r := range roleNames {
		if r.name == name {
			return r.role, true
		}
	}
	return 0, false
}

// String lists the roles of a set, as in "asker, worker".
func (r role) String() string {
	var names []string
	for _, one := range roleNames {
		if r&one.role != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// grant is a role for the studies whose names match; none means all.
type grant struct {
	role    role
	studies []string // patterns, as path.Match has them
}

func (g grant) covers(study string) bool {
	return len(g.studies) == 0 || slices.ContainsFunc(g.studies, func(pattern string) bool {
		is, err := path.Match(pattern, study)
		return is && err == nil
	})
}

// allow reports whether one of the grants lets somebody do what these roles may, with the study; an empty name is none.
func allow(grants []grant, may role, study string) bool {
	return slices.ContainsFunc(grants, func(g grant) bool { return g.role&(may|admin) != 0 && (study == "" || g.covers(study)) })
}

// said tells which roles somebody has.
func said(grants []grant) string {
	if len(grants) == 0 {
		return "no role"
	}
	var parts []string
	for _, g := range grants {
		part := g.role.String()
		if len(g.studies) > 0 {
			part += " of " + strings.Join(g.studies, ", ")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

// roles are those of a file, by the common names of certificates.
type roles map[string][]grant

// parseRoles reads a file of roles, or returns every violation.
func parseRoles(text []byte) (roles, error) {
	var file struct {
		Roles []struct {
			Name    string   `json:"name"`
			Role    string   `json:"role"`
			Studies []string `json:"studies"`
		} `json:"roles"`
	}
	if err := check.Object(bytes.TrimPrefix(text, []byte("\ufeff")), &file); err != nil {
		return nil, fmt.Errorf(`%s: want {"roles":[{"name":"gpu-1","role":"worker","studies":["lr"]}]}`, strings.TrimPrefix(err.Error(), "json: "))
	}
	var names []string
	for _, r := range roleNames {
		names = append(names, r.name)
	}
	var wrong check.List
	out := roles{}
	for i, entry := range file.Roles {
		field := fmt.Sprintf("roles[%d].", i)
		r, known := roleOf(entry.Role)
		want := "one of " + strings.Join(names, ", ")
		if meant := check.Meant(entry.Role, names); !known && meant != "" {
			want += ": did you mean " + meant + "?"
		}
		wrong.Require(known, field+"role", entry.Role, want)
		wrong.Require(entry.Name != "", field+"name", `""`, "the common name of a certificate")
		wrong.Require(entry.Studies == nil || len(entry.Studies) > 0, field+"studies", "[]", "at least one name, or no such member for all")
		for j, pattern := range entry.Studies {
			_, err := path.Match(pattern, "")
			wrong.Require(err == nil && pattern != "", fmt.Sprintf("%sstudies[%d]", field, j), pattern, "a name of a study, where * stands for any part")
		}
		out[entry.Name] = append(out[entry.Name], grant{r, entry.Studies})
	}
	return out, wrong.Err()
}
