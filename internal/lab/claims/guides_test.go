package claims

import (
	"os"
	"path/filepath"
	"testing"
)

// Every table of figures and every measurement among words in the guides stands in a claim, or says why it is none.
func TestEveryFigureOfTheGuidesIsAClaim(t *testing.T) {
	paths, err := Guides(filepath.Join("..", "..", ".."))
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d guides, %v", len(paths), err)
	}
	all, err := Read(paths...)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Errorf("%d claims", len(all))
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePage(string(text))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, where := range p.loose {
			t.Errorf("%s: %s\nhas figures and stands in no claim: between which comments does it belong?", path, where)
		}
	}
}
