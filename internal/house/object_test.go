package house

import (
	"go/ast"
	"path/filepath"
	"slices"
	"testing"
)

// A text that is read strictly is read to its end, by check.Object: what follows it unseen, a brace too many or a second object, is something that somebody
// meant. These read several values, or say where in the text a fault is.
func TestWhatIsReadStrictlyIsReadToItsEnd(t *testing.T) {
	own := []string{"internal/check/object.go", "internal/cluster/config.go", "journal/jetstream/entry.go"}
	var found []string
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, is := n.(*ast.SelectorExpr); is && call.Sel.Name == "DisallowUnknownFields" {
				found = append(found, filepath.ToSlash(s.path))
			}
			return true
		})
	}
	for _, path := range found {
		if !slices.Contains(own, path) {
			t.Errorf("%s reads JSON strictly by itself, want check.Object", path)
		}
	}
	if len(found) < len(own) {
		t.Errorf("read strictly in %v alone, want %v", found, own)
	}
}
