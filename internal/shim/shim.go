// Package shim makes the program that imports it the shim of the commands that it starts: called as one it is that and nothing else,
// before most of its packages have begun. Packages begin in the order of their paths, each once what it imports has (the Go
// specification, program initialization), and a shim needs few of them: it is there in half of the time, once for each command.
package shim

import (
	"os"

	"github.com/tarry-bo/tarry/internal/command"
)

// Word is the first argument of a program that is called as a shim; those of command.Shim follow.
const Word = "__run"

func init() {
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(command.Shim(os.Args[2:]))
	}
}
