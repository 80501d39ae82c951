package data

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tarry-bo/tarry/internal/must"
)

// digitText returns the embedded file, unpacked.
func digitText(t testing.TB) []byte {
	t.Helper()
	r := must.Get(unpacked(bytes.NewReader(digits), "digits.csv.gz"))(t)
	return must.Get(io.ReadAll(r))(t)
}

func TestAFailingDiskIsNotAMalformedImageFile(t *testing.T) {
	broken := func(start []byte) io.Reader {
		return io.MultiReader(bytes.NewReader(start), iotest.ErrReader(io.ErrClosedPipe))
	}
	for what, parse := range map[string]func() error{
		"table": func() error { _, err := parseImageTable(broken([]byte("1,0\n2,")), "f"); return err },
		"packed table": func() error {
			r, err := unpacked(broken(digits[:20_000]), "f")
			if err != nil {
				return err
			}
			_, err = parseImageTable(r, "f")
			return err
		},
		"gzip header": func() error { _, err := unpacked(broken(digits[:5]), "f"); return err },
		"IDX header":  func() error { _, err := parseIDXImages(broken(threeImages[:10]), "f"); return err },
		"IDX image":   func() error { _, err := parseIDXImages(broken(threeImages[:20]), "f"); return err },
		"IDX end":     func() error { _, err := parseIDXImages(broken(threeImages), "f"); return err },
		"IDX labels":  func() error { _, err := parseIDXLabels(broken(threeLabels[:9]), "f", 3, "g"); return err },
	} {
		err := parse()
		if !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestTooManyImagesInATable(t *testing.T) {
	line := strings.Repeat("0,", 64*64) + "1\n" // 39062 images of this size are 160 million pixels
	table := imageTable{path: "f", line: 39_063}
	table.Width, table.Height = 64, 64
	table.X = make([][]float64, 39_062)
	err := table.add(strings.TrimSpace(line))
	if want := "f:39063: image 39063, want at most 39062 of 64 x 64 pixels"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	table.X = table.X[:39_061]
	if err := table.add(strings.TrimSpace(line)); err != nil {
		t.Error(err)
	}
}

// Whatever the bytes are, the parsers return a sound set or say where the file is wrong.
func FuzzImages(f *testing.F) {
	for _, seed := range []string{"1,2,3,4,0\n4,3,2,1,1\n", "1,0\r\n2,3", "", "\n", "0,-1e999\n"} {
		f.Add([]byte(seed), threeLabels)
	}
	f.Add(threeImages, threeLabels)
	f.Add(threeImages[:20], threeLabels[:9])
	f.Add(idx(idxImages, []uint32{200_000, 1, 1}, 1), idx(idxLabels, []uint32{200_000}))
	f.Fuzz(func(t *testing.T, content, labels []byte) {
		table, err := parseImageTable(bytes.NewReader(content), "f")
		if err == nil {
			err = table.Validate()
		} else if errors.Is(err, ErrMalformed) && strings.HasPrefix(err.Error(), "f:") {
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseIDXImages(bytes.NewReader(content), "f")
		if err == nil {
			d.Y, err = parseIDXLabels(bytes.NewReader(labels), "f", len(d.X), "g")
		}
		if err == nil {
			err = d.countClasses("f")
		}
		if err == nil {
			err = d.Validate()
		} else if errors.Is(err, ErrMalformed) && strings.HasPrefix(err.Error(), "f: ") {
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}
