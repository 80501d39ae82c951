package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostFiles is in how many files of the product an event may be named, so that one of a new kind is an affair of few places:
// where it is declared and where it is applied (loop), its form (journal), its line in the log and who may bring it (actors),
// and who brings it.
const mostFiles = 6

// widespread are the events that more files name, and why.
var widespread = map[string]struct {
	files int
	why   string
}{
	"WorkerJoined":   {7, "each of the three drivers has workers of its own: the coordinator, the study that is asked, the simulator"},
	"ContextArrived": {7, "each of the three drivers brings contexts: from a caller, with an ask, from a problem"},
	"StopRequested":  {7, "each of the three drivers has ends of its own"},
}

func TestAnEventIsAnAffairOfFewFiles(t *testing.T) {
	all := sources(t)
	events := declaredEvents(t, all)
	if len(events) < 19 {
		t.Fatalf("found only %v", events)
	}
	places := map[string][]string{}
	for _, s := range all {
		if apart(s) {
			continue
		}
		for _, event := range namesAny(s.file, s.room, events) {
			places[event] = append(places[event], filepath.ToSlash(s.path))
		}
	}
	for _, event := range events {
		n, most := len(places[event]), mostFiles
		if exception, there := widespread[event]; there {
			if most = exception.files; n <= mostFiles {
				t.Errorf("%s is no exception any more", event)
			}
		}
		if n > most {
			t.Errorf("loop.%s is named in %d files, want at most %d: %s", event, n, most, strings.Join(places[event], " "))
		}
		if n < 3 {
			t.Errorf("loop.%s is named in %v only: is it declared, applied and written?", event, places[event])
		}
	}
}

// apart reports whether a file is no part of the product: the laboratory, and what the adversary of the simulator does, which
// may bring any event and need not bring a new one.
func apart(s source) bool {
	return s.room == "cmd/demo" || strings.HasPrefix(s.room, "internal/lab") ||
		slices.Contains([]string{"sim/adversary.go", "sim/misfortune.go"}, filepath.ToSlash(s.path))
}

// declaredEvents returns the types that loop/event.go declares and that have a method apply somewhere in loop.
func declaredEvents(t *testing.T, all []source) (events []string) {
	t.Helper()
	var applied []string
	for _, s := range all {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.room == "loop" && f.Recv != nil && f.Name.Name == "apply" {
				applied = append(applied, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	for _, s := range all {
		if filepath.ToSlash(s.path) != "loop/event.go" {
			continue
		}
		for _, d := range s.file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					if name := spec.(*ast.TypeSpec).Name.Name; slices.Contains(applied, name) {
						events = append(events, name)
					}
				}
			}
		}
	}
	if len(events) != len(applied) {
		t.Errorf("loop/event.go declares %v, and %v are applied", events, applied)
	}
	return events
}

// namesAny returns which of the events the code of a file names, comments aside: as loop.Name, or as Name in package loop.
func namesAny(file *ast.File, room string, events []string) (named []string) {
	note := func(name string) {
		if slices.Contains(events, name) && !slices.Contains(named, name) {
			named = append(named, name)
		}
	}
	qualifier := ""
	for name, path := range imported(file) {
		if path == module+"/loop" {
			qualifier = name
		}
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && qualifier != "" && pkg.Name == qualifier {
				note(n.Sel.Name)
			}
			ast.Inspect(n.X, visit)
			return false // a field or a method of that name is none
		case *ast.Ident:
			if room == "loop" {
				note(n.Name)
			}
		}
		return true
	}
	ast.Inspect(file, visit)
	return named
}

func TestNamesOfEventsAreSeen(t *testing.T) {
	const text = `package p
import events "github.com/tarry-bo/tarry/loop"
// events.FitFailed is in a comment
var a = events.Resumed{}
func f(e any) bool { _, is := e.(events.BudgetSet); return is || e.(other).Proposed || take(events.Woke{}).Known }`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	events := []string{"BudgetSet", "FitFailed", "Proposed", "Resumed", "Woke"}
	if got := namesAny(file, "actors", events); !slices.Equal(got, []string{"Resumed", "BudgetSet", "Woke"}) {
		t.Errorf("found %v", got)
	}
	inside, err := parser.ParseFile(token.NewFileSet(), "p.go", "package loop\nvar x = y.Fitted\nvar e Event = Woke{}\nfunc (BudgetSet) apply(*Loop) {}", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := namesAny(inside, "loop", []string{"BudgetSet", "Fitted", "Woke"}); !slices.Equal(got, []string{"Woke", "BudgetSet"}) {
		t.Errorf("found %v", got)
	}
}
