package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fuzzFunction = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	fuzzCommand  = regexp.MustCompile(`(?m)^\tgo test \./(\S+) .*-fuzz (\S+) `)
)

// Every fuzz function is one command of `make fuzz`, in its room and by its whole name, and every such command has its function.
func TestEveryFuzzFunctionIsInTheMakefile(t *testing.T) {
	root := filepath.Join("..", "..")
	var there []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		room, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range fuzzFunction.FindAllStringSubmatch(string(text), -1) {
			there = append(there, filepath.ToSlash(room)+" '^"+m[1]+"$$'")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, target, found := strings.Cut(read(t, "Makefile"), "\nfuzz:")
	if !found || len(there) == 0 {
		t.Fatalf("make fuzz is there: %v; %d fuzz functions", found, len(there))
	}
	target, _, _ = strings.Cut(target, "\n\n")
	var listed []string
	for _, m := range fuzzCommand.FindAllStringSubmatch(target, -1) {
		listed = append(listed, m[1]+" "+m[2])
	}
	if commands := strings.Count(target, "go test "); commands != len(listed) {
		t.Errorf("make fuzz has %d commands, of which %d name a room and a function", commands, len(listed))
	}
	for _, one := range there {
		if n := strings.Count(strings.Join(listed, "\n")+"\n", one+"\n"); n != 1 {
			t.Errorf("make fuzz has %d commands for %s: want one", n, one)
		}
	}
	for _, one := range listed {
		if !slices.Contains(there, one) {
			t.Errorf("make fuzz names %s: there is no such function in the room", one)
		}
	}
}
