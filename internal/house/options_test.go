package house

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ambiguous are names of options that other things have too, so that counting them says nothing.
var ambiguous = []string{"Space", "Traits", "Seed", "Budget", "Model", "Range", "Pending", "Constraints"}

// others are the files besides options.go of the root that name an option, and why.
var others = map[string]struct {
	files []string
	why   string
}{
	"Minimize":   {[]string{"cmd/tarry/asktell.go", "cmd/tarry/inspectjson.go", "cmd/tarry/inspectplot.go", "cmd/tarry/inspectstudy.go", "cmd/tarry/learn.go", "cmd/tarry/learnfrom.go", "cmd/tarry/tune.go", "earlier.go", "internal/asktell/answer.go", "internal/asktell/ask.go", "journal/codecheader.go", "optimize.go", "result.go", "resultjson.go"}, "it says what is good wherever values are shown"},
	"Initial":    {[]string{"cmd/tarry/inspectjson.go", "cmd/tarry/inspectstudy.go"}, "inspect shows it"},
	"BudgetCost": {[]string{"cmd/tarry/agrees.go", "cmd/tarry/asktell.go", "cmd/tarry/crewbudget.go", "cmd/tarry/fidelities.go", "cmd/tarry/inspectjson.go", "cmd/tarry/inspectplot.go", "cmd/tarry/inspectstudy.go", "cmd/tarry/live.go", "cmd/tarry/progress.go", "cmd/tarry/resume.go", "cmd/tarry/tune.go", "internal/asktell/answer.go", "internal/asktell/ask.go", "result.go", "resultjson.go", "resume.go", "startorresume.go"}, "a study goes on with another one, and it is shown beside what was spent"},
	"Design":     {[]string{"tarry.go"}, "its type has a name at the root"},
	"Window":     {[]string{"tarry.go"}, "its type has a name at the root"},
	"Timeout":    {[]string{"cmd/tarry/resume.go", "cmd/tarry/tune.go"}, "progress knows how long an attempt may take"},
	"Exclusive":  {[]string{"cmd/tarry/tune.go", "startorresume.go", "study.go"}, "a command has its worker for itself, and a Study has no workers"},
	"Seeds":      {[]string{"cmd/tarry/agrees.go", "cmd/tarry/asktell.go", "cmd/tarry/flags.go", "cmd/tarry/tune.go"}, "they come with the space file, by whose words errors name them"},
	"Learned":    {[]string{"cmd/tarry/asktell.go", "cmd/tarry/flags.go", "cmd/tarry/inspectlearned.go", "cmd/tarry/learned.go", "cmd/tarry/live.go", "cmd/tarry/resume.go", "cmd/tarry/task.go", "cmd/tarry/tune.go", "journal/codecheader.go", "result.go", "tarry.go"}, "it is a file, which is written again when the study has ended, and has a form of its own"},
	"Earlier":    {[]string{"cmd/tarry/asktell.go", "cmd/tarry/flags.go", "cmd/tarry/learnfrom.go", "cmd/tarry/tune.go", "earlier.go", "journal/codecheader.go", "tarry.go"}, "it comes from other studies"},
	"Taught":     {[]string{"cmd/tarry/agrees.go", "cmd/tarry/asktell.go", "cmd/tarry/flags.go", "cmd/tarry/tune.go"}, "it is a file"},
	"Prior":      {[]string{"cmd/tarry/asktell.go", "cmd/tarry/flags.go", "cmd/tarry/prior.go", "cmd/tarry/tune.go", "journal/codecheader.go", "learnprior.go", "tarry.go"}, "it is a file, and has a form of its own"},
	"FitBeside":  {[]string{"study.go"}, "whoever asks and tells in turn waits for a fit"},
}

// An option of the study is a field and a line of the table in loop, and a field of Options: header, fingerprint, flags and
// Resume follow. Whoever acts upon it names it besides.
func TestAnOptionIsStatedOnce(t *testing.T) {
	all := sources(t)
	options := configFields(all)
	if len(options) < 19 {
		t.Fatalf("found only %v", options)
	}
	for _, option := range options {
		if slices.Contains(ambiguous, option) {
			continue
		}
		var places []string
		for _, s := range all {
			if path := filepath.ToSlash(s.path); path != "options.go" && slices.Contains([]string{"", "journal", "journal/sqlite", "internal/asktell", "cmd/tarry"}, s.room) && names(s.file, option) {
				places = append(places, path)
			}
		}
		slices.Sort(places)
		if want := others[option].files; !slices.Equal(places, want) {
			t.Errorf("%s is named in %v, want %v", option, places, want)
		}
	}
}

// configFields are the fields of loop.Config.
func configFields(all []source) (fields []string) {
	for _, s := range all {
		if filepath.ToSlash(s.path) != "loop/config.go" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.Name == "Config" {
				for _, f := range spec.Type.(*ast.StructType).Fields.List {
					for _, name := range f.Names {
						fields = append(fields, name.Name)
					}
				}
			}
			return true
		})
	}
	return fields
}

// names reports whether the code of a file names a field, on its own or in a text as Options.Name.
func names(file *ast.File, field string) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Name == field
		case *ast.BasicLit:
			found = found || strings.Contains(n.Value, "Options."+field)
		}
		return true
	})
	return found
}
