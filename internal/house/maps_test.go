package house

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheCoreNeverRangesOverMaps type-checks the core: the order of a map differs from run to run.
func TestTheCoreNeverRangesOverMaps(t *testing.T) {
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", exports(t))
	for _, room := range core {
		dir := filepath.Join("..", "..", filepath.FromSlash(room))
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, name := range names {
			if built, err := build.Default.MatchFile(dir, filepath.Base(name)); err != nil || !built || strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		for _, where := range rangesOverMaps(t, set, imports, files) {
			t.Errorf("%s: range over a map", where)
		}
	}
}

func TestRangesOverMapsAreSeen(t *testing.T) {
	const text = `package p
type m map[string]int
type s struct{ inner m }
func f(x s, list []int) {
	for range x.inner { }
	for range list { }
	for range 3 { }
}`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := rangesOverMaps(t, set, importer.Default(), []*ast.File{file}); len(found) != 1 || found[0].Line != 5 {
		t.Errorf("found %v, want line 5", found)
	}
}

func rangesOverMaps(t *testing.T, set *token.FileSet, imports types.Importer, files []*ast.File) (found []token.Position) {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: imports}
	if _, err := config.Check(files[0].Name.Name, set, files, info); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if r, ok := n.(*ast.RangeStmt); ok {
				if _, isMap := info.TypeOf(r.X).Underlying().(*types.Map); isMap {
					found = append(found, set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	return found
}

// exports finds the compiled form of everything the core imports, as the go command knows it.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}")
	for _, room := range core {
		list.Args = append(list.Args, module+"/"+room)
	}
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %v", list, err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}
