package figures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

var keep = flag.String("keep", "", "`FOLDER` in which the pictures of the tests are left, to be looked at")

func mixed(t testing.TB) space.Space {
	t.Helper()
	s, err := space.New(space.LogFloat("learning rate", 1e-5, 1), space.Int("layers", 1, 8), space.Categorical("optimizer", "adam", "sgd", "lion"),
		space.LogInt("batch", 16, 1024), space.Float("momentum", 0, 1), space.Float("hour", 0, 24).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// made is a study of n evaluations at random points, with one of every kind among them, whose values are those of f.
func made(s space.Space, n int, f func(x []float64, i int) float64) Study {
	stream := rng.New(3, rng.Pool, 0)
	out := Study{Name: "s.db", Note: "policy gp-bucb, seed 1, maximized, budget 100", Policy: "gp-bucb", Space: s}
	for i := range n {
		e := loop.Evaluation{Query: policies.Query{Number: i + 1, X: s.Random(stream)}, Status: loop.Observed, Attempt: 1, Measured: true}
		e.Value = f(e.X, i)
		e.Dispatched = time.Duration(i) * time.Second
		e.Ended = e.Dispatched + time.Duration(1e9*math.Exp(stream.NormFloat64()))
		out.Now = e.Ended
		switch {
		case i%17 == 5:
			e.Status = loop.Late
		case i%19 == 3:
			e.Status = loop.Infeasible
		case i%29 == 4:
			e.Status, e.Value, e.Measured = loop.Failed, 0, false
		case i > n-5 && i > 4:
			e.Status, e.Value, e.Measured, e.Ended = loop.Pending, 0, false, 0
		}
		out.Evaluations = append(out.Evaluations, e)
	}
	return judged(out)
}

// judged sets the best evaluation, and recommends the one that was the best before.
func judged(s Study) Study {
	s.Best, s.Recommended = 0, 0
	for _, e := range s.Evaluations {
		if e.Status.Valued() && (s.Best == 0 || s.sense().Better(e.Value, s.Evaluations[s.Best-1].Value)) {
			s.Recommended, s.Best = s.Best, e.Number
		}
	}
	return s
}

func bowl(x []float64, i int) float64 {
	out := 0.9
	for j, v := range x {
		out -= (v - 0.3 - 0.05*float64(j)) * (v - 0.3 - 0.05*float64(j))
	}
	return out + 0.3*math.Tanh(float64(i)/40)
}

func wide(t testing.TB, n int) space.Space {
	t.Helper()
	var all []space.Parameter
	for i := range n {
		switch i % 6 {
		case 0:
			all = append(all, space.LogFloat(fmt.Sprintf("log%d", i), 1e-300, 1e300))
		case 1:
			all = append(all, space.Float(fmt.Sprintf("huge%d", i), -8e307, 8e307))
		case 2:
			all = append(all, space.Categorical(fmt.Sprintf("a parameter with quite a long name %d", i), strings.Fields(strings.Repeat("x ", 1)+"a-choice-with-a-long-name another-choice-of-that-kind <&> 中文 \x01 d e f g h i j k l m n o p q r s t u v w")...))
		case 3:
			all = append(all, space.Int(fmt.Sprintf("big%d", i), 1<<39, 1<<40))
		case 4:
			all = append(all, space.LogFloat(fmt.Sprintf("near%d", i), 30, 45))
		case 5:
			all = append(all, space.Float(fmt.Sprintf("thin%d", i), 1, 1+1e-12))
		}
	}
	return must.Get(space.New(all...))(t)
}

// kinds has a parameter of every kind, in steps, by rank and fixed.
func kinds(t testing.TB) space.Space {
	t.Helper()
	s, err := space.New(space.Float("dropout", 0, 0.5).Stepped(0.05), space.Int("width", 8, 64).Stepped(8), space.Bool("bias"),
		space.Ordered("batch", 16, 32, 64, 128, 1e6), space.Ordered("one", 1e-9), space.Float("momentum", 0.9, 0.9), space.LogFloat("rate", 1e-7, 1e-7),
		space.LogInt("seed", 7, 7), space.Categorical("data", "digits"), space.Float("zero", 0, 0), space.Float("huge", 1e300, 1e300).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// studies are what the figures must cope with.
func studies(t testing.TB) map[string]Study {
	plain := mixed(t)
	constant := func(v float64) func([]float64, int) float64 { return func([]float64, int) float64 { return v } }
	all := map[string]Study{
		"usual":    made(plain, 96, bowl),
		"one":      made(plain, 1, bowl),
		"none":     made(plain, 0, bowl),
		"constant": made(plain, 30, constant(7)),
		"zero":     made(plain, 30, constant(0)),
		"extreme": made(plain, 40, func(x []float64, i int) float64 {
			return math.Copysign(1.7e308, x[0]-0.5) * x[1]
		}),
		"tiny":     made(plain, 40, func(x []float64, i int) float64 { return 5e-320 * x[0] }),
		"adjacent": made(plain, 40, func(x []float64, i int) float64 { return math.Nextafter(1e9, 2e9*float64(i%2)) }),
		"outliers": made(plain, 60, func(x []float64, i int) float64 {
			if i%20 == 7 {
				return -1e9
			}
			return bowl(x, i)
		}),
		"wide":  made(wide(t, 100), 60, bowl),
		"kinds": made(kinds(t), 60, bowl),
	}
	minimize := made(plain, 60, func(x []float64, i int) float64 { return -bowl(x, i) })
	minimize.Minimize = true
	all["minimize"] = judged(minimize)
	failed := made(plain, 30, bowl)
	for i := range failed.Evaluations {
		failed.Evaluations[i].Status, failed.Evaluations[i].Measured = loop.TimedOut, false
	}
	all["failed"] = judged(failed)
	pending := made(plain, 5, bowl)
	for i := range pending.Evaluations {
		pending.Evaluations[i].Status, pending.Evaluations[i].Measured = loop.Pending, false
	}
	all["pending"] = judged(pending)
	slow := made(plain, 90, bowl)
	for i := range slow.Evaluations {
		slow.Evaluations[i].Ended = slow.Evaluations[i].Dispatched + time.Duration(math.Pow(10, float64(i%8)+float64(i)/100))*time.Microsecond
	}
	slow.Evaluations[3].Ended = slow.Evaluations[3].Dispatched // at once
	all["slow"] = slow
	return all
}

// figuresOf are all figures of a study, by name.
func figuresOf(t *testing.T, s Study) map[string]chart.Drawing {
	t.Helper()
	incumbent := must.Get(Incumbent(s))(t)
	return map[string]chart.Drawing{"incumbent": incumbent, "parameters": Parameters(s), "delays": Delays(s)}
}

// written draws a file and returns it.
func written(t *testing.T, name string, draw func(io.Writer) error) []byte {
	t.Helper()
	var content bytes.Buffer
	if err := draw(&content); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if *keep != "" {
		if err := os.WriteFile(filepath.Join(*keep, name), content.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return content.Bytes()
}

func TestEveryStudyHasEveryPicture(t *testing.T) {
	bitmaps := []string{"usual", "one", "none", "extreme"} // they take long; what is drawn is the same as in an SVG
	if raced {
		bitmaps = bitmaps[:1]
	}
	for name, s := range studies(t) {
		for kind, f := range figuresOf(t, s) {
			what := kind + "-" + name
			wellFormed(t, what, written(t, what+".svg", f.WriteSVG))
			if *keep != "" || slices.Contains(bitmaps, name) {
				inked(t, what, written(t, what+".png", f.WritePNG))
			}
		}
	}
}

// inked fails where a PNG is not 1200 pixels wide or has next to nothing on it.
func inked(t *testing.T, what string, text []byte) {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	size := picture.Bounds().Size()
	if size.X != 1200 || size.Y < 400 || size.Y > 2000 {
		t.Errorf("%s: %v pixels", what, size)
	}
	const step = 3
	dark := 0
	for y := 0; y < size.Y; y += step {
		for x := 0; x < size.X; x += step {
			if color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 0x80 {
				dark++
			}
		}
	}
	if share := float64(dark*step*step) / float64(size.X*size.Y); share < 0.001 || share > 0.2 {
		t.Errorf("%s: %.4f of it is dark", what, share)
	}
}

// wellFormed fails where an SVG is no XML, is large, or has a number in it that is none.
func wellFormed(t *testing.T, what string, text []byte) {
	t.Helper()
	if len(text) > 5<<20 {
		t.Errorf("%s: %d bytes", what, len(text))
	}
	vectors := regexp.MustCompile(`base64,[^"]*`).ReplaceAll(text, nil)
	for _, bad := range []string{"NaN", "Inf"} {
		if bytes.Contains(vectors, []byte(bad)) {
			t.Errorf("%s: it contains %s", what, bad)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

func TestTenThousandEvaluationsMakeSmallPictures(t *testing.T) {
	if raced {
		t.Skip("pure, and run in full without the race detector")
	}
	n, parameters := 10_000, MostParameters
	for kind, f := range figuresOf(t, made(wide(t, parameters), n, bowl)) {
		wellFormed(t, kind+"-many", written(t, kind+"-many.svg", f.WriteSVG))
	}
}

func TestTheSameStudyHasTheSamePictures(t *testing.T) {
	s := made(mixed(t), 40, bowl)
	again := figuresOf(t, s)
	for kind, f := range figuresOf(t, s) {
		if !bytes.Equal(written(t, kind+"-again.svg", f.WriteSVG), written(t, kind+"-again.svg", again[kind].WriteSVG)) {
			t.Errorf("%s: two pictures", kind)
		}
	}
}
