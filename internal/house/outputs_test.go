package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostOutputFiles is in how many files of the product an output may be named, so that another one is an affair of few places: where
// it is declared (model), what is known of it, where its values come and come again (loop), what is said of it, and who wants it.
const mostOutputFiles = 8

func TestAnOutputIsAnAffairOfFewFiles(t *testing.T) {
	all := sources(t)
	var outputs []string
	for _, s := range all {
		if filepath.ToSlash(s.path) == "model/config.go" {
			outputs = outputsOf(s.file)
		}
	}
	if len(outputs) == 0 {
		t.Fatal("model/config.go declares no output")
	}
	for _, output := range outputs {
		var files []string
		for _, s := range all {
			if !apart(s) && s.room != "policies/policytest" && namesOutput(s, output) {
				files = append(files, filepath.ToSlash(s.path))
			}
		}
		if len(files) > mostOutputFiles {
			t.Errorf("model.%s is named in %d files, want at most %d: %s", output, len(files), mostOutputFiles, strings.Join(files, " "))
		}
		if len(files) < 3 {
			t.Errorf("model.%s is named in %v only: is it declared, configured and revealed?", output, files)
		}
	}
}

// outputsOf returns the constants of type Output that a file declares.
func outputsOf(file *ast.File) (all []string) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			if of, typed := v.Type.(*ast.Ident); typed && of.Name == "Output" {
				for _, name := range v.Names {
					all = append(all, name.Name)
				}
			}
		}
	}
	return all
}

// namesOutput reports whether the code of a file names something of package model, comments aside.
func namesOutput(s source, what string) bool {
	qualifier := ""
	for name, path := range imported(s.file) {
		if path == module+"/model" {
			qualifier = name
		}
	}
	found := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && qualifier != "" && pkg.Name == qualifier && n.Sel.Name == what {
				found = true
			}
		case *ast.Ident:
			found = found || s.room == "model" && n.Name == what
		}
		return true
	})
	return found
}
