package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"
)

func TestPicturesHaveTheirSizes(t *testing.T) {
	for _, d := range []Drawing{crowd(1).drawing(), crowd(5).drawing(), HeatMap{Panels: []HeatPanel{table(3, 3, "p")}}.drawing()} {
		var out bytes.Buffer
		if err := d.WritePNG(&out); err != nil {
			t.Fatal(err)
		}
		drawn, err := png.DecodeConfig(&out)
		if err != nil || drawn.Width != 1200 || drawn.Height < int(d.Height/Pixels(1)) || drawn.Height > int(d.Height/Pixels(1))+1 {
			t.Errorf("%d x %d, want 1200 x %v, %v", drawn.Width, drawn.Height, d.Height/Pixels(1), err)
		}
	}
}

// vector is the text of a figure whose names are as hostile as they can be.
func vector(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	f := Figure{Title: "<script>&\"\x00\x1b", Panels: []Panel{{X: "x", Y: "y\u2028", Curves: []Curve{falling("</svg>", 3)}}}}
	if err := f.WriteSVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestVectorsCanStandInAPage(t *testing.T) {
	text := vector(t)
	if !strings.HasPrefix(text, "<svg ") || !strings.HasSuffix(text, "</svg>\n") || strings.Contains(text, "<!") {
		t.Errorf("%.60q", text)
	}
	tags := []string{}
	for in := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := in.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if tag, begins := token.(xml.StartElement); begins {
			tags = append(tags, tag.Name.Local)
			for _, a := range tag.Attr {
				if a.Name.Local == "id" || a.Name.Local == "class" || a.Name.Local == "href" || strings.Contains(a.Value, "url(") {
					t.Errorf("%s has %s=%q, which another picture of the page may have, too", tag.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	slices.Sort(tags)
	if tags = slices.Compact(tags); !slices.Equal(tags, []string{"g", "path", "svg", "text"}) {
		t.Errorf("tags %v", tags)
	}
}

func TestVectorsNameFontsThatAreEverywhere(t *testing.T) {
	text := vector(t)
	if n := strings.Count(text, "font-family:"); n == 0 || n != strings.Count(text, "font-family:Liberation Sans,Arial,Helvetica,sans-serif") {
		t.Errorf("%d fonts", n)
	}
}

// full is a writer to a full disk.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	for _, write := range []func(io.Writer) error{
		Figure{}.WritePNG, Figure{}.WriteSVG, HeatMap{}.WritePNG, HeatMap{}.WriteSVG,
	} {
		if err := write(full{}); !errors.Is(err, errFull) {
			t.Errorf("%v", err)
		}
	}
	fails := Drawing{Pixels(10), Pixels(10), func(draw.Canvas) error { return errFull }}
	if !errors.Is(fails.WritePNG(io.Discard), errFull) || !errors.Is(fails.WriteSVG(io.Discard), errFull) {
		t.Error("errors of Draw")
	}
}

func TestTextsAreWrappedAndCut(t *testing.T) {
	style := Text(12, color.Black)
	for _, words := range []string{"one two three four five six seven eight nine ten", strings.Repeat("M", 60), "Ä" + strings.Repeat("ö", 60)} {
		for width := style.Width("eight") + 10; width < 300; width += 7 {
			lines := wrap(style, words, width, 3)
			for _, line := range lines {
				if style.Width(line) > width {
					t.Errorf("%q is wider than %v", line, width)
				}
			}
			whole := strings.ReplaceAll(strings.Join(lines, ""), " ", "")
			if want := strings.ReplaceAll(words, " ", ""); whole != want && !strings.HasPrefix(want, strings.TrimSuffix(whole, "…")) {
				t.Errorf("%q became %q", words, lines)
			}
		}
	}
	if lines := wrap(style, "one two three", style.Width("one two")+1, 2); !slices.Equal(lines, []string{"one two", "three"}) {
		t.Errorf("%q", lines)
	}
	if lines := wrap(style, "", 100, 2); len(lines) != 1 || lines[0] != "" {
		t.Errorf("%q", lines)
	}
	if got := Cut(style, "a\tb\x00c", 100); got != "a b c" {
		t.Errorf("%q", got)
	}
}
