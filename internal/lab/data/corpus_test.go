package data

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestALineIsADocument(t *testing.T) {
	const text = "\ufeffone\tThe first\twith a tab\n\n  \nwithout a title\n"
	for name, content := range map[string][]byte{"kjv.txt": []byte(text), "kjv.txt.gz": gzipped(t, []byte(text))} {
		c := must.Get(ReadCorpus(filepath.Join(folder(t, map[string][]byte{name: content}), name)))(t)
		if c.Name != "kjv.txt" || !slices.Equal(c.Titles, []string{"one", "line 4"}) || !slices.Equal(c.Texts, []string{"The first\twith a tab", "without a title"}) {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestAFileOfAFolderIsADocument(t *testing.T) {
	dir := folder(t, map[string][]byte{"b.txt": []byte("second\nof two lines"), "a": gzipped(t, []byte("first")), ".hidden": {0}, "blank": []byte(" \n")})
	for path, content := range map[string]string{"c/d": "an old mail in Latin-1 from the caf\xe9", ".git/index": "\x00"} {
		path = filepath.Join(dir, path)
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "mnist")
	if err := errors.Join(os.Symlink(dir, link), os.Symlink("nowhere", filepath.Join(dir, "e"))); err != nil {
		t.Fatal(err)
	}
	c := must.Get(ReadCorpus(dir))(t)
	if linked := must.Get(ReadCorpus(link))(t); linked.Fingerprint() != c.Fingerprint() {
		t.Errorf("through a link: %+v", linked)
	}
	if !slices.Equal(c.Titles, []string{"a", "b.txt", "c/d"}) || c.Texts[0] != "first" || c.Name != "mnist" {
		t.Errorf("%+v", c)
	}
}

func TestCorporaThatAreNoneAreRefused(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"empty.txt":  nil,
		"blank.txt":  []byte("\n \n\t\n"),
		"binary.txt": []byte("a line\nanother\x00one\n"),
		"noise.txt":  []byte("line\n\x01\x02\x03\x04\xff\xfe"),
		"cut.gz":     gzipped(t, []byte(strings.Repeat("some text that is long enough ", 50)))[:40],
	})
	void := t.TempDir()
	pictures := folder(t, map[string][]byte{"a.txt": []byte("text"), "b.png": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")})
	for _, c := range []struct {
		path  string
		cause error
		want  []string
	}{
		{filepath.Join(dir, "nowhere"), fs.ErrNotExist, []string{"nowhere: does not exist", "one document in each line", "folder of text files"}},
		{filepath.Join(dir, "empty.txt"), ErrMalformed, []string{"empty.txt: no text", "one document in each line"}},
		{filepath.Join(dir, "blank.txt"), ErrMalformed, []string{"blank.txt: no text"}},
		{filepath.Join(dir, "binary.txt"), ErrMalformed, []string{"binary.txt:2: byte 14 of the file is 0x00", "no text"}},
		{filepath.Join(dir, "noise.txt"), ErrMalformed, []string{"noise.txt:2: byte 5 of the file is 0x01"}},
		{filepath.Join(dir, "cut.gz"), ErrMalformed, []string{"cut.gz: the gzip file ends early"}},
		{void, ErrMalformed, []string{void + ": no text"}},
		{pictures, ErrMalformed, []string{"b.png:3: byte 8 of the file is 0x00"}},
	} {
		_, err := ReadCorpus(c.path)
		if !errors.Is(err, c.cause) {
			t.Errorf("%s: error %v, want one of %v", c.path, err, c.cause)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: error %q lacks %q", c.path, err, w)
			}
		}
	}
}

func TestAFingerprintTellsTextsApart(t *testing.T) {
	c := Corpus{Titles: []string{"1", "2"}, Texts: []string{"a", "bc"}}
	other := Corpus{Titles: c.Titles, Texts: []string{"ab", "c"}}
	if c.Fingerprint() == other.Fingerprint() || len(c.Fingerprint()) != 64 {
		t.Error("the fingerprint is the same")
	}
}
