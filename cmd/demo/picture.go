package main

import (
	"errors"
	"io"
	"os"
)

// picture is a drawing with the files it is drawn to.
type picture struct {
	png, svg string
	drawing  drawing
}

// drawing is what a picture shows.
type drawing interface {
	WritePNG(w io.Writer) error
	WriteSVG(w io.Writer) error
}

// write draws both files.
func (p picture) write() error {
	if err := save(p.png, p.drawing.WritePNG); err != nil {
		return err
	}
	return save(p.svg, p.drawing.WriteSVG)
}

// save creates a file and lets its content be written.
func save(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
