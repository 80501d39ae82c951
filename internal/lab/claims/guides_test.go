package claims

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// Every table of figures and every measurement among words in the guides stands in a claim, or says why it is none.
func TestEveryFigureOfTheGuidesIsAClaim(t *testing.T) {
	paths, err := Guides(filepath.Join("..", "..", ".."))
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d guides, %v", len(paths), err)
	}
	all := must.Get(Read(paths...))(t)
	if len(all) < 20 {
		t.Errorf("%d claims", len(all))
	}
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))(t)
		p, err := parsePage(string(text))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, where := range p.loose {
			t.Errorf("%s: %s\nhas figures and stands in no claim: between which comments does it belong?", path, where)
		}
	}
}
