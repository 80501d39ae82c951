package comparison

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/policies"
)

func TestARegretFigureHasACurveForEachPolicy(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "batch:of=random,random", "-rounds", "60", "-seeds", "3")
	f := c.regretFigure(0, decay(c))
	consoletest.Contains(t, f.Title, "branin: regret")
	consoletest.Contains(t, f.Note, "mean ± standard error of 3 seeds")
	if len(f.Panels) != 2 || f.Panels[0].Scale != chart.Log || !f.Panels[0].Steps || f.Panels[1].Scale != chart.Linear {
		t.Fatalf("%+v", f.Panels)
	}
	for i, p := range f.Panels {
		if len(p.Curves) != 2 || p.Curves[0].Name != "batch:of=random" || p.Curves[0].Policy != "batch:of=random" || p.Curves[1].Policy != "random" || len(p.Curves[1].Y) != 60 {
			t.Errorf("panel %d: %+v", i, p.Curves)
		}
	}
}

func TestPicturesAreWrittenToBothFiles(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "random", "-rounds", "60", "-seeds", "3")
	base := filepath.Join(t.TempDir(), "regret")
	var said strings.Builder
	if err := console.SavePicture(&said, "picture", base, c.regretFigure(0, decay(c))); err != nil {
		t.Fatal(err)
	}
	consoletest.Contains(t, said.String(), "picture: "+base+".png and "+base+".svg\n")
	consoletest.PictureSize(t, base+".png", 1200, 750)
	if svg, err := os.ReadFile(base + ".svg"); err != nil || !bytes.Contains(svg, []byte("simple regret")) {
		t.Errorf("%v: %.80s", err, svg)
	}
	if err := console.SavePicture(&said, "picture", filepath.Join(base, "nowhere"), chart.Figure{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a picture in no folder: %v", err)
	}
}

func TestEveryPolicyHasAColorOfItsOwn(t *testing.T) {
	for _, e := range policies.All() {
		if !chart.HasLook(e.Name) {
			t.Errorf("%s: internal/chart/palette.go has no color and mark for it", e.Name)
		}
	}
	batch := must.Get(policies.Parse("batch"))(t)
	if spelled := batch.Traits().Name; chart.LookOf("batch").Color != chart.LookOf(spelled).Color || chart.LookOf("batch:q=3:of=ucb-sdf/nu~1").Color != chart.LookOf("ucb-sdf").Color {
		t.Errorf("a batch has not the color of the policy inside, such as %s", spelled)
	}
}
