// Package claims measures the figures of the guides again. A claim is a stretch of a Markdown file between two comments: the
// first says which command gives the figures that stand in it, the second is "end".
//
//	<!-- claim
//	run: go run ./cmd/demo sim -problem branin -seeds 20   # without it: the first command in the stretch
//	takes: 40s
//	figures:
//	- after 20 queries it is {}: branin > gp-bucb > simple regret after 20
//	-->
//
//	| policy | simple regret after 20 |
//	| --- | --- |
//	| gp-bucb | 0.0091 ± 0.0024 |
//
//	In the table above, after 20 queries it is 0.0091.
//
//	<!-- end -->
//
// Every table of figures in the stretch is compared with what the command prints, cell by cell, and so are the figures that
// are listed. What follows from a seed must round to what stands there. With a factor under speed figures depend on
// the machine and are to be within that factor, but for those whose place begins with "= ". What no command gives stands between
// "no claim: why" and "end".
package claims

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/tarry-bo/tarry/internal/check"
)

// Claim is a stretch of a file whose figures a command gives.
type Claim struct {
	File        string // path as it was read
	First, Last int    // lines of its comments, from 1
	Run         string // command, one of this module's own, or several, a line each
	Takes       time.Duration
	Data        string     // file or folder that the command reads, as it is written in the command; empty: none
	Speed       float64    // factor between figures that depend on the machine; 0: they do not
	Tables      [][]string // for each table the places of its columns after the first, or of all; none: those of the same names
	Figures     []Sentence

	stretch
}

// Sentence is a figure among words.
type Sentence struct {
	Words string // with {} where the figure stands
	Place string // in the output
}

// marker is what stands in the comment.
type marker struct {
	Run     string              `yaml:"run"`
	Takes   string              `yaml:"takes"`
	Data    string              `yaml:"data"`
	Speed   float64             `yaml:"speed"`
	Tables  [][]string          `yaml:"tables"`
	Figures []map[string]string `yaml:"figures"`
}

// maxSpeed is the largest factor: beyond, a claim would say nothing.
const maxSpeed = 10

// Read returns the claims of some files, in order, with everything that is wrong with them as one error.
func Read(paths ...string) (all []Claim, err error) {
	var l check.List
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		page, err := parsePage(string(text))
		l.Join(named(path, err))
		for _, s := range page.stretches {
			if s.none {
				continue
			}
			c, err := newClaim(path, s)
			l.Join(named(path, err))
			all = append(all, c)
		}
	}
	return all, l.Err()
}

// Guides returns the files of a module that hold claims: those of its root, and those of docs.
func Guides(root string) ([]string, error) {
	var paths []string
	for _, pattern := range []string{"*.md", filepath.Join("docs", "*.md")} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	return paths, nil
}

// commands are those of the claim, of which there is at least one.
func (c Claim) commands() []string { return strings.Split(c.Run, "\n") }

// newClaim reads the comment of a stretch.
func newClaim(path string, s stretch) (Claim, error) {
	c := Claim{File: path, First: s.first, Last: s.last, stretch: s}
	var m marker
	if err := yaml.UnmarshalWithOptions([]byte(s.comment), &m, yaml.Strict()); err != nil {
		return c, fmt.Errorf("line %d: the claim is not understood: %w", s.first, err)
	}
	c.Run, c.Data, c.Speed, c.Tables = strings.TrimSpace(m.Run), m.Data, m.Speed, m.Tables
	if c.Run == "" {
		c.Run = s.command
	}
	var l check.List
	where := fmt.Sprintf("line %d: claim", s.first)
	for _, command := range c.commands() {
		_, err := arguments(command)
		l.Join(named(where, err))
	}
	var err error
	c.Takes, err = time.ParseDuration(m.Takes)
	l.Require(err == nil && c.Takes > 0, where+".takes", m.Takes, "a time such as 2m30s")
	l.Require(c.Speed == 0 || c.Speed > 1 && c.Speed <= maxSpeed, where+".speed", c.Speed, fmt.Sprintf("a factor with 1 < speed ≤ %d", maxSpeed))
	l.Require(c.Data == "" || strings.Contains(c.Run, "-data "+c.Data), where+".data", c.Data, "what the command names after -data")
	l.Require(len(c.Tables) <= len(s.tables), where+".tables", len(c.Tables), fmt.Sprintf("at most %d, the tables of figures", len(s.tables)))
	for i, places := range c.Tables {
		if i < len(s.tables) && len(places) > 0 {
			want := len(s.tables[i].Head) - 1
			l.Require(len(places) == 1 || len(places) == want, where+".tables", len(places), fmt.Sprintf("one place, or %d, one for each column after the first of table %d", want, i+1))
		}
	}
	for _, pair := range m.Figures {
		for words, place := range pair {
			c.Figures = append(c.Figures, Sentence{words, place})
			if _, err := s.standing(words); err != nil {
				l.Join(named(where, err))
			}
		}
	}
	l.Require(len(s.tables)+len(c.Figures) > 0, where, "nothing", "a table of figures, or figures")
	return c, l.Err()
}

func named(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
