package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	maxTexts   = 200_000
	maxOdd     = 10 // one byte of so many may be none of a text: old mails have some
	wantCorpus = "a text file with one document in each line, or a folder of text files, one document each (all also with gzip)"
)

// Corpus is a collection of texts.
type Corpus struct {
	Name   string
	Titles []string
	Texts  []string
}

// ReadCorpus reads a collection of texts:
//
//   - A file has one document in each line, which may begin with its title and a tab. Blank lines are none.
//   - A folder has one document in each file, also in the folders in it, in the order of their paths; what is hidden, and links
//     to folders, do not count. A document is called like its file. Blank files are none.
//
// All files may be compressed with gzip. They are text: UTF-8, or anything of which at most a tenth of the bytes are control
// characters or no UTF-8, and none is zero. At most 200000 documents and 256 megabytes are read. Errors name the file, the line
// where there is one, and what was expected; they unwrap to ErrMalformed when the content is at fault, and otherwise to the error
// of the file system.
func ReadCorpus(path string) (Corpus, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Corpus{}, statFault(path, wantCorpus, err)
	}
	c := Corpus{Name: strings.TrimSuffix(filepath.Base(path), ".gz")}
	read := c.addLines
	if info.IsDir() {
		absolute, err := filepath.Abs(path) // "." has no name
		if err != nil {
			return Corpus{}, fmt.Errorf("%s: %w", path, err)
		}
		c.Name, read = filepath.Base(absolute), c.addFolder
	}
	if err := read(path); err != nil {
		return Corpus{}, err
	}
	if len(c.Texts) == 0 {
		return Corpus{}, &fileFault{fmt.Sprintf("%s: no text, want %s", path, wantCorpus), ErrMalformed}
	}
	return c, nil
}

// addLines reads a file with one document in each line.
func (c *Corpus) addLines(path string) error {
	content, err := readText(path, maxTextFile)
	if err != nil {
		return err
	}
	line := 0
	for text := range strings.SplitSeq(content, "\n") {
		line++
		if strings.TrimSpace(text) == "" {
			continue
		}
		if len(c.Texts) == maxTexts {
			return malformedLine(path, line, "document %d, want at most %d", maxTexts+1, maxTexts)
		}
		title, rest, titled := strings.Cut(text, "\t")
		if !titled {
			title, rest = fmt.Sprintf("line %d", line), text
		}
		c.Titles, c.Texts = append(c.Titles, title), append(c.Texts, rest)
	}
	return nil
}

// addFolder reads a folder with one document in each file.
func (c *Corpus) addFolder(dir string) error {
	left, files := int64(maxTextFile), os.DirFS(dir)
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w, want %s", dir, err, wantCorpus)
		}
		hidden := name != "." && strings.HasPrefix(entry.Name(), ".")
		switch {
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || entry.IsDir():
			return nil
		}
		if info, err := fs.Stat(files, name); err != nil || !info.Mode().IsRegular() {
			return nil // a link to nowhere, or no file
		}
		content, err := readText(filepath.Join(dir, filepath.FromSlash(name)), left)
		if err != nil || strings.TrimSpace(content) == "" {
			return err
		}
		if left -= int64(len(content)); len(c.Texts) == maxTexts {
			return &fileFault{fmt.Sprintf("%s: more than %d documents", dir, maxTexts), ErrMalformed}
		}
		c.Titles, c.Texts = append(c.Titles, name), append(c.Texts, content)
		return nil
	})
}

// readText reads a file of at most that many bytes, as they are unpacked, and wants text.
func readText(path string, most int64) (string, error) {
	file, err := openRegular(path, wantCorpus, maxTextFile)
	if err != nil {
		return "", err
	}
	defer file.Close()
	plain, err := unpacked(file, path)
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.LimitReader(withoutMark(plain), most+1))
	switch {
	case errors.Is(err, ErrMalformed):
		return "", &fileFault{fmt.Sprintf("%s: %v", path, err), ErrMalformed}
	case err != nil:
		return "", fmt.Errorf("%s: %w", path, err)
	case int64(len(content)) > most:
		return "", &fileFault{fmt.Sprintf("%s: with it there are more than %d bytes of text", path, maxTextFile), ErrMalformed}
	}
	if at, odd := oddByte(content); odd {
		line := 1 + bytes.Count(content[:at], []byte{'\n'})
		return "", malformedLine(path, line, "byte %d of the file is %#02x, so that this is no text: want %s", at, content[at], wantCorpus)
	}
	return string(content), nil
}

// oddByte finds the byte by which content is no text: a zero, or the first that is odd where too many are.
func oddByte(content []byte) (at int, odd bool) {
	if at := bytes.IndexByte(content, 0); at >= 0 {
		return at, true
	}
	first, count := -1, 0
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' && !strings.ContainsRune("\t\n\v\f\r", r) {
			if count++; first < 0 {
				first = i
			}
		}
		i += size
	}
	return first, count*maxOdd > len(content)
}

// Fingerprint returns 64 hexadecimal digits that tell collections apart, by titles and texts.
func (c Corpus) Fingerprint() string {
	sum := sha256.New()
	for i, text := range c.Texts {
		fmt.Fprintf(sum, "%d %d %s%s", len(c.Titles[i]), len(text), c.Titles[i], text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
