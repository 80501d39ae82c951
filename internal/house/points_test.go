package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pointNames are what points are called: space.Unit and space.Point are their types.
var pointNames = []string{
	"x", "X", "xs", "given", "Given", "point", "points", "Points", "avoid", "Avoid", "Near", "First", "context", "Context", "contexts",
	"Incumbent", "IncumbentX", "Maximizers", "action", "actions",
}

// converted are the places where a point becomes one of the other kind, or is said to be of a kind, outside of package space.
var converted = map[string]string{
	"internal/lab/tournament/draws.go": "the box of a draw is the unit cube",
	"internal/lab/tournament/lists.go": "a table of measurements holds bare numbers",
}

// No field, parameter or result that is a point is a bare slice of floats in the rooms that know what a point is, and nothing
// but package space makes a point of one kind into one of the other.
func TestAPointSaysOfWhichKindItIs(t *testing.T) {
	for _, s := range sources(t) {
		if table[s.room].rank < 2 && s.room != "space" {
			continue
		}
		for _, where := range barePoints(s.file) {
			t.Errorf("%s: a point that does not say of which kind it is", s.set.Position(where))
		}
		if _, allowed := converted[strings.TrimPrefix(filepath.ToSlash(s.path), "../../")]; allowed {
			continue
		}
		for _, where := range conversionsOfPoints(s.file) {
			t.Errorf("%s: only package space leads from one kind of point to the other", s.set.Position(where))
		}
	}
}

// barePoints are fields, parameters and results of functions that are called like points and are slices of floats, or of such
// slices. What is handed to a numerical method in passing, a function without a name, may have them.
func barePoints(file *ast.File) (found []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			return true
		}
		list, is := n.(*ast.FieldList)
		if !is {
			return true
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if slices.Contains(pointNames, name.Name) && strings.TrimLeft(written(field.Type), "[]") == "float64" && written(field.Type) != "float64" {
					found = append(found, name.Pos())
				}
			}
		}
		return true
	})
	return slices.DeleteFunc(found, func(at token.Pos) bool { return inLiteral(file, at) })
}

// inLiteral reports whether a place is in the head of a function without a name.
func inLiteral(file *ast.File, at token.Pos) (in bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if f, literal := n.(*ast.FuncLit); literal {
			in = in || f.Type.Pos() <= at && at < f.Type.End()
		}
		return true
	})
	return in
}

// written is a type as it stands in the text, of slices and names only. Numbers that are listed in a call, x ...float64, are no slice.
func written(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + written(e.Elt)
		}
	}
	return fmt.Sprintf("%T", e)
}

// conversionsOfPoints are the calls of space.Unit and space.Point of the package; a local variable may have its name.
func conversionsOfPoints(file *ast.File) (found []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if f, is := call.Fun.(*ast.SelectorExpr); is && (f.Sel.Name == "Unit" || f.Sel.Name == "Point") {
			if of, is := f.X.(*ast.Ident); is && of.Name == "space" && of.Obj == nil {
				found = append(found, call.Pos())
			}
		}
		return true
	})
	return found
}

func TestBarePointsAreSeen(t *testing.T) {
	const text = `package p
type s struct {
	X []float64
	points [][]float64
	y, weights []float64
	context space.Unit
}
func f(x []float64, u space.Unit) { g(func(x, grad []float64) float64 { return 0 }) }
func h(u space.Unit) (points []space.Unit) { space := a.space; space.Unit(u); return nil }
func i(u space.Unit) space.Point { return space.Point(u) }`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, at := range append(barePoints(file), conversionsOfPoints(file)...) {
		lines = append(lines, set.Position(at).Line)
	}
	if want := []int{3, 4, 8, 10}; !slices.Equal(lines, want) {
		t.Errorf("found in lines %v, want %v", lines, want)
	}
}
