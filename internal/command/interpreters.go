package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// interpreters are programs that take a script as an argument, by their names without a version. Their options of one letter may
// stand together, as in perl -lane.
var interpreters = map[string]struct {
	script string   // letters of the options that a script follows, in the same argument or in the next one
	value  string   // letters of those that another value follows: what is left of the argument is not options
	next   string   // which of these take the next argument where nothing is left
	long   []string // names of the options that a script follows
}{
	"perl":    {script: "eE", value: "CDFIMVimx", next: "I"},
	"python":  {script: "c", value: "QWXm", next: "QWX"},
	"ruby":    {script: "e", value: "CEFIKTWXirx", next: "CEIXr"},
	"node":    {script: "ep", value: "Cr", next: "Cr", long: []string{"--eval", "--print"}},
	"php":     {script: "BERr", value: "STcdftz", next: "STcdftz", long: []string{"--run", "--process-begin", "--process-code", "--process-end"}},
	"lua":     {script: "e", value: "l", next: "l"},
	"luajit":  {script: "e", value: "Objl", next: "l"},
	"julia":   {script: "Ee", value: "CHJLOgmpt", next: "CHJLpt", long: []string{"--eval", "--print"}},
	"Rscript": {script: "e"},
}

// scriptsOf returns which of the arguments of an interpreter hold a script. What follows the first that is no option belongs to the
// script of a file.
func scriptsOf(program string, args []string) (scripts []int) {
	spec, known := interpreters[strings.TrimRight(filepath.Base(program), "0123456789.")]
	for i := 0; known && i < len(args); i++ {
		arg := args[i]
		if arg == "--" || len(arg) < 2 || arg[0] != '-' {
			break
		}
		follows, value := false, ""
		if strings.HasPrefix(arg, "--") {
			name, _, _ := strings.Cut(arg, "=")
			follows, value = slices.Contains(spec.long, name), strings.TrimPrefix(arg, name)
		} else if at := strings.IndexAny(arg, spec.script+spec.value); at > 0 {
			follows, value = strings.IndexByte(spec.script, arg[at]) >= 0, arg[at+1:]
			if !follows && value == "" && strings.IndexByte(spec.next, arg[at]) >= 0 {
				i++
			}
		}
		if !follows {
			continue
		}
		if strings.Trim(value, spec.script) == "" { // node -pe is -p
			i++
		}
		if i < len(args) {
			scripts = append(scripts, i)
		}
	}
	return scripts
}
