package house

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const laboratory = "internal/lab"

// visitors are the rooms of the product whose tests import rooms of the laboratory, and why. Programs never do.
var visitors = map[[2]string]string{
	{"loop", laboratory + "/hostile"}:   "fuzzing draws its spaces, points and values from where the soak does, so that what one finds the other keeps",
	{"loop", laboratory + "/study"}:     "the benchmark of fits takes its answers from the studies whose costs are measured",
	{"policies", laboratory + "/study"}: "the benchmark of searches looks at the posteriors of the studies whose costs are measured",
}

// The product does not know the laboratory: whoever builds a program with it gets no experiments.
func TestTheProductDoesNotKnowTheLaboratory(t *testing.T) {
	came := map[[2]string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() && (rel == laboratory || rel == "cmd/demo" || rel == "tools" || d.Name() == "testdata" || strings.HasPrefix(rel, ".") && rel != ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(rel, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			room, ours := strings.CutPrefix(imported, module+"/")
			if !ours || room != laboratory && !strings.HasPrefix(room, laboratory+"/") {
				continue
			}
			visit := [2]string{strings.TrimSuffix(rel, "/"+d.Name()), room}
			if came[visit] = true; visitors[visit] == "" || !strings.HasSuffix(rel, "_test.go") {
				t.Errorf("%s imports %s: the product does not know the laboratory", rel, room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for visit := range visitors {
		if !came[visit] {
			t.Errorf("no test of %s imports %s any more", visit[0], visit[1])
		}
	}
}
