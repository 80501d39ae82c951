package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tarry-bo/tarry/internal/must"
)

// taskLine returns a line of a task file: six columns of the configuration and 22 meta-features that are all alike.
func taskLine(accuracy, config, meta string) string {
	return accuracy + strings.Repeat(" "+config, taskConfig) + strings.Repeat(" "+meta, taskMeta) + "\n"
}

// tempFolder writes files, given as names and contents, into a new folder and returns its path.
func tempFolder(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(files[i+1]), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadTasksReadsEveryFile(t *testing.T) {
	dir := tempFolder(t,
		"wine", taskLine("0.25", "1", "0.5")+taskLine("1", "-0.75", "0.5"),
		"A9A", "\ufeff"+strings.ReplaceAll(taskLine("6.2E-4", "1.0", "3"), " ", "\t")+"\r\n"+taskLine(" 0", "-7.5e-1", "3.0")+"\n",
		".hidden", "x", "README.md", "x", "readme", "x", "folder/file", "x")
	tasks, err := ReadTasks(dir)
	if err != nil || len(tasks) != 2 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	for i, want := range []struct {
		name     string
		accuracy []float64
		meta     float64
	}{{"A9A", []float64{6.2e-4, 0}, 3}, {"wine", []float64{0.25, 1}, 0.5}} {
		got := tasks[i]
		if got.Name != want.name || !slices.Equal(got.Accuracy, want.accuracy) || !slices.Equal(got.Meta, slices.Repeat([]float64{want.meta}, 22)) {
			t.Errorf("task %d is %+v", i, got)
		}
		if len(got.Configs) != 2 || !slices.Equal(got.Configs[0], slices.Repeat([]float64{1}, 6)) || !slices.Equal(got.Configs[1], slices.Repeat([]float64{-0.75}, 6)) {
			t.Errorf("task %d has configurations %v", i, got.Configs)
		}
	}
}

func TestColumnsOfATaskKeepTheirPlaces(t *testing.T) {
	var line strings.Builder
	line.WriteString("0.5")
	for i := 1; i < taskColumns; i++ {
		fmt.Fprintf(&line, " %d", i)
	}
	tasks := must.Get(ReadTasks(tempFolder(t, "a", line.String()+"\n"+line.String())))(t)
	if config := tasks[0].Configs[0]; !slices.Equal(config, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("configuration %v", config)
	}
	if meta := tasks[0].Meta; len(meta) != 22 || meta[0] != 7 || meta[21] != 28 {
		t.Errorf("meta-features %v", meta)
	}
}

func TestMalformedTasksNameFileAndLine(t *testing.T) {
	good := taskLine("0.5", "1", "2") + taskLine("0.5", "3", "2")
	for _, tc := range []struct{ text, want string }{
		{"", "FILE:1: end of file after 0 configurations, want at least 2"},
		{taskLine("0.5", "1", "2"), "FILE:2: end of file after 1 configurations, want at least 2"},
		{"0.5 1 2\n", "FILE:1: 3 columns, want 29 (accuracy, 6 of the configuration, 22 meta-features)"},
		{"\n" + strings.TrimSuffix(good, "\n") + " 7\n", "FILE:3: 30 columns, want 29 (accuracy, 6 of the configuration, 22 meta-features)"},
		{taskLine("high", "1", "2"), `FILE:1: column 1 is "high", want a finite number`},
		{taskLine("0.5", "1", "NaN"), `FILE:1: column 8 is "NaN", want a finite number`},
		{taskLine("0.5", "-inf", "2"), `FILE:1: column 2 is "-inf", want a finite number`},
		{taskLine("75.2", "1", "2"), `FILE:1: column 1 is "75.2", want an accuracy from 0 to 1`},
		{taskLine("-0.1", "1", "2"), `FILE:1: column 1 is "-0.1", want an accuracy from 0 to 1`},
		{taskLine("0.5", "1", "2") + taskLine("0.5", "3", "4"), "FILE:2: column 8 is 4, want 2 as in the lines before"},
		{strings.Replace(good, "1 1 1 1 1 1", "1 1 1 8 1 1", 1), "FILE:1: column 5 is 8, want 1 as for configuration 1 in FIRST"},
		{"\n" + good[:len(good)-1] + taskLine("", "5", "2"), "FILE:3: 57 columns, want 29 (accuracy, 6 of the configuration, 22 meta-features)"},
		{good + taskLine("0.5", "5", "2"), "FILE:4: end of file after 3 configurations, want 4 as in FIRST"},
		{good + taskLine("0.5", "5", "2") + taskLine("0.5", "7", "2") + taskLine("0.5", "9", "2"), "FILE:5: configuration 5, want 4 as in FIRST"},
		{strings.Repeat("1", maxLine+1), "FILE:1: longer than 1048576 bytes"},
	} {
		dir := tempFolder(t, "first", good+taskLine("0.5", "5", "2")+taskLine("0.5", "7", "2"), "second", tc.text)
		tasks, err := ReadTasks(dir)
		wantFault(t, err, filepath.Join(dir, "second"), strings.ReplaceAll(tc.want, "FIRST", filepath.Join(dir, "first")), ErrMalformed)
		if tasks != nil {
			t.Errorf("tasks came with %v", err)
		}
	}
}

func TestTasksHaveLimits(t *testing.T) {
	rows := strings.Repeat(taskLine("1", "1", "1"), maxTaskRows)
	if tasks, err := ReadTasks(tempFolder(t, "a", rows)); err != nil || len(tasks[0].Configs) != maxTaskRows {
		t.Errorf("the longest file: %v", err)
	}
	dir := tempFolder(t, "a", rows+taskLine("1", "1", "1"))
	_, err := ReadTasks(dir)
	wantFault(t, err, filepath.Join(dir, "a"), "FILE:10001: configuration 10001, want at most 10000", ErrMalformed)

	var files []string
	for i := range maxTasks {
		files = append(files, fmt.Sprint(i), taskLine("1", "1", "1")+taskLine("1", "1", "1"))
	}
	dir = tempFolder(t, append(files, "README", "")...)
	if tasks, err := ReadTasks(dir); err != nil || len(tasks) != maxTasks {
		t.Errorf("the fullest folder: %d tasks, %v", len(tasks), err)
	}
	if err := os.Rename(filepath.Join(dir, "README"), filepath.Join(dir, "one more")); err != nil {
		t.Fatal(err)
	}
	_, err = ReadTasks(dir)
	wantFault(t, err, dir, "FILE: more than 1000 files, want a folder with one file for each task", ErrMalformed)
}

func TestFoldersThatAreNoneSayWhatTheyAre(t *testing.T) {
	dir := tempFolder(t, "README", "", ".git", "", "folder/a", "")
	_, err := ReadTasks(dir)
	wantFault(t, err, dir, "FILE: no files, want a folder with one file for each task", ErrMalformed)
	path := filepath.Join(dir, "README")
	_, err = ReadTasks(path)
	wantFault(t, err, path, "FILE: is not a folder, want a folder with one file for each task", fs.ErrInvalid)
	path = filepath.Join(dir, "tst")
	_, err = ReadTasks(path)
	wantFault(t, err, path, "FILE: does not exist, want a folder with one file for each task", fs.ErrNotExist)
	if err := os.Symlink("nowhere", path); err != nil {
		t.Skip("needs symbolic links: ", err)
	}
	_, err = ReadTasks(dir)
	wantFault(t, err, path, "FILE: does not exist, want a folder with one file for each task", fs.ErrNotExist)
}

func TestErrorsWhileATaskIsReadComeThrough(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(taskLine("1", "1", "1")), iotest.ErrReader(io.ErrClosedPipe))
	_, err := parseTask(broken, "dir", "a", Task{})
	wantFault(t, err, filepath.Join("dir", "a"), "FILE:2: io: read/write on closed pipe", io.ErrClosedPipe)
}

func TestTheRealTasksAreWhole(t *testing.T) {
	tasks := must.Get(ReadTasks(realFile(t, "tst-svm")))(t)
	if len(tasks) != 50 || tasks[0].Name != "A9A" || tasks[49].Name != "yeast" {
		t.Fatalf("%d tasks, the first is %s", len(tasks), tasks[0].Name)
	}
	for _, task := range tasks {
		var kernels [3]int
		for _, config := range task.Configs {
			kernels[slices.Index(config[:3], 1)]++
		}
		// Twelve penalties; the kernel that the first column stands for has 14 widths, that of the second nine degrees.
		if want := [3]int{12 * 14, 12 * 9, 12}; kernels != want || len(task.Accuracy) != 288 || len(task.Meta) != 22 {
			t.Errorf("%s: %v RBF, polynomial and linear kernels, want %v", task.Name, kernels, want)
		}
	}
}

// Whatever the bytes are, the reader returns a sound task or says which line is wrong.
func FuzzParseTask(f *testing.F) {
	good := taskLine("0.5", "1", "2") + taskLine("0.5", "3", "2")
	for _, seed := range []string{"", good, "\n\r\n" + good[1:], strings.ReplaceAll(good, " ", "\t"), strings.ReplaceAll(good, "3", "1")} {
		f.Add([]byte(seed))
	}
	first := must.Get(parseTask(strings.NewReader(good), "dir", "first", Task{}))(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, like := range []Task{{}, first} {
			task, err := parseTask(bytes.NewReader(text), "dir", "fuzz", like)
			if err != nil {
				if !errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), filepath.Join("dir", "fuzz")+":") {
					t.Fatalf("error %q does not name the line", err)
				}
				continue
			}
			if len(task.Configs) < 2 || len(task.Accuracy) != len(task.Configs) || len(task.Meta) != taskMeta || slices.ContainsFunc(task.Meta, notFinite) {
				t.Fatalf("%+v", task)
			}
			if like.Configs != nil && !slices.EqualFunc(task.Configs, like.Configs, slices.Equal) {
				t.Fatalf("configurations %v", task.Configs)
			}
		}
	})
}

func TestFingerprintIsTheStandardSum(t *testing.T) {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-4, example B.1
	if sum, err := Fingerprint(tempFile(t, "a", "abc")); err != nil || sum != abc {
		t.Errorf("file: %s, %v", sum, err)
	}
	// { printf 'a\0'; printf abc | sha256sum | cut -c1-64 | xxd -r -p; printf 'b.txt\0'; ... } | sha256sum
	const folder = "16445acb2bb712cdef310751c515704dff8ee186bfb43908a560c29d5fc09837"
	if sum, err := Fingerprint(tempFolder(t, "b.txt", "", "a", "abc")); err != nil || sum != folder {
		t.Errorf("folder: %s, %v", sum, err)
	}
}

func TestFingerprintsTellFoldersApart(t *testing.T) {
	print := func(files ...string) string {
		sum, err := Fingerprint(tempFolder(t, files...))
		if err != nil || len(sum) != 64 {
			t.Errorf("%q: %s, %v", files, sum, err)
		}
		return sum
	}
	base := print("a", "one", "b", "two")
	for name, files := range map[string][]string{
		"another order":   {"b", "two", "a", "one"},
		"a hidden file":   {"a", "one", "b", "two", ".c", "three"},
		"a folder inside": {"a", "one", "b", "two", "c/d", "three"},
	} {
		if print(files...) != base {
			t.Errorf("%s changes the sum", name)
		}
	}
	for name, files := range map[string][]string{
		"another name":      {"a", "one", "c", "two"},
		"another content":   {"a", "one", "b", "too"},
		"contents changed":  {"a", "two", "b", "one"},
		"a moved border":    {"a", "onet", "b", "wo"},
		"a file less":       {"a", "one"},
		"a file more":       {"a", "one", "b", "two", "README", ""},
		"all in one":        {"a", "oneb\x00two"},
		"upper case letter": {"A", "one", "b", "two"},
	} {
		if print(files...) == base {
			t.Errorf("%s does not change the sum", name)
		}
	}
}

func TestFingerprintRefusesWhatHasNoContent(t *testing.T) {
	dir := tempFolder(t, ".hidden", "", "folder/a", "")
	sum, err := Fingerprint(dir)
	wantFault(t, err, dir, "FILE: no files, want a file, or a folder with files", ErrMalformed)
	missing := filepath.Join(dir, "b")
	_, err = Fingerprint(missing)
	wantFault(t, err, missing, "FILE: does not exist, want a file, or a folder with files", fs.ErrNotExist)
	_, err = Fingerprint(os.DevNull)
	wantFault(t, err, os.DevNull, "FILE: is not a regular file, want a file, or a folder with files", fs.ErrInvalid)
	if sum != "" {
		t.Errorf("%q came with the error", sum)
	}
}
