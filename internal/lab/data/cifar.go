package data

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The binary version of CIFAR-10 (Krizhevsky 2009): records of a label and three planes of 32 x 32 bytes, red, green and blue.
const (
	cifarSide    = 32
	cifarPixels  = cifarSide * cifarSide
	cifarClasses = 10
	cifarEnd     = ".bin"
	wantCIFAR    = "images of CIFAR-10 in its binary version, 3073 bytes each: a label from 0 to 9 and 3 x 32 x 32 colors"
)

// The weights of red, green and blue in the brightness, of ITU-R BT.601.
var brightness = [3]float64{0.299, 0.587, 0.114}

// cifarFiles are the training files of CIFAR-10 in a folder, in their order; none where it is no such folder.
func cifarFiles(dir string) []string {
	var found []string
	for i := 1; i <= 5; i++ {
		for _, end := range []string{cifarEnd, cifarEnd + ".gz"} {
			path := filepath.Join(dir, fmt.Sprintf("data_batch_%d%s", i, end))
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				found = append(found, path)
				break
			}
		}
	}
	return found
}

// isCIFAR reports whether a path is that of a file of CIFAR-10.
func isCIFAR(path string) bool { return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), cifarEnd) }

// readCIFARFile reads one file of CIFAR-10.
func readCIFARFile(path string) (Images, error) { return readCIFAR(path) }

// readCIFAR reads files of CIFAR-10 as gray images.
func readCIFAR(paths ...string) (Images, error) {
	d := Images{Width: cifarSide, Height: cifarSide}
	for _, path := range paths {
		_, err := withFile(path, wantCIFAR, func(r io.Reader) (struct{}, error) { return struct{}{}, d.addCIFAR(r, path) })
		if err != nil {
			return Images{}, err
		}
	}
	return d, d.countClasses(paths[0])
}

// addCIFAR adds the images of a file that is called path in errors.
func (d *Images) addCIFAR(r io.Reader, path string) error {
	f := &idxFile{r: r, path: path}
	record := make([]byte, 1+3*cifarPixels)
	for n := 1; ; n++ {
		start := f.offset
		if _, err := io.ReadFull(r, record[:1]); err != nil {
			if !errors.Is(err, io.EOF) {
				return f.unreadable(err)
			}
			if n == 1 {
				return f.wrong(0, "end of file, want %s", wantCIFAR)
			}
			return nil
		}
		f.offset++
		if label := record[0]; label >= cifarClasses {
			return f.wrong(start, "image %d has the label %d, want %s", n, label, wantCIFAR)
		}
		if err := f.fill(record[1:], fmt.Sprintf("the colors of image %d (%s)", n, wantCIFAR)); err != nil {
			return err
		}
		if len(d.X) == maxImages || len(d.X) == maxPixels/cifarPixels {
			return f.wrong(start, "image %d of all files, want at most %d", len(d.X)+1, min(maxImages, maxPixels/cifarPixels))
		}
		x := make([]float64, cifarPixels)
		for color, weight := range brightness {
			for i, v := range record[1+color*cifarPixels : 1+(color+1)*cifarPixels] {
				x[i] += weight * float64(v) / 255
			}
		}
		for i, v := range x {
			x[i] = min(v, 1) // the weights may sum to a little more
		}
		d.X, d.Y = append(d.X, x), append(d.Y, int(record[0]))
	}
}
