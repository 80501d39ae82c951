package data

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Task is what a grid search found on one data set: the accuracy of every configuration of a model.
type Task struct {
	Name     string
	Configs  [][]float64 // configurations x 6, the same in every task
	Accuracy []float64   // of each configuration, in [0, 1]
	Meta     []float64   // 22 meta-features of the data set, the same for every configuration
}

// The format and the limits of ReadTasks.
const (
	taskConfig  = 6
	taskMeta    = 22
	taskColumns = 1 + taskConfig + taskMeta
	maxTasks    = 1000
	maxTaskRows = 10_000
)

// ReadTasks reads a folder of tasks in the format of Wistuba et al. 2015: one file for each task, which is called like
// it; one line for each configuration, of 29 numbers separated by white space: the accuracy, six columns of the
// configuration, 22 meta-features of the task. The tasks are sorted by name. Hidden files, files called README with
// whatever follows, and folders are ignored, as are blank lines.
//
// It refuses accuracies outside of [0, 1] and other values that are not finite, meta-features that change within a
// file, files that have not the same configurations in the same order, fewer than two configurations, and more than
// 1000 files, 10000 configurations, a megabyte in a line or 256 megabytes in a file. Errors are those of ReadTable.
func ReadTasks(dir string) ([]Task, error) {
	const want = "a folder with one file for each task"
	names, err := regularFiles(dir, want)
	if err != nil {
		return nil, err
	}
	var tasks []Task
	for _, name := range names {
		if strings.HasPrefix(strings.ToUpper(name), "README") {
			continue
		}
		if len(tasks) == maxTasks {
			return nil, &fileFault{fmt.Sprintf("%s: more than %d files, want %s", dir, maxTasks, want), ErrMalformed}
		}
		task, err := readTask(dir, name, tasks)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		return nil, &fileFault{fmt.Sprintf("%s: no files, want %s", dir, want), ErrMalformed}
	}
	return tasks, nil
}

// readTask reads one file. Its configurations must be those of the first of the tasks before.
func readTask(dir, name string, before []Task) (Task, error) {
	path := filepath.Join(dir, name)
	file, err := openRegular(path, "a file of lines of numbers", maxTextFile)
	if err != nil {
		return Task{}, err
	}
	defer file.Close()
	var first Task
	if len(before) > 0 {
		first = before[0]
	}
	return parseTask(file, dir, name, first)
}

// parseTask reads the content of a file. Its configurations must be those of first, unless first is the zero Task.
func parseTask(r io.Reader, dir, name string, first Task) (Task, error) {
	path, task, line := filepath.Join(dir, name), Task{Name: name}, 0
	lines := bufio.NewScanner(withoutMark(r))
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	for lines.Scan() {
		line++
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if len(task.Configs) == maxTaskRows {
			return Task{}, malformedLine(path, line, "configuration %d, want at most %d", maxTaskRows+1, maxTaskRows)
		}
		if err := task.add(fields, first, filepath.Join(dir, first.Name)); err != nil {
			return Task{}, malformedLine(path, line, "%v", err)
		}
	}
	line++
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Task{}, malformedLine(path, line, "longer than %d bytes", maxLine)
	case err != nil:
		return Task{}, fmt.Errorf("%s:%d: %w", path, line, err)
	case len(task.Configs) < 2:
		return Task{}, malformedLine(path, line, "end of file after %d configurations, want at least 2", len(task.Configs))
	case len(task.Configs) < len(first.Configs):
		return Task{}, malformedLine(path, line, "end of file after %d configurations, want %d as in %s",
			len(task.Configs), len(first.Configs), filepath.Join(dir, first.Name))
	}
	return task, nil
}

// add appends a line. What it says is wrong lacks the file and the line.
func (t *Task) add(fields []string, first Task, firstPath string) error {
	if len(fields) != taskColumns {
		return fmt.Errorf("%d columns, want %d (accuracy, %d of the configuration, %d meta-features)",
			len(fields), taskColumns, taskConfig, taskMeta)
	}
	values := make([]float64, taskColumns)
	for i, text := range fields {
		v, ok := finiteNumber(text)
		if !ok {
			return fmt.Errorf("column %d is %.40q, want a finite number", i+1, text)
		}
		values[i] = v
	}
	if values[0] < 0 || values[0] > 1 {
		return fmt.Errorf("column 1 is %.40q, want an accuracy from 0 to 1", fields[0])
	}
	row, config, meta := len(t.Configs), slices.Clone(values[1:1+taskConfig]), values[1+taskConfig:]
	if first.Configs != nil && row == len(first.Configs) {
		return fmt.Errorf("configuration %d, want %d as in %s", row+1, row, firstPath)
	}
	for i, v := range config {
		if first.Configs != nil && v != first.Configs[row][i] {
			return fmt.Errorf("column %d is %v, want %v as for configuration %d in %s", i+2, v, first.Configs[row][i], row+1, firstPath)
		}
	}
	if row == 0 {
		t.Meta = meta
	}
	for i, v := range meta {
		if v != t.Meta[i] {
			return fmt.Errorf("column %d is %v, want %v as in the lines before", i+2+taskConfig, v, t.Meta[i])
		}
	}
	t.Configs, t.Accuracy = append(t.Configs, config), append(t.Accuracy, values[0])
	return nil
}

// Fingerprint returns 64 hexadecimal digits that tell data apart: of a file, the SHA-256 of its content, as sha256sum
// prints it; of a folder, the SHA-256 over the name and the content of each file in it, sorted by name. Of the entries
// of a folder, only regular files and links to them count, and not those whose names begin with a dot; folders in it
// do not. Neither do times, permissions and the folder's own name. Errors are those of ReadTable, also for a folder
// without files. The files are read once, in constant memory.
func Fingerprint(path string) (string, error) {
	const want = "a file, or a folder with files"
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		sum, err := contentSum(path, want)
		return hex.EncodeToString(sum), err
	}
	names, err := regularFiles(path, want)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", &fileFault{fmt.Sprintf("%s: no files, want %s", path, want), ErrMalformed}
	}
	whole := sha256.New()
	for _, name := range names {
		sum, err := contentSum(filepath.Join(path, name), want)
		if err != nil {
			return "", err
		}
		// A name ends where the zero stands, and a sum has one length: no two folders give the same bytes.
		whole.Write(append([]byte(name), 0))
		whole.Write(sum)
	}
	return hex.EncodeToString(whole.Sum(nil)), nil
}

// contentSum returns the SHA-256 of a file.
func contentSum(path, want string) ([]byte, error) {
	file, err := openRegular(path, want, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, err
	}
	return sum.Sum(nil), nil
}

// regularFiles returns the names of the files of a folder that are not hidden, sorted; links to files are among them.
func regularFiles(dir, want string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, statFault(dir, want, err)
	}
	if !info.IsDir() {
		return nil, &fileFault{fmt.Sprintf("%s: is not a folder, want %s", dir, want), fs.ErrInvalid}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, statFault(dir, want, err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err != nil {
			return nil, statFault(path, want, err)
		}
		if info.Mode().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}
