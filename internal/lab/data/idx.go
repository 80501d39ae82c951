package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The first four bytes of a file in IDX format: two zeros, the type 8 of unsigned bytes, the number of dimensions. The
// sizes of the dimensions follow, all with the most significant byte first.
const (
	idxImages = 0x00000803
	idxLabels = 0x00000801
)

// idxFile reads one file in IDX format and words the complaints about it.
type idxFile struct {
	r      io.Reader
	path   string
	offset int64 // of the byte to be read next
}

// wrong returns the error about the byte at the offset.
func (f *idxFile) wrong(offset int64, format string, args ...any) error {
	return &fileFault{fmt.Sprintf("%s: byte %d: %s", f.path, offset, fmt.Sprintf(format, args...)), ErrMalformed}
}

// fill reads as many bytes as buffer has; what says in errors which they are.
func (f *idxFile) fill(buffer []byte, what string) error {
	n, err := io.ReadFull(f.r, buffer)
	f.offset += int64(n)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return f.wrong(f.offset, "end of file, want %s, %d bytes from byte %d", what, len(buffer), f.offset-int64(n))
	}
	return f.unreadable(err)
}

func (f *idxFile) unreadable(err error) error {
	if errors.Is(err, ErrMalformed) {
		return f.wrong(f.offset, "%v", err)
	}
	return fmt.Errorf("%s: byte %d: %w", f.path, f.offset, err)
}

// number reads an unsigned integer of 32 bits.
func (f *idxFile) number(what string) (int64, error) {
	var buffer [4]byte
	err := f.fill(buffer[:], what)
	return int64(binary.BigEndian.Uint32(buffer[:])), err
}

// header reads the magic number, and then the size of each dimension, which is called as names say and must be from 1
// to most.
func (f *idxFile) header(magic int64, names []string, most []int64) ([]int, error) {
	found, err := f.number("the magic number")
	if err != nil {
		return nil, err
	}
	if found != magic {
		return nil, f.wrong(0, "magic number 0x%08x, want 0x%08x (unsigned bytes, dimensions: %d)", found, magic, len(names))
	}
	sizes := make([]int, len(names))
	for i, name := range names {
		size, err := f.number("the number of " + name)
		if err != nil {
			return nil, err
		}
		if size < 1 || size > most[i] {
			return nil, f.wrong(f.offset-4, "%d %s, want 1 to %d", size, name, most[i])
		}
		sizes[i] = int(size)
	}
	return sizes, nil
}

// end returns nil when nothing is left.
func (f *idxFile) end(after string) error {
	var buffer [1]byte
	switch _, err := io.ReadFull(f.r, buffer[:]); {
	case err == nil:
		return f.wrong(f.offset, "more bytes, want the end of the file after %s", after)
	case !errors.Is(err, io.EOF):
		return f.unreadable(err)
	}
	return nil
}

// parseIDXImages reads the content of a file of images that is called path in errors. Memory is taken image by image,
// so that a header that promises too much costs nothing.
func parseIDXImages(r io.Reader, path string) (Images, error) {
	f := &idxFile{r: r, path: path}
	sizes, err := f.header(idxImages, []string{"images", "rows", "columns"}, []int64{maxImages, maxSide, maxSide})
	if err != nil {
		return Images{}, err
	}
	count := sizes[0]
	d := Images{Height: sizes[1], Width: sizes[2]}
	pixels := d.Width * d.Height
	if count > maxPixels/pixels {
		return Images{}, f.wrong(4, "%d images of %d x %d pixels, want at most %d", count, d.Width, d.Height, maxPixels/pixels)
	}
	buffer := make([]byte, pixels)
	for i := range count {
		if err := f.fill(buffer, fmt.Sprintf("image %d of %d", i+1, count)); err != nil {
			return Images{}, err
		}
		x := make([]float64, pixels)
		for j, b := range buffer {
			x[j] = float64(b) / 255
		}
		d.X = append(d.X, x)
	}
	if err := f.end(fmt.Sprintf("%d images", count)); err != nil {
		return Images{}, err
	}
	return d, nil
}

// parseIDXLabels reads the content of a file of labels that is called path in errors: one for each of the images of
// another file.
func parseIDXLabels(r io.Reader, path string, images int, imagePath string) ([]int, error) {
	f := &idxFile{r: r, path: path}
	sizes, err := f.header(idxLabels, []string{"labels"}, []int64{maxImages})
	if err != nil {
		return nil, err
	}
	if sizes[0] != images {
		return nil, f.wrong(4, "%d labels, want %d, one for each image of %s", sizes[0], images, imagePath)
	}
	buffer := make([]byte, images)
	if err := f.fill(buffer, fmt.Sprintf("%d labels", images)); err != nil {
		return nil, err
	}
	labels := make([]int, images)
	for i, b := range buffer {
		labels[i] = int(b)
	}
	if err := f.end(fmt.Sprintf("%d labels", images)); err != nil {
		return nil, err
	}
	return labels, nil
}
