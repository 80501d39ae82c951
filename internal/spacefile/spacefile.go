// Package spacefile reads the description of a search space that a user wrote, in JSON or in YAML:
//
//	{"parameters": [
//	  {"name": "lr", "type": "float", "low": 1e-5, "high": 1, "log": true},
//	  {"name": "layers", "type": "int", "low": 1, "high": 8},
//	  {"name": "dropout", "type": "float", "low": 0, "high": 0.5, "step": 0.05},
//	  {"name": "kind", "type": "categorical", "choices": ["adam", "sgd"]},
//	  {"name": "bias", "type": "bool"},
//	  {"name": "batch", "type": "ordered", "values": [16, 32, 64, 128]},
//	  {"name": "beta", "type": "float", "low": 0.8, "high": 1, "when": {"kind": "adam"}},
//	  {"name": "hour", "type": "float", "low": 0, "high": 24, "role": "context"},
//	  {"name": "epochs", "type": "ordered", "values": [1, 3, 9, 27], "role": "fidelity", "costs": [1, 3, 9, 27]}]}
//
// Every parameter has a name and a type; role is action unless given, or context, or fidelity. A float and an int have low and high,
// and may have log (false unless given) or a step: then the values are low, low + step, … and the last one that is at most
// high. Low and high may be the same number, which the parameter has always. A categorical has choices, which are texts,
// numbers or booleans, and what was written is the name of the choice: 1e-3 stays "1e-3". An ordered has values, numbers in
// any order, and is searched by their rank.
//
// A fidelity is a float, an int or an ordered, and one at most is among the parameters: an evaluation at a smaller value costs less and
// says less of what is wanted, which is judged at the greatest. It has costs, numbers > 0 in units of the user's: one for each value,
// in the order of the values, or some at values that are evenly spread from the least to the greatest, with straight lines between.
//
// With when, a parameter is active only where other parameters have one of some values: {"kind": "adam"}, {"kind": ["adam",
// "sgd"]}, {"bias": true}, {"layers": [2, 3]}, {"layers": {"at_least": 2}}; all that is asked must hold. The others are discrete,
// may stand anywhere in the file, and may be contexts. A parameter is inactive where one of them is.
//
// Where only some points can be had, such as the substances on a shelf, a file lists them, and nothing else is queried:
//
//	"points": [{"lr": 0.01, "kind": "sgd"}, {"lr": 0.1, "kind": "adam", "beta": 0.9}]
//
// Each has a value for each parameter with the role action that is active there, unless it is fixed. A point that is listed again counts once.
//
// Beside the parameters a file may name constraints, each a bound of something that is measured with every value:
//
//	"constraints": [{"name": "latency", "at_most": 0.2}, {"name": "recall", "at_least": 0.5}]
//
// and seeds, points that are known to hold them, for policies that begin there:
//
//	"seeds": [{"lr": 0.01, "layers": 2, "dropout": 0, "kind": "sgd", "bias": true, "batch": 32}]
//
// A seed has a value for each parameter that is active.
//
// Names are letters, digits, _, . and -, and begin with a letter or _: they become placeholders such as {lr} and
// environment variables, see EnvironmentName, and no two may become the same variable.
//
// Of YAML the plain part is understood: block and flow collections, plain and quoted scalars, comments, one document.
// Anchors, aliases, merge keys, tags, directives, ? keys and block text are refused by name. Plain scalars mean what
// YAML 1.2 says: yes, no, on and off are text. Numbers are decimal: 1e-5, 1.0e-5 and .5 are numbers; 1_000, 0x10 and
// 010, on which readers of YAML disagree, are not.
//
// A wrong file gets all its violations at once, each with its line and column, see Violations.
package spacefile

import (
	"fmt"
	"io"
	"os"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// MaxSize bounds a description, in bytes.
const MaxSize = 4 << 20

// Description is what a file says: the space, the constraints of what is measured in it, and points that are known to hold them.
type Description struct {
	Space       space.Space
	Constraints []outcome.Constraint
	Seeds       []space.Point
}

// Read returns what the file describes. Errors of the file system keep their cause (errors.Is with
// fs.ErrNotExist and the like); a wrong text is Violations. No path has a special meaning.
func Read(path string) (Description, error) {
	file, err := os.Open(path)
	if err != nil {
		return Description{}, fmt.Errorf("space file: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Description{}, fmt.Errorf("space file: %w", err)
	}
	if info.IsDir() {
		return Description{}, fmt.Errorf("space file: %s is a directory: want a file", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err != nil {
		return Description{}, fmt.Errorf("space file: %w", err)
	}
	return Parse(path, text)
}

// Parse returns what the text describes; name is what errors call the text. A text that is JSON is read as
// JSON, and so is every text whose name ends in .json; any other is read as YAML. The error is Violations.
//
// JSON takes linear time. YAML of a thousand parameters takes a tenth of a second; the time of nonsense, such as a run
// of < of a million characters, grows with its square.
func Parse(name string, text []byte) (Description, error) {
	c := &checker{file: name}
	var d Description
	if clean, ok := c.clean(text); ok {
		if root, ok := c.tree(clean); ok {
			d = c.description(root)
		}
	}
	if len(c.found) > 0 {
		return Description{}, c.found.sorted()
	}
	return d, nil
}
