package data

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The limits of images that are read: what goes beyond them is refused before it takes memory. All of MNIST's training
// images are 47 million pixels.
const (
	maxImages    = 200_000
	maxSide      = 64          // pixels
	maxPixels    = 160_000_000 // of all images together, at 8 bytes each
	maxClasses   = 1000
	maxImageFile = 1 << 30 // bytes
)

// The names that the files of MNIST go by, each also with .gz.
var (
	imageNames = []string{"train-images-idx3-ubyte", "train-images.idx3-ubyte"}
	labelNames = []string{"train-labels-idx1-ubyte", "train-labels.idx1-ubyte"}
)

const wantImages = "a table of images like digits.csv or digits.csv.gz, or a folder with " +
	"train-images-idx3-ubyte and train-labels-idx1-ubyte (each also with .gz), or with data_batch_1.bin … of CIFAR-10"

// ReadImages reads images from one of three formats, and scales their pixels to [0, 1]:
//
//   - A file like the embedded digits.csv.gz: text, one square image in each line, its pixels row by row and then its
//     class, an integer from 0, separated by commas; no header. The smallest pixel of the file becomes 0, the largest 1.
//   - A folder with the training images and labels of MNIST (LeCun et al. 1998) or of a set like it, in IDX format:
//     train-images-idx3-ubyte and train-labels-idx1-ubyte, or with a dot as in train-images.idx3-ubyte. Pixels are
//     divided by 255. Test images are not looked at.
//   - A folder with training files of CIFAR-10 in its binary version (Krizhevsky 2009), data_batch_1.bin to data_batch_5.bin
//     or some of them, or one such file, whose name ends in .bin. Colors become their brightness (ITU-R BT.601), since
//     images are gray.
//
// All files may be compressed with gzip. There are as many classes as the largest label says, and at least two must
// occur. The set is called like the file without its extensions, or like the folder. Each image has memory of its own,
// so that dropping the set frees all that are not in a sample of it: the 60000 of MNIST take 380 MB.
//
// It refuses more than 200000 images, 64 pixels on a side, 160 million pixels in all, 1000 classes, a gigabyte in a
// file or a megabyte in a line. Errors name the file, the line or the byte (as it is unpacked), and what was expected.
// They unwrap to ErrMalformed when the content is at fault, and otherwise to the error of the file system: to
// fs.ErrNotExist when there is nothing at path, or the folder has not the files.
func ReadImages(path string) (Images, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Images{}, statFault(path, wantImages, err)
	}
	read, name := readImageTable, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".csv")
	if isCIFAR(path) {
		read, name = readCIFARFile, strings.TrimSuffix(name, cifarEnd)
	}
	if info.IsDir() {
		absolute, err := filepath.Abs(path) // "." has no name
		if err != nil {
			return Images{}, fmt.Errorf("%s: %w", path, err)
		}
		read, name = readImageFolder, filepath.Base(absolute)
	}
	d, err := read(path)
	if err != nil {
		return Images{}, err
	}
	d.Name = name
	return d, nil
}

// readImageTable reads a file of the first format.
func readImageTable(path string) (Images, error) {
	return withFile(path, wantImages, func(r io.Reader) (Images, error) { return parseImageTable(r, path) })
}

// readImageFolder reads a folder of the second or third format.
func readImageFolder(dir string) (Images, error) {
	if files := cifarFiles(dir); len(files) > 0 {
		return readCIFAR(files...)
	}
	return readIDX(dir)
}

// readIDX reads a folder of the second format.
func readIDX(dir string) (Images, error) {
	imagePath, err := lookFor(dir, "training images", imageNames, ", or data_batch_1.bin … of CIFAR-10")
	if err != nil {
		return Images{}, err
	}
	labelPath, err := lookFor(dir, "training labels", labelNames, "")
	if err != nil {
		return Images{}, err
	}
	d, err := withFile(imagePath, "images in IDX format", func(r io.Reader) (Images, error) {
		return parseIDXImages(r, imagePath)
	})
	if err != nil {
		return Images{}, err
	}
	d.Y, err = withFile(labelPath, "labels in IDX format", func(r io.Reader) ([]int, error) {
		return parseIDXLabels(r, labelPath, len(d.X), imagePath)
	})
	if err != nil {
		return Images{}, err
	}
	if err := d.countClasses(labelPath); err != nil {
		return Images{}, err
	}
	return d, nil
}

// lookFor returns the path of the first of the files in the folder that is there, each name with and without .gz.
// The error ends with what else it could have been. Folders that are called so do not count: some archives unpack to folders with the names of their files.
func lookFor(dir, what string, names []string, also string) (string, error) {
	var tried []string
	for _, name := range names {
		for _, name := range []string{name, name + ".gz"} {
			path := filepath.Join(dir, name)
			info, err := os.Stat(path)
			if err == nil && !info.IsDir() {
				return path, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("%s: %w", dir, err)
			}
			tried = append(tried, name)
		}
	}
	return "", &fileFault{fmt.Sprintf("%s: no %s: want one of the files %s%s", dir, what, strings.Join(tried, ", "), also), fs.ErrNotExist}
}

// withFile gives the content of a file, unpacked if need be, to parse and returns what that returns.
func withFile[T any](path, want string, parse func(io.Reader) (T, error)) (T, error) {
	var none T
	file, err := openRegular(path, want, maxImageFile)
	if err != nil {
		return none, err
	}
	defer file.Close()
	content, err := unpacked(file, path)
	if err != nil {
		return none, err
	}
	return parse(content)
}

// unpacked returns the content of a file that is compressed with gzip, whatever it is called, and any other unchanged.
func unpacked(r io.Reader, path string) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	if start, _ := b.Peek(2); string(start) != "\x1f\x8b" { // an error of Peek comes again when it is read
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, packedFault(err))
	}
	return bufio.NewReader(&unpacker{z}), nil
}

// unpacker is a gzip.Reader that tells damaged content from a failing disk.
type unpacker struct{ *gzip.Reader }

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	return n, packedFault(err)
}

// packedFault returns the error about damaged content, which unwraps to ErrMalformed, and any other error as it is.
func packedFault(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &fileFault{"the gzip file ends early", ErrMalformed}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return &fileFault{fmt.Sprintf("the gzip file is damaged (%v)", err), ErrMalformed}
	}
	return err
}

// countClasses sets Classes by the largest label. Labels all the same are most likely no labels.
func (d *Images) countClasses(path string) error {
	several := false
	for _, label := range d.Y {
		d.Classes = max(d.Classes, label+1)
		several = several || label != d.Y[0]
	}
	if !several {
		return &fileFault{fmt.Sprintf("%s: all %d labels are %d, want at least two classes", path, len(d.Y), d.Y[0]), ErrMalformed}
	}
	return nil
}
