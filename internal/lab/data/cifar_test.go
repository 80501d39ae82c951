package data

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// colored is a record of CIFAR-10, all of one color.
func colored(label, red, green, blue byte) []byte {
	out := []byte{label}
	for _, v := range []byte{red, green, blue} {
		out = append(out, bytes.Repeat([]byte{v}, cifarPixels)...)
	}
	return out
}

func TestImagesOfCIFARAreReadAsGrayOnes(t *testing.T) {
	second := colored(9, 255, 255, 255)
	second[1+cifarSide] = 0 // red of the first pixel of the second row
	first := slices.Concat(colored(3, 255, 0, 0), colored(0, 0, 255, 0))
	dir := folder(t, map[string][]byte{"data_batch_1.bin": first, "data_batch_3.bin.gz": gzipped(t, second), "test_batch.bin": nil, "batches.meta.txt": nil})
	d := must.Get(ReadImages(dir))(t)
	if err := d.Validate(); err != nil || !slices.Equal(d.Y, []int{3, 0, 9}) || d.Width != 32 || d.Height != 32 || d.Classes != 10 || d.Name != "mnist" {
		t.Fatalf("labels %v, %d x %d, %d classes, %q (%v)", d.Y, d.Width, d.Height, d.Classes, d.Name, err)
	}
	for _, c := range []struct {
		image, pixel int
		want         float64
	}{{0, 7, 0.299}, {1, 1023, 0.587}, {2, 0, 1}, {2, 32, 0.701}} {
		if got := d.X[c.image][c.pixel]; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("pixel %d of image %d is %g, want %g", c.pixel, c.image, got, c.want)
		}
	}
	if one := must.Get(ReadImages(filepath.Join(dir, "data_batch_1.bin")))(t); len(one.X) != 2 || one.Name != "data_batch_1" {
		t.Errorf("%d images of %q in one file", len(one.X), one.Name)
	}
}

func TestFilesThatAreNoCIFARAreRefused(t *testing.T) {
	good := slices.Concat(colored(1, 1, 2, 3), colored(2, 3, 4, 5))
	small := append([]byte{1}, bytes.Repeat([]byte{200}, 3*28*28)...) // images of 28 x 28
	dir := folder(t, map[string][]byte{
		"empty.bin": nil, "cut.bin": good[:len(good)-1], "label.bin": good[:3074], "small.bin": slices.Concat(small, small),
		"fine.bin": slices.Concat([]byte{4}, good), "same.bin": colored(5, 0, 0, 0), "packed.bin.gz": gzipped(t, good)[:30],
	})
	for name, want := range map[string]string{
		"empty.bin":     "empty.bin: byte 0: end of file, want images of CIFAR-10",
		"cut.bin":       "cut.bin: byte 6145: end of file, want the colors of image 2",
		"label.bin":     "label.bin: byte 3074: end of file, want the colors of image 2",
		"small.bin":     "small.bin: byte 3073: image 2 has the label 200, want images of CIFAR-10 in its binary version, 3073 bytes each",
		"fine.bin":      "fine.bin: byte 6147: end of file, want the colors of image 3",
		"same.bin":      "all 1 labels are 5, want at least two classes",
		"packed.bin.gz": "the gzip file ends early",
	} {
		if _, err := ReadImages(filepath.Join(dir, name)); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
}
