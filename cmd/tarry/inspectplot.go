package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/figures"
)

// figures is the study as something to be drawn, without what was found.
func (s *inspected) figures() figures.Study {
	return figures.Study{
		Name: filepath.Base(s.path), Note: s.conditions(), Policy: s.loop.Config().Traits.Name, Space: s.header.Config.Space, Minimize: s.header.Config.Minimize,
		Evaluations: s.evaluations(), Now: s.now, BudgetCost: s.loop.Config().BudgetCost,
	}
}

// plot writes the pictures to a folder and says so.
func (s *inspected) plot(folder string, log io.Writer) error {
	study := s.figures()
	if r := s.result(); r.Best != nil {
		study.Best, study.Recommended = r.Best.Number, r.Recommended.Number
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return writing(fmt.Errorf("--plot %s: %w", folder, err))
	}
	var names []string
	incumbent, err := figures.Incumbent(study)
	if err != nil {
		return failure(err)
	}
	for _, picture := range []struct {
		name string
		chart.Picture
	}{{"incumbent", incumbent}, {"parameters", figures.Parameters(study)}, {"delays", figures.Delays(study)}, {"silence", s.survivalFigure().Drawing()}} {
		if err := chart.Save(filepath.Join(folder, picture.name), picture); err != nil {
			return failure(err)
		}
		names = append(names, picture.name)
	}
	if all := study.Space.Dim(); all > figures.MostParameters {
		fmt.Fprintf(log, "tarry: parameters has the first %d of %d parameters\n", figures.MostParameters, all)
	}
	_, err = fmt.Fprintf(log, "tarry: pictures in %s: %s, each as .png and .svg\n", folder, strings.Join(names, ", "))
	return failure(err)
}
