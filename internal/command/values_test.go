package command

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func kindsSpace(t testing.TB) space.Space {
	return mustSpace(t, space.Float("dropout", 0, 0.5).Stepped(0.05), space.Int("width", 8, 1<<40).Stepped(8), space.Categorical("kind", "adam", "sgd"), space.Bool("bias"),
		space.Ordered("batch", 16, 32, 1e6), space.Ordered("decay", 1e-7, 0.3, 1e6), space.Float("third", 1.0/3, 5).Stepped(1.0/3), space.Float("momentum", 0.9, 0.9),
		space.Int("seed", 7, 7), space.LogFloat("rate", 1e-9, 1))
}

func TestEveryKindIsWrittenAsACommandReadsIt(t *testing.T) {
	s := kindsSpace(t)
	x := s.Exact([]float64{0.30000000000000004, 1 << 40, 1, 1, 1e6, 0.3, 1.0 / 3, 0.9, 7, 1e-5})
	tpl := must.Get(ParseTemplate([]string{"train", "{dropout}", "{width}", "{kind}", "--bias={bias}", "{batch}", "{decay}", "{third}", "{momentum}", "{seed}", "{rate}"}, s))(t)
	want := []string{"train", "0.3", "1099511627776", "sgd", "--bias=true", "1000000", "0.3", "0.3333333333333333", "0.9", "7", "1e-05"}
	if got := tpl.Expand(x, 1, 1, ""); !slices.Equal(got, want) {
		t.Errorf("arguments %q, want %q", got, want)
	}
	text := `{"dropout":0.3,"width":1099511627776,"kind":"sgd","bias":true,"batch":1000000,"decay":0.3,"third":0.3333333333333333,` +
		`"momentum":0.9,"seed":7,"rate":1e-05}` + "\n"
	if got := string(parametersJSON(s, x)); got != text {
		t.Errorf("%s, want %s", got, text)
	}
	for _, want := range []string{"TARRY_DROPOUT=0.3", "TARRY_BIAS=true", "TARRY_BATCH=1000000"} {
		if got := environment(s, x, 1, 1, "/f"); !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}

// What a command reads, from its arguments or its file, is the point to the bit.
func TestEveryKindIsReadBackToTheBit(t *testing.T) {
	s := kindsSpace(t)
	stream := rng.New(4, rng.Test, 0)
	for range 500 {
		x := s.Value(s.Random(stream))
		var file map[string]any
		if err := json.Unmarshal(parametersJSON(s, x), &file); err != nil {
			t.Fatal(err)
		}
		for i, p := range s.Parameters() {
			var argument, member float64
			var err error
			switch read := file[p.Name].(type) {
			case bool:
				argument, member = float64(slices.Index(p.Words(), format(p, x[i]))), float64(slices.Index(p.Words(), strconv.FormatBool(read)))
			case string:
				argument, member = float64(slices.Index(p.Choices, format(p, x[i]))), float64(slices.Index(p.Choices, read))
			case float64:
				argument, err = strconv.ParseFloat(format(p, x[i]), 64)
				member = read
			}
			if err != nil || argument != x[i] || member != x[i] || !p.Contains(argument) {
				t.Fatalf("%s = %v is read as %v and %v, %v", p.Name, x[i], argument, member, err)
			}
		}
	}
}
