package experiment

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Report is what a person reads about an experiment.
type Report struct {
	Experiment Experiment
	Plan       Plan
	Results    Results
	Header     Header
	Version    string // of the program, for readers
	Command    string // that does all of it again
	// Pictures names all figures that some report of the experiment makes, where not each makes the same: files of those that this one
	// does not make are of another report, and go away.
	Pictures []string
}

//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// drawn is a figure in a page.
type drawn struct {
	Figure
	SVG template.HTML
	PNG string
}

// part is a section in a page.
type part struct {
	Section
	Drawn []drawn
}

// Facts are the lines at the head of the page.
func (r Report) Facts() []Fact {
	first, count := r.Results.Seeds()
	seeds := fmt.Sprintf("%d, the seeds %d to %d", count, first, first+uint64(count)-1)
	if count == 1 {
		seeds = fmt.Sprintf("1, the seed %d", first)
	}
	facts := []Fact{{"source", r.Experiment.Source}, {"runs of each method", seeds}}
	if r.Header.Rounds > 0 {
		facts = append(facts, r.length())
	}
	facts = append(append(facts, Fact{"incomplete", r.Results.incomplete()}), r.Plan.Facts...)
	facts = append(facts,
		Fact{"versions", fmt.Sprintf("%s, %s, %s; program %s", r.Version, r.Header.Go, r.Header.Arch, shown(r.Header.Program))},
		Fact{"time of all runs", r.time()})
	if r.Header.Data != "" {
		facts = append(facts, Fact{"data, SHA-256", r.Header.Data})
	}
	kept := facts[:0]
	for _, f := range facts {
		if f.Text != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// time says how long all runs took, each on the clock.
func (r Report) time() string {
	sum, atOnce := r.Results.Work()
	text := fmt.Sprintf("%v on the clock, summed over the runs", sum.Round(100*time.Millisecond))
	if atOnce > 0 {
		text += fmt.Sprintf(", of which up to %d went on at once", atOnce)
	}
	return text + "; more at once, or other work, make each longer"
}

// length says how long a run is.
func (r Report) length() Fact {
	if r.Experiment.Unit != "" {
		return Fact{"rounds of a run", r.Experiment.Length(r.Header.Rounds)}
	}
	return Fact{"queries of a run", fmt.Sprintf("%d after the initial ones", r.Header.Rounds)}
}

// Write puts the page and the pictures into a folder, where the store of the runs is, and returns the paths of what it wrote,
// the page first. Pictures of an earlier report of the experiment do not stay beside it.
func (r Report) Write(dir string) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	html := filepath.Join(dir, r.Experiment.Name+".html")
	paths = []string{html}
	var parts []part
	for _, s := range r.Plan.Show(r.Results) {
		p := part{Section: s}
		for _, f := range s.Figures {
			d, err := draw(f, dir)
			if err != nil {
				return nil, err
			}
			p.Drawn, paths = append(p.Drawn, d), append(paths, filepath.Join(dir, d.PNG))
		}
		parts = append(parts, p)
	}
	err = Replace(html, func(w io.Writer) error {
		return page.Execute(w, struct {
			Report
			Parts []part
			Lines string
		}{r, parts, LinesName(r.Experiment)})
	})
	if err != nil {
		return paths, err
	}
	return paths, r.clear(dir, paths)
}

// clear removes pictures that are not among what was written.
func (r Report) clear(dir string, written []string) error {
	for _, name := range r.Pictures {
		path := filepath.Join(dir, pictureName(name))
		if slices.Contains(written, path) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// pictureName is the name of the file of a figure.
func pictureName(figure string) string { return figure + ".png" }

// LinesName is the name of the file of the raw results beside the page of an experiment.
func LinesName(e Experiment) string { return e.Name + ".jsonl" }

// draw writes the PNG of a figure, and returns its SVG for the page.
func draw(f Figure, dir string) (drawn, error) {
	d := drawn{Figure: f, PNG: pictureName(f.Name)}
	var vectors bytes.Buffer
	err := errors.Join(Replace(filepath.Join(dir, d.PNG), f.Drawing.WritePNG), f.Drawing.WriteSVG(&vectors))
	d.SVG = template.HTML(inline(vectors.String()))
	return d, err
}

var fixedSize = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)

// inline is an SVG file made fit for a page: without what comes before its element, and as wide as there is room.
func inline(file string) string {
	if start := strings.Index(file, "<svg"); start >= 0 {
		file = file[start:]
	}
	return fixedSize.ReplaceAllString(file, `<svg width="100%" role="img"`)
}

// Replace writes a file in one piece: whatever happens, it is the old one or the new one.
func Replace(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
