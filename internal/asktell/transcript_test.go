package asktell_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"

	"github.com/tarry-bo/tarry/internal/must"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the answers in testdata")

// Each transcript is a session: lines that begin with > are requests, those that begin with < their answers, and the rest
// is for the reader.
func TestTranscripts(t *testing.T) {
	for name, study := range map[string]struct {
		space   func(testing.TB) tarry.Space
		options tarry.Options
	}{
		"session":  {exampleSpace, tarry.Options{Budget: 6, Pending: 6, Seed: 1, Minimize: true}},
		"failures": {exampleSpace, tarry.Options{Budget: 12, Pending: 12, Seed: 1, Minimize: true, Retries: 1}},
		"points":   {exampleSpace, tarry.Options{Budget: 6, Seed: 1}},
		"contexts": {shopSpace, tarry.Options{Budget: 6, Seed: 1}},
		"batches":  {exampleSpace, tarry.Options{Budget: 4, Initial: 2, Barrier: 2, Seed: 1}},
		"pending":  {exampleSpace, tarry.Options{Budget: 8, Seed: 1}},
		"kinds":    {kindsSpace, tarry.Options{Budget: 6, Pending: 6, Seed: 1}},
		"errors":   {exampleSpace, tarry.Options{Budget: 6, Seed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".txt")
			script := must.Get(os.ReadFile(path))(t)
			study.options.Policy = random(t)
			var requests []string
			for line := range strings.Lines(string(script)) {
				if request, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), ">"); found {
					requests = append(requests, strings.TrimPrefix(request, " "))
				}
			}
			answers := serve(t, server(t, study.space(t), study.options), requests...)
			var b strings.Builder
			for line := range strings.Lines(string(script)) {
				if strings.HasPrefix(line, "< ") {
					continue
				}
				b.WriteString(line)
				if strings.HasPrefix(line, ">") {
					b.WriteString("< " + readable(answers[0]) + "\n")
					answers = answers[1:]
				}
			}
			if *rewrite {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want := strings.Split(string(script), "\n")
			for i, line := range strings.Split(b.String(), "\n") {
				if !*rewrite && (i >= len(want) || line != want[i]) {
					t.Fatalf("%s:%d:\n%s\nwant another line: see git diff after go test ./internal/asktell -rewrite", path, i+1, line)
				}
			}
		})
	}
}

var (
	long = regexp.MustCompile(`\d\.\d{6,}(e[-+]?\d+)?`)
	age  = regexp.MustCompile(`"age":[0-9.e-]+`)
)

// readable cuts numbers to six digits, since their last bits are not the same on all machines, and takes ages away.
func readable(answer string) string {
	answer = age.ReplaceAllString(answer, `"age":0`)
	return long.ReplaceAllStringFunc(answer, func(number string) string {
		v, _ := strconv.ParseFloat(number, 64)
		return strconv.FormatFloat(v, 'g', 6, 64)
	})
}
