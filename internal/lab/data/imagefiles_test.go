package data

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// gzipped returns the content compressed.
func gzipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// idx returns the content of a file in IDX format: magic number and sizes, then the bytes.
func idx(magic uint32, sizes []uint32, values ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, size := range sizes {
		b = binary.BigEndian.AppendUint32(b, size)
	}
	return append(b, values...)
}

// Three images of 2 rows and 3 columns, and their labels.
var (
	threeImages = idx(idxImages, []uint32{3, 2, 3}, 0, 51, 102, 153, 204, 255, 1, 2, 3, 4, 5, 6, 9, 9, 9, 9, 9, 9)
	threeLabels = idx(idxLabels, []uint32{3}, 4, 0, 2)
)

// folder returns a new folder with these files.
func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mnist")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAllNamesOfTheFilesOfMNISTAreRead(t *testing.T) {
	for _, names := range [][2]string{
		{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
		{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
		{"train-images.idx3-ubyte", "train-labels.idx1-ubyte"},
		{"train-images.idx3-ubyte.gz", "train-labels-idx1-ubyte"},
	} {
		files := map[string][]byte{names[0]: threeImages, names[1]: threeLabels, "t10k-images-idx3-ubyte": nil}
		for name, content := range files {
			if strings.HasSuffix(name, ".gz") {
				files[name] = gzipped(t, content)
			}
		}
		d, err := ReadImages(folder(t, files))
		if err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
		if d.Name != "mnist" || d.Width != 3 || d.Height != 2 || d.Classes != 5 || !slices.Equal(d.Y, []int{4, 0, 2}) {
			t.Errorf("%q: %+v", names, d)
		}
		if !slices.Equal(d.X[0], []float64{0, 51. / 255, 102. / 255, 153. / 255, 204. / 255, 1}) || d.X[1][5] != 6./255 {
			t.Errorf("%q: pixels %v", names, d.X)
		}
	}
}

// The archive of one site unpacks to folders with the names of the files, beside the files with a dot.
func TestFoldersCalledLikeTheFilesDoNotCount(t *testing.T) {
	dir := folder(t, map[string][]byte{"train-images.idx3-ubyte": threeImages, "train-labels.idx1-ubyte": threeLabels})
	for _, name := range []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadImages(dir); err != nil {
		t.Error(err)
	}
}

func TestTheEmbeddedFileReadFromDiskIsTheSame(t *testing.T) {
	want := digitImages(t)
	got := must.Get(ReadImages("digits.csv.gz"))(t)
	if got.Name != want.Name || got.Classes != want.Classes || !slices.Equal(got.Y, want.Y) || !slices.EqualFunc(got.X, want.X, slices.Equal) {
		t.Error("it differs")
	}
}

func TestTablesOfImagesAreRead(t *testing.T) {
	for name, content := range map[string][]byte{
		"tiny.csv":    []byte("-1,0,1,3,2\n0,0,0,0,0\n0,0,0,0,2\n"),
		"tiny.csv.gz": gzipped(t, []byte("-1,0,1,3,2\n0,0,0,0,0\n0,0,0,0,2\n")),
		"tiny":        gzipped(t, []byte("\ufeff-1, 0, 1, 3, 2\r\n\r\n0,0,0,0,0\r\n0,0,0,0,2")),
	} {
		d, err := ReadImages(filepath.Join(folder(t, map[string][]byte{name: content}), name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Name != "tiny" || d.Width != 2 || d.Height != 2 || d.Classes != 3 || !slices.Equal(d.Y, []int{2, 0, 2}) {
			t.Errorf("%s: %+v", name, d)
		}
		if !slices.Equal(d.X[0], []float64{0, .25, .5, 1}) || !slices.Equal(d.X[1], []float64{.25, .25, .25, .25}) {
			t.Errorf("%s: pixels %v", name, d.X)
		}
	}
}

func TestWhereThereIsNothingTheErrorSaysWhatIsLookedFor(t *testing.T) {
	dir := folder(t, map[string][]byte{"train-images-idx3-ubyte": threeImages})
	empty := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "no.csv"): filepath.Join(dir, "no.csv") + ": does not exist, want a table of images like digits.csv or digits.csv.gz, or a folder with train-images-idx3-ubyte and train-labels-idx1-ubyte (each also with .gz)",
		"":                           `"": does not exist, want a table of images`,
		empty:                        empty + ": no training images: want one of the files train-images-idx3-ubyte, train-images-idx3-ubyte.gz, train-images.idx3-ubyte, train-images.idx3-ubyte.gz",
		dir:                          dir + ": no training labels: want one of the files train-labels-idx1-ubyte, train-labels-idx1-ubyte.gz, train-labels.idx1-ubyte, train-labels.idx1-ubyte.gz",
	} {
		_, err := ReadImages(path)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrMalformed) {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

// One of the two files is bad; the error begins with its path.
func TestMalformedIDXFilesNameTheByte(t *testing.T) {
	const images, labels = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
	packed := gzipped(t, threeImages)
	flipped := slices.Clone(packed)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	for _, tc := range []struct {
		what, file string
		content    []byte
		want       string
	}{
		{"empty", images, nil, "byte 0: end of file, want the magic number, 4 bytes from byte 0"},
		{"header cut", images, threeImages[:14], "byte 14: end of file, want the number of columns, 4 bytes from byte 12"},
		{"labels for images", images, threeLabels, "byte 0: magic number 0x00000801, want 0x00000803 (unsigned bytes, dimensions: 3)"},
		{"images for labels", labels, threeImages, "byte 0: magic number 0x00000803, want 0x00000801 (unsigned bytes, dimensions: 1)"},
		{"little-endian", images, []byte{3, 8, 0, 0, 3, 0, 0, 0}, "byte 0: magic number 0x03080000"},
		{"text", images, []byte("<html>"), "byte 0: magic number 0x3c68746d"},
		{"no images", images, idx(idxImages, []uint32{0, 2, 3}), "byte 4: 0 images, want 1 to 200000"},
		{"absurdly many", images, idx(idxImages, []uint32{1<<32 - 1, 2, 3}), "byte 4: 4294967295 images, want 1 to 200000"},
		{"no rows", images, idx(idxImages, []uint32{3, 0, 3}), "byte 8: 0 rows, want 1 to 64"},
		{"too wide", images, idx(idxImages, []uint32{3, 2, 65}), "byte 12: 65 columns, want 1 to 64"},
		{"too much in all", images, idx(idxImages, []uint32{39_063, 64, 64}), "byte 4: 39063 images of 64 x 64 pixels, want at most 39062"},
		{"nothing behind a large header", images, idx(idxImages, []uint32{200_000, 28, 28}), "byte 16: end of file, want image 1 of 200000, 784 bytes from byte 16"},
		{"image cut", images, threeImages[:len(threeImages)-1], "byte 33: end of file, want image 3 of 3, 6 bytes from byte 28"},
		{"image missing", images, threeImages[:len(threeImages)-6], "byte 28: end of file, want image 3 of 3, 6 bytes from byte 28"},
		{"trailing byte", images, append(slices.Clone(threeImages), 0), "byte 34: more bytes, want the end of the file after 3 images"},
		{"labels cut", labels, threeLabels[:10], "byte 10: end of file, want 3 labels, 3 bytes from byte 8"},
		{"trailing label", labels, append(slices.Clone(threeLabels), 1), "byte 11: more bytes, want the end of the file after 3 labels"},
		{"a label too few", labels, idx(idxLabels, []uint32{2}, 0, 1), "byte 4: 2 labels, want 3, one for each image of "},
		{"absurdly many labels", labels, idx(idxLabels, []uint32{1 << 31}), "byte 4: 2147483648 labels, want 1 to 200000"},
		{"one label only", labels, idx(idxLabels, []uint32{3}, 7, 7, 7), "all 3 labels are 7, want at least two classes"},
		{"gzip header cut", images, packed[:6], "the gzip file ends early"},
		{"gzip header wrong", images, []byte("\x1f\x8b\x01 and so on, and so on"), "the gzip file is damaged (gzip: invalid header)"},
		{"gzip cut", images, packed[:len(packed)-12], "byte "}, // which one is up to the compressor
		{"gzip trailer cut", images, packed[:len(packed)-1], "byte 34: the gzip file ends early"},
		{"gzip checksum wrong", images, flipped, "byte 34: the gzip file is damaged (gzip: invalid checksum)"},
		{"bytes behind gzip", images, append(slices.Clone(packed), "some junk behind"...), "byte 34: the gzip file is damaged (gzip: invalid header)"},
		{"not deflated", images, append(slices.Clone(packed[:10]), 0xff, 0xff, 0xff, 0xff), "byte 0: the gzip file is damaged (flate: corrupt input"},
	} {
		files := map[string][]byte{images: threeImages, labels: threeLabels}
		files[tc.file] = tc.content
		dir := folder(t, files)
		d, err := ReadImages(dir)
		want := filepath.Join(dir, tc.file) + ": " + tc.want
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, ErrMalformed) || d.X != nil {
			t.Errorf("%s:\n\terror %v\n\twant  %s", tc.what, err, want)
		}
		if tc.what == "gzip cut" && !strings.HasSuffix(err.Error(), ": the gzip file ends early") {
			t.Errorf("%s: error %v", tc.what, err)
		}
	}
}

func TestMalformedTablesOfImagesNameTheLine(t *testing.T) {
	const good = "1,2,3,4,0\n4,3,2,1,1\n"
	packed := gzipped(t, digitText(t))
	for _, tc := range []struct{ what, content, want string }{
		{"empty", "", ":1: end of file, want images"},
		{"blank", "\n\n", ":3: end of file, want images"},
		{"header", "a,b,c,d,label\n", `:1: column 1 is "a", want a pixel, a finite number`},
		{"not square", "1,2,3,4\n", ":1: 4 columns, want the pixels of a square image, at most 64 x 64, and a class"},
		{"one column", "1\n", ":1: 1 columns, want the pixels of a square image"},
		{"too large", strings.Repeat("0,", 65*65) + "1\n", ":1: 4226 columns, want the pixels of a square image"},
		{"a column missing", good + "1,2,3,4\n", ":3: 4 columns, want 5 (2 x 2 pixels and a class)"},
		{"a column too many", good + "1,2,3,4,5,0\n", ":3: 6 columns, want 5 (2 x 2 pixels and a class)"},
		{"not a number", good + "1,x,3,4,0\n", `:3: column 2 is "x", want a pixel, a finite number`},
		{"NaN", good + "1,2,NaN,4,0\n", `:3: column 3 is "NaN"`},
		{"empty value", good + "\n1,2,3,,0\n", `:4: column 4 is ""`},
		{"class as float", good + "1,2,3,4,0.5\n", `:3: column 5 is "0.5", want a class, an integer from 0 to 999`},
		{"class below zero", good + "1,2,3,4,-1\n", `:3: column 5 is "-1"`},
		{"class too large", good + "1,2,3,4,1000\n", `:3: column 5 is "1000"`},
		{"one class only", "1,2,3,4,3\n4,3,2,1,3\n", ": all 2 labels are 3, want at least two classes"},
		{"one value only", "5,5,5,5,0\n5,5,5,5,1\n", ": pixels from 5 to 5, want a finite range"},
		{"infinite range", "-1e308,1e308,0,0,1\n0,0,0,0,0\n", ": pixels from -1e+308 to 1e+308, want a finite range"},
		{"endless line", good + strings.Repeat("1", maxLine+1), ":3: longer than 1048576 bytes"},
		{"endless blank lines", good + strings.Repeat("\n", maxImageLines), ":400001: too long, want at most 400000 lines"},
		{"IDX", string(threeImages), ":1: this is a file in IDX format, want its folder, or text"},
		{"gzip cut", string(packed[:len(packed)/2]), ":"}, // which line is up to the compressor
		{"bytes behind gzip", string(packed) + "some junk behind", ":1798: the gzip file is damaged (gzip: invalid header)"},
	} {
		path := filepath.Join(folder(t, map[string][]byte{"a.csv": []byte(tc.content)}), "a.csv")
		d, err := ReadImages(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+tc.want) || !errors.Is(err, ErrMalformed) || d.X != nil {
			t.Errorf("%s:\n\terror %v\n\twant  %s", tc.what, err, path+tc.want)
		}
		if tc.what == "gzip cut" && !strings.HasSuffix(err.Error(), ": the gzip file ends early") {
			t.Errorf("%s: error %v", tc.what, err)
		}
	}
}
