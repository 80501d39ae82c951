package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"testing"
)

// What reaches a caller of the root package does not speak of the rooms behind it. Those that a program imports by itself
// beside the root may name themselves.
func TestErrorsDoNotNameTheRoomTheyComeFrom(t *testing.T) {
	for _, s := range sources(t) {
		if s.room == "" || s.room == "journal/sqlite" {
			continue
		}
		for _, at := range namesItself(s.file, path.Base(s.room)) {
			t.Errorf("%s: an error begins with the name of its room", s.set.Position(at))
		}
	}
}

// namesItself returns where an error is made whose text begins with the name of a room.
func namesItself(file *ast.File, room string) (found []token.Pos) {
	begins := regexp.MustCompile(`^"` + regexp.QuoteMeta(room) + `: `)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		maker, ok := call.Fun.(*ast.SelectorExpr)
		text, isText := call.Args[0].(*ast.BasicLit)
		if ok && isText && (maker.Sel.Name == "New" || maker.Sel.Name == "Errorf") && begins.MatchString(text.Value) {
			found = append(found, n.Pos())
		}
		return true
	})
	return found
}

func TestErrorsThatNameTheirRoomAreSeen(t *testing.T) {
	for text, want := range map[string]int{`errors.New("actors: ended")`: 1, `fmt.Errorf("actors: %w", err)`: 1, `errors.New("the actors: none")`: 0, `panic("actors: bug")`: 0} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\nvar x = "+text, 0)
		if err != nil {
			t.Fatal(strconv.Quote(text), err)
		}
		if found := namesItself(file, "actors"); len(found) != want {
			t.Errorf("%s: found %d, want %d", text, len(found), want)
		}
	}
}
