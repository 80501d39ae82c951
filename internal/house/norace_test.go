package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// A function that the race detector does not look into tells it which slices are read and written: each of its parameters that is a
// slice goes to reads, writes or readsPoints, or on to another method, which does or is looked into.
func TestTheRaceDetectorHearsOfEverySlice(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !noRace(f) {
				continue
			}
			found++
			for _, name := range untold(f) {
				t.Errorf("%s: the race detector does not hear of %s", s.set.Position(f.Pos()), name)
			}
		}
	}
	if found == 0 {
		t.Error("no function is hidden from the race detector")
	}
}

func noRace(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:norace" })
}

// untold returns the slices among the parameters that a function tells nobody of.
func untold(f *ast.FuncDecl) (names []string) {
	for _, field := range f.Type.Params.List {
		switch kind := field.Type.(type) {
		case *ast.ArrayType:
		case *ast.SelectorExpr:
			if kind.Sel.Name != "Unit" {
				continue
			}
		default:
			continue
		}
		for _, name := range field.Names {
			if name.Name != "_" && !told(f.Body, name.Name) {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// told reports whether a slice, or a part of it, is an argument of reads, writes, readsPoints or a method.
func told(body *ast.BlockStmt, name string) (yes bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			ok = slices.Contains([]string{"reads", "writes", "readsPoints"}, fun.Name)
		case *ast.SelectorExpr:
			_, chained := fun.X.(*ast.SelectorExpr)
			receiver, plain := fun.X.(*ast.Ident)
			ok = chained || plain && receiver.Obj != nil // a method, not a function of a package
		}
		for _, argument := range call.Args {
			for {
				part, sliced := argument.(*ast.SliceExpr)
				if !sliced {
					break
				}
				argument = part.X
			}
			if id, plain := argument.(*ast.Ident); ok && plain && id.Name == name {
				yes = true
			}
		}
		return true
	})
	return yes
}

func TestASliceThatTheRaceDetectorDoesNotHearOfIsFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p

//go:norace
func f(a, b []float64, n int, x space.Unit, c []float64, d, _ []float64) {
	reads(a[:n][:2])
	len(b)
	k.Kernel.g(c)
	floats.Sum(d)
}
`, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	f := file.Decls[0].(*ast.FuncDecl)
	if got := untold(f); !noRace(f) || !slices.Equal(got, []string{"b", "x", "d"}) {
		t.Errorf("found %v, want b, x and d", got)
	}
}
