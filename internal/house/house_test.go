// Package house holds the rules of the house as tests: who may import whom, what the core must not call, and how large
// a file may grow.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tarry-bo/tarry"

// room is one row of the import table.
type room struct {
	rank  int
	ours  []string // rooms it may import; "<n" stands for every room of a lower rank
	third []string // prefixes of modules of others
}

// table is the import table of ARCHITECTURE.md. Imports point down only.
var table = map[string]room{
	"internal/check":       {rank: 0},
	"internal/option":      {rank: 0, ours: []string{"internal/check"}},
	"internal/rng":         {rank: 0},
	"internal/stat":        {rank: 0, third: []string{"gonum.org/v1/gonum"}},
	"internal/state":       {rank: 0},
	"internal/maturity":    {rank: 0, third: []string{"gonum.org/v1/gonum"}},
	"internal/must":        {rank: 0},
	"internal/detour":      {rank: 0},
	"outcome":              {rank: 0, ours: []string{"internal/check"}},
	"internal/lbfgs":       {rank: 0, third: []string{"gonum.org/v1/gonum"}},
	"internal/network":     {rank: 0, third: []string{"gonum.org/v1/gonum"}},
	"internal/chart":       {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/plot"}},
	"space":                {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"delay":                {rank: 2, ours: []string{"<1", "space"}, third: []string{"gonum.org/v1/gonum"}},
	"sim/functions":        {rank: 1, ours: []string{"<1"}},
	"sim/fidelity":         {rank: 2, ours: []string{"<1", "space", "sim/functions"}, third: []string{"gonum.org/v1/gonum"}},
	"workers":              {rank: 3, ours: []string{"<1", "space", "delay"}},
	"surrogate":            {rank: 2, ours: []string{"<1", "space"}, third: []string{"gonum.org/v1/gonum", "gonum.org/v1/netlib"}},
	"internal/spacefile":   {rank: 2, ours: []string{"<1", "space"}, third: []string{"github.com/goccy/go-yaml"}},
	"internal/command":     {rank: 2, ours: []string{"<1", "space"}, third: []string{"golang.org/x/sys", "github.com/gofrs/flock"}},
	"feedback":             {rank: 1, ours: []string{"<1"}},
	"safety":               {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/survival":    {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/buffer":      {rank: 2, ours: []string{"<1", "feedback"}},
	"internal/alike":       {rank: 3, ours: []string{"<1", "space", "surrogate"}},
	"model":                {rank: 3, ours: []string{"<1", "space", "surrogate", "feedback", "internal/buffer", "internal/particles"}},
	"internal/calibration": {rank: 3, ours: []string{"<1", "space"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/particles":   {rank: 3, ours: []string{"<1", "space", "surrogate"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/meta":        {rank: 4, ours: []string{"<1", "bandit", "space", "surrogate", "internal/particles"}, third: []string{"gonum.org/v1/gonum"}},
	"acquisition":          {rank: 3, ours: []string{"<1", "space", "surrogate", "internal/calibration"}, third: []string{"gonum.org/v1/gonum"}},
	"bandit":               {rank: 2, ours: []string{"<1", "space"}, third: []string{"gonum.org/v1/gonum"}},
	"policies":             {rank: 4, ours: []string{"<1", "bandit", "space", "surrogate", "feedback", "safety", "internal/calibration", "acquisition", "model"}, third: []string{"gonum.org/v1/gonum"}},
	"loop":                 {rank: 5, ours: []string{"<1", "bandit", "space", "surrogate", "feedback", "safety", "internal/survival", "internal/meta", "model", "policies"}, third: []string{"gonum.org/v1/gonum"}},
	"journal":              {rank: 6, ours: []string{"<1", "bandit", "space", "feedback", "policies", "loop"}},
	"journal/sqlite":       {rank: 7, ours: []string{"<1", "loop", "journal"}, third: []string{"modernc.org/sqlite", "github.com/gofrs/flock"}},
	"journal/jetstream":    {rank: 7, ours: []string{"<1", "loop", "journal", "journal/sqlite"}, third: []string{"github.com/nats-io/nats.go"}},
	"internal/figures":     {rank: 7, ours: []string{"<7"}, third: []string{"gonum.org/v1/plot"}},
	"internal/hindsight":   {rank: 7, ours: []string{"<7"}, third: []string{"gonum.org/v1/gonum"}},
	"sim":                  {rank: 7, ours: []string{"<7"}, third: []string{"gonum.org/v1/gonum"}},
	"actors": {rank: 7, ours: []string{"<1", "space", "workers", "policies", "loop", "journal"}, third: []string{
		"github.com/asynkron/protoactor-go", "go.uber.org/zap", "go.opentelemetry.io/otel",
	}},
	"policies/policytest": {rank: 8, ours: []string{"<8"}},
	"": {rank: 8, ours: []string{"<1", "bandit", "space", "workers", "feedback", "policies", "loop", "journal", "actors"}, third: []string{
		"go.uber.org/zap", "go.opentelemetry.io/otel",
	}},
	"remote": {rank: 9, ours: []string{"<1", "space", "workers", "loop", "journal", "actors", ""}, third: []string{
		"github.com/nats-io/nats.go", "go.uber.org/zap", "go.opentelemetry.io/otel",
	}},
	"internal/portrait": {rank: 8, ours: []string{"<1", "space", "loop", "journal", "internal/chart", "internal/figures", "internal/hindsight"}},
	"internal/cluster": {rank: 9, ours: []string{"<1"}, third: []string{
		"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/nats-io/nkeys", "go.uber.org/zap",
	}},
	"internal/asktell": {rank: 9, ours: []string{"<1", "space", "loop", ""}},
	"internal/serve": {rank: 10, ours: []string{"<1", "internal/spacefile", "loop", "journal", "journal/sqlite", "", "internal/asktell", "internal/portrait", "internal/cluster"}, third: []string{
		"github.com/gofrs/flock", "github.com/prometheus/client_golang/prometheus", "go.opentelemetry.io/otel",
	}},
	"internal/shim": {rank: 10, ours: []string{"internal/command"}}, // for cmd/tarry alone: whoever imports it may become one
	"cmd/tarry": {rank: 11, ours: []string{"<11"}, third: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/dustin/go-humanize", "github.com/jedib0t/go-pretty", "github.com/vbauerster/mpb", "gonum.org/v1/plot", "github.com/nats-io/nats.go", "go.uber.org/zap", "github.com/gofrs/flock", "go.opentelemetry.io/otel",
	}},

	// The laboratory, which no room above imports: TestTheProductDoesNotKnowTheLaboratory.
	"internal/lab/learn":               {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/lab/data":                {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/lab/topics":              {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/lab/langevin":            {rank: 1, ours: []string{"<1"}, third: []string{"gonum.org/v1/gonum"}},
	"internal/lab/hostile":             {rank: 2, ours: []string{"<1", "space"}},
	"internal/lab/study":               {rank: 8, ours: []string{"<8"}},
	"internal/lab/classifiers":         {rank: 8, ours: []string{"<8"}},
	"internal/lab/experiment":          {rank: 8, ours: []string{"<8", "internal/lab/classifiers"}, third: []string{"github.com/gofrs/flock", "gonum.org/v1/gonum/floats"}},
	"internal/lab/console":             {rank: 8, ours: []string{"<8"}, third: []string{"github.com/jedib0t/go-pretty", "github.com/vbauerster/mpb"}},
	"internal/lab/console/consoletest": {rank: 9, ours: []string{"<9"}},
	"internal/lab/claims":              {rank: 9, ours: []string{"<9"}, third: []string{"github.com/goccy/go-yaml", "github.com/jedib0t/go-pretty"}},
	"internal/lab/bench":               {rank: 9, ours: []string{"<9"}, third: []string{"github.com/jedib0t/go-pretty", "gonum.org/v1/plot"}},
	"internal/lab/soak":                {rank: 9, ours: []string{"<9"}, third: []string{"github.com/jedib0t/go-pretty"}},
	"internal/lab/comparison":          {rank: 9, ours: []string{"<9"}, third: []string{"github.com/jedib0t/go-pretty"}},
	"internal/lab/tournament":          {rank: 9, ours: []string{"<9"}, third: []string{"github.com/jedib0t/go-pretty"}},
	"internal/lab/tuning": {rank: 9, ours: []string{"<9"}, third: []string{
		"gonum.org/v1/plot", "github.com/jedib0t/go-pretty", "github.com/vbauerster/mpb", "go.uber.org/zap",
	}},
	"cmd/demo": {rank: 10, ours: []string{"<10"}, third: []string{"github.com/jedib0t/go-pretty"}},
}

// core are the rooms that must be pure and deterministic.
var core = []string{
	"internal/check", "internal/option", "internal/rng", "internal/state", "internal/maturity", "outcome", "internal/lbfgs", "internal/network", "internal/lab/hostile", "internal/lab/langevin", "internal/lab/topics", "space", "delay", "surrogate", "feedback", "safety", "internal/survival", "internal/buffer", "internal/calibration", "internal/particles", "internal/meta", "acquisition", "model", "bandit", "policies", "loop",
}

// banned are packages that the core must not import, and functions that it must not use.
var (
	bannedImports = []string{"sync", "os", "net", "log", "math/rand", "go.uber.org/zap", "github.com/asynkron", "io/fs", "bufio", "context"}
	bannedUses    = map[string][]string{
		"time":         {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
		"fmt":          {"Print", "Println", "Printf"},
		"maps":         {"Keys", "Values", "All"}, // in no order
		"math/rand/v2": {"Int", "IntN", "Int32", "Int32N", "Int64", "Int64N", "Uint", "UintN", "Uint32", "Uint32N", "Uint64", "Uint64N", "Float32", "Float64", "NormFloat64", "ExpFloat64", "Perm", "Shuffle", "N"},
	}
)

const (
	maxFileLines     = 400
	maxFunctionLines = 70
	maxDoorLines     = 1000 // of cmd/demo in all
)

// source is one parsed file that is not a test.
type source struct {
	path, room string
	file       *ast.File
	set        *token.FileSet
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || moduleOfItsOwn(root, path) || (strings.HasPrefix(name, ".") && name != ".." && name != ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		out = append(out, source{rel, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(rel)), "."), file, set})
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("reading the house: %v, %d files", err, len(out))
	}
	return out
}

// moduleOfItsOwn reports whether a folder below the root is another module, such as that of the tools and an example.
func moduleOfItsOwn(root, path string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil && path != root
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		r, listed := table[s.room]
		if !listed {
			t.Errorf("%s: room %s is not in the import table", s.path, s.room)
			continue
		}
		for _, spec := range s.file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if why := r.refuses(path); why != "" {
				t.Errorf("%s imports %s: %s", s.path, path, why)
			}
		}
	}
}

func (r room) refuses(path string) string {
	if ours, ok := strings.CutPrefix(path, module); ok {
		ours = strings.TrimPrefix(ours, "/")
		target, listed := table[ours]
		switch {
		case !listed:
			return "not in the import table"
		case slices.Contains(r.ours, ours), slices.Contains(r.ours, "<"+strconv.Itoa(target.rank+1)):
			return ""
		}
		for _, allowed := range r.ours {
			if below, ok := strings.CutPrefix(allowed, "<"); ok {
				if n, _ := strconv.Atoi(below); target.rank < n {
					return ""
				}
			}
		}
		return "the table does not allow it"
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		return "" // standard library
	}
	if slices.ContainsFunc(r.third, func(prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }) {
		return ""
	}
	return "a module of others that the table does not allow"
}

func TestTheCoreIsPure(t *testing.T) {
	for _, s := range sources(t) {
		if !slices.Contains(core, s.room) {
			continue
		}
		for _, spec := range s.file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if slices.ContainsFunc(bannedImports, func(b string) bool {
				return path == b || strings.HasPrefix(path, b+"/") && b != "math/rand" && path != "sync/atomic"
			}) {
				t.Errorf("%s imports %s", s.path, path)
			}
		}
		packages := imported(s.file)
		ast.Inspect(s.file, func(n ast.Node) bool {
			if what := impure(n, packages); what != "" {
				t.Errorf("%s: %s", s.set.Position(n.Pos()), what)
			}
			return true
		})
	}
}

// imported returns the packages of a file by the names that they have in it.
func imported(file *ast.File) map[string]string {
	packages := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := strings.TrimSuffix(path, "/v2")
		name = name[strings.LastIndexByte(name, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = path
	}
	return packages
}

// impure names what makes a piece of syntax unfit for the core, given the packages of its file; empty when nothing does.
// A banned function is one whether it is called or passed on. Iteration over maps takes types to see:
// TestTheCoreNeverRangesOverMaps.
func impure(n ast.Node, packages map[string]string) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go statement"
	case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
		return "channel"
	case *ast.SelectorExpr:
		pkg, ok := n.X.(*ast.Ident)
		if ok && pkg.Obj == nil && slices.Contains(bannedUses[packages[pkg.Name]], n.Sel.Name) {
			return "use of " + packages[pkg.Name] + "." + n.Sel.Name
		}
	}
	return ""
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, s := range sources(t) {
		if lines := s.set.Position(s.file.End()).Line; lines > maxFileLines {
			t.Errorf("%s has %d lines: which two files does it want to be?", s.path, lines)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, want at most %d", s.path, f.Name.Name, lines, maxFunctionLines)
			}
		}
	}
}

// What cmd/demo shows lives in the laboratory.
func TestTheDoorOfTheLaboratoryIsThin(t *testing.T) {
	lines := 0
	for _, s := range sources(t) {
		if s.room == "cmd/demo" {
			lines += s.set.Position(s.file.End()).Line
		}
	}
	if lines == 0 || lines > maxDoorLines {
		t.Errorf("cmd/demo has %d lines, want at most %d", lines, maxDoorLines)
	}
}

func TestExportedSymbolsAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	seen := map[string]bool{}
	for _, s := range sources(t) {
		seen[s.room] = true
		if s.file.Doc != nil {
			documented[s.room] = true
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment", s.set.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				checkDocumented(t, s, d)
			}
		}
	}
	for room := range seen {
		if !documented[room] {
			t.Errorf("%s has no package comment", room)
		}
	}
}

func checkDocumented(t *testing.T, s source, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
				t.Errorf("%s: type %s has no comment", s.set.Position(spec.Pos()), spec.Name.Name)
			}
		case *ast.ValueSpec:
			if spec.Names[0].IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s: %s has no comment", s.set.Position(spec.Pos()), spec.Names[0].Name)
			}
		}
	}
}

// exportedReceiver reports whether a method belongs to an exported type, or is a function.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

func TestTheRulesCatchOffenders(t *testing.T) {
	const bad = `package bad
import (
	clock "time"
	"math/rand/v2"
)
func f(m map[string]int, c chan int) {
	go f(nil, nil)
	now := clock.Now
	_ = rand.IntN(3)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "bad.go", bad, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if what := impure(n, imported(file)); what != "" {
			found = append(found, what)
		}
		return true
	})
	if want := []string{"channel", "go statement", "use of time.Now", "use of math/rand/v2.IntN"}; !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
	if why := table["space"].refuses(module + "/loop"); why == "" {
		t.Error("space may import loop")
	}
	if why := table["loop"].refuses("go.uber.org/zap"); why == "" {
		t.Error("loop may import zap")
	}
	if why := table["loop"].refuses(module + "/feedback"); why != "" {
		t.Errorf("loop may not import feedback: %s", why)
	}
}
