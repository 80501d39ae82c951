package command

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/outcome"
)

func parse(s string) (Report, error) {
	return parseOutput(strings.NewReader(s), int64(len(s)), false, nil)
}

func value(v float64) Report { return Report{Outcome: outcome.Of(v), HasValue: true} }

const saysInfeasible = "the output says infeasible"

func TestTheLastValueLineCounts(t *testing.T) {
	for _, c := range []struct {
		output string
		want   Report
	}{
		{"0.5", value(0.5)},
		{"0.5\n", value(0.5)},
		{"1\n2\n3\n", value(3)},
		{"  +1.5e3\t\r\n", value(1500)},
		{"-.5\n", value(-0.5)},
		{"5.\n\n\n", value(5)},
		{"1e-999", value(0)},
		{"0.25\nepoch 3: loss 0.1\ndone\n", value(0.25)},
		{"0.25\n0x10\n1_000\n1,5\n1e5f\n", value(0.25)},
		{"\xff\xfe\n0.25\r\n\xff\xff\x00", value(0.25)},
		{`{"value":0.3}`, value(0.3)},
		{`{"value": 0.3, "note": "\u00e4", "list": [{}]}` + "\r\n", value(0.3)},
		{`{"value":0.3,"note":"` + "\xff" + `"}`, value(0.3)},
		{"7\n" + `{"loss":0.3}` + "\n" + `{"log":{"value":1}}` + "\n" + `{"value":` + "\n" + `{"Value":1}`, value(7)},
		{"7\n" + `["value"]` + "\n{}\n", value(7)},
		{`{"value":0.3,"cost":12.5,"constraints":[-0.1,0.2],"infeasible":true}`,
			Report{Outcome: outcome.Outcome{Value: 0.3, Cost: 12.5, Constraints: []float64{-0.1, 0.2}, Infeasible: true}, HasValue: true, Reason: "constraint 2 is 0.2"}},
		{`{"value":0.3,"constraints":[-0.1,0.2],"infeasible":false}`,
			Report{Outcome: outcome.Outcome{Value: 0.3, Constraints: []float64{-0.1, 0.2}, Infeasible: true}, HasValue: true, Reason: "constraint 2 is 0.2"}},
		{`{"value":0.3,"constraints":[3,0,0.5,1e300]}`,
			Report{Outcome: outcome.Outcome{Value: 0.3, Constraints: []float64{3, 0, 0.5, 1e300}, Infeasible: true}, HasValue: true, Reason: "constraint 1 is 3, and 2 more are > 0"}},
		{`{"value":0.3,"constraints":[0],"infeasible":true}`,
			Report{Outcome: outcome.Outcome{Value: 0.3, Constraints: []float64{0}, Infeasible: true}, HasValue: true, Reason: saysInfeasible}},
		{`{"value":0.3,"constraints":[-0.1,0],"cost":null,"infeasible":null}`,
			Report{Outcome: outcome.Outcome{Value: 0.3, Constraints: []float64{-0.1, 0}}, HasValue: true}},
		{`{"a\":{\"value\":":["value",{"value":2}], "b" : "value", "value"      	       :  0.5}`, value(0.5)},
		{"7\n" + `{"a":{"value":1},"b":"value"}`, value(7)},
		{`{"note":1,"value":0.5,"note":2,"Value":3,"log":{"value":4}}`, value(0.5)},
		{"7\n" + `{"value":1} {"value":2}` + "\n" + `{"value":1}}` + "\ndone\n", value(7)},
		{"7\n" + `{"epoch":1}` + "\n", value(7)},
		{"7\n" + `{"loss":NaN,"list":[{}]}`, value(7)},
		{"7\n" + `['value']` + "\n", value(7)},
		{"7\n\x1b[32mdone\x1b[0m\n", value(7)},
		{"7\n\x1b[0m\n", value(7)},
		{"\x1b[32m6\x1b[0m\n7\n", value(7)},
		{`{"infeasible":true}`, Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: saysInfeasible}},
		{`{"infeasible":true,"value":null,"cost":2}`, Report{Outcome: outcome.Outcome{Infeasible: true, Cost: 2}, Reason: saysInfeasible}},
		{`{"infeasible":true,"value":NaN}`, Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: saysInfeasible}},
		{"1\n" + strings.Repeat("9", maxLine+1) + "\n", value(1)},
		{"1\n" + strings.Repeat("9", 3*maxLine), value(1)},
		{strings.Repeat("0", maxLine-1) + "2\n", value(2)},
	} {
		if got, err := parse(c.output); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.80q: %+v, %v; want %+v", c.output, got, err, c.want)
		}
	}
}

func TestAValueLineMayBeWrong(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"1\nnan", "value = nan: want a finite number"},
		{"1\n-NaN\n", "value = -NaN: want a finite number"},
		{"1\n-inf", "value = -inf: want a finite number"},
		{"1\nInfinity", "value = Infinity: want a finite number"},
		{"1\n1e999", "value = 1e999: want a finite number"},
		{`{"value":"nan"}`, `"value" = "nan": want a finite number`},
		{`{"value":null}`, `"value" = null: want a finite number`},
		{`{"value":1e999}`, `"value" = 1e999: want a finite number`},
		{`{"value": NaN, "note": "NaN \" Infinity"}`, `"value" = "NaN": want a finite number`},
		{`{"value": -Infinity}`, `"value" = "-Infinity": want a finite number`},
		{`{"value":"0.5"}`, `"value" = "0.5": want a finite number`},
		{`{"value":true}`, `"value" = true: want a finite number`},
		{`{"value":"","infeasible":true}`, `"value" = "": want a finite number`},
		{`{"value":[1]}`, `"value" = [1]: want a finite number`},
		{`{"infeasible":false}`, `"infeasible" = false: want true, since "value" is missing`},
		{`{"value":1,"infeasible":"yes"}`, `"infeasible" = "yes": want true or false`},
		{`{"value":1,"cost":-1}`, `"cost" = -1: want a finite number ≥ 0`},
		{`{"value":1,"cost":NaN}`, `"cost" = "NaN": want a finite number ≥ 0`},
		{`{"value":1,"constraints":2}`, `"constraints" = 2: want a list of numbers`},
		{`{"value":1,"constraints":[0,null]}`, `"constraints"[1] = null: want a finite number`},
		{`{"value":1,"value":2}`, `"value" = 1 and 2: want one of them`},
		{`{"value":1,"note":"x","value":1,"value":3}`, `"value" = 1 and 1: want one of them`},
		{`{"value": NaN, "value": 0.5}`, `"value" = "NaN" and 0.5: want one of them`},
		{`{"value":1,"cost":2,"cost":3}`, `"cost" = 2 and 3: want one of them`},
		{`{"value":1,"constraints":[1],"constraints":[]}`, `"constraints" = [1] and []: want one of them`},
		{`{"infeasible":true,"infeasible":false,"value":1,"value":2}`, "\"infeasible\" = true and false: want one of them\n\"value\" = 1 and 2: want one of them"},
		{`{"value":null,"cost":"x"}`, "\"cost\" = \"x\": want a finite number ≥ 0\n\"value\" = null: want a finite number"},
	} {
		if got, err := parse(c.output); err == nil || err.Error() != c.want || !reflect.DeepEqual(got, Report{}) {
			t.Errorf("%q: %+v, %v; want %s", c.output, got, err, c.want)
		}
	}
}

func TestOutputWithoutAValueIsShown(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"", "; the output was empty"},
		{" \n\r\n\t", "; the output was empty"},
		{"a\nloss: 0.3\n\n", `; it was "loss: 0.3"`},
		{"a\n\x1b[31mred\x1b[0m \x00\xff\n", `; it was "red  ` + "\uFFFD" + `"`},
		{"x" + strings.Repeat("ä", 400), `; it was "x` + strings.Repeat("ä", 98) + `…"`},
		{strings.Repeat("x", 2*maxLine) + "\n", "; it was longer than a MiB"},
	} {
		_, err := parse(c.output)
		if want := `no value: the last line of standard output must be a number or a JSON object with "value"` + c.want; err == nil || err.Error() != want {
			t.Errorf("%.80q: %v, want %s", c.output, err, want)
		}
	}
}

// A result that went wrong is no reason to take an earlier number for it.
func TestALastLineThatWasMeantForAValueIsNotPassedOver(t *testing.T) {
	const object, colors = "begins with { and is no JSON object; it was ", "is a value among escape sequences for a terminal, such as colors; without them it was "
	for _, c := range []struct{ output, want string }{
		{"5\n" + `{"value": 1} trailing` + "\n", object + `"{\"value\": 1} trailing"`},
		{"5\n" + `{"value": 1` + "\n\n \r\n", object + `"{\"value\": 1"`},
		{"5\n{'epoch': 1}", object + `"{'epoch': 1}"`},
		{"5\n{", object + `"{"`},
		{`{"value":`, object + `"{\"value\":"`},
		{"5\n" + `{"value":1} {"value":2}`, object + `"{\"value\":1} {\"value\":2}"`},
		{"5\n\x1b[32m0.5\x1b[0m\r\n", colors + `"0.5"`},
		{"\x1b[1m" + `{"value":1}` + "\x1b[0m", colors + `"{\"value\":1}"`},
	} {
		got, err := parse(c.output)
		if want := "the last line of standard output " + c.want; err == nil || err.Error() != want || !reflect.DeepEqual(got, Report{}) {
			t.Errorf("%q: %+v, %v; want %s", c.output, got, err, want)
		}
	}
	cut := "5\n" + `{"value": 1`
	if got, err := parseOutput(strings.NewReader(cut), int64(len(cut)), true, nil); err != nil || got.Value != 5 {
		t.Errorf("a line without an end counts: %+v, %v", got, err)
	}
}

// failing is an output of which only the end can be read.
type failing struct{}

func (failing) ReadAt(p []byte, at int64) (int, error) {
	if at < chunkSize {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, bytes.Repeat([]byte("a\n"), len(p))), nil
}

func TestOutputThatCannotBeReadIsAnError(t *testing.T) {
	if _, err := parseOutput(failing{}, 3*chunkSize, false, nil); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
	if _, err := parseOutput(strings.NewReader("0.5"), 100, false, nil); err == nil {
		t.Error("an output that has become shorter was accepted")
	}
}

func TestLinesComeBackwardsHoweverTheyLie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunk, limit := rapid.IntRange(1, 9).Draw(t, "chunk"), rapid.IntRange(0, 20).Draw(t, "limit")
		var lines []string
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 30), 1, 9).Draw(t, "lengths") {
			lines = append(lines, strings.Repeat(strconv.Itoa(i), n))
		}
		text := strings.Join(lines, "\n")
		slices.Reverse(lines)
		i := 0
		err := linesBackwards(strings.NewReader(text), int64(len(text)), chunk, limit, func(line []byte, long bool) bool {
			if want := len(lines[i]) > limit; long != want || !long && string(line) != lines[i] {
				t.Fatalf("line %d from the end has %d bytes, long %v, want %d", i, len(line), long, len(lines[i]))
			}
			i++
			return false
		})
		if err != nil || i != len(lines) {
			t.Fatalf("%d lines of %d, %v", i, len(lines), err)
		}
	})
}

func TestWhatIsPrintedAroundTheValueDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := rapid.SliceOf(rapid.SampledFrom([]string{"", "x", "{}", "[1]", "{\"a\":1}", "\xff", "1 2", "--", "+", "e", "{\"value\"", "\x00"}))
		want := rapid.Float64Range(-1e300, 1e300).Draw(t, "value")
		line := rapid.SampledFrom([]string{"%v", "{\"value\":%v}", " %v ", "{\"a\":NaN,\"value\":%v}", "{\n\"a\": [\n1\n],\n\"value\": %v\n}"}).Draw(t, "line")
		all := append(append(noise.Draw(t, "before"), fmt.Sprintf(line, want)), noise.Draw(t, "after")...)
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		if strings.HasSuffix(strings.TrimSpace(strings.Join(all, end)), "{\"value\"") {
			all = append(all, "x") // otherwise it would be a result that was spoiled
		}
		if got, err := parse(strings.Join(all, end)); err != nil || !reflect.DeepEqual(got, value(want)) {
			t.Fatalf("%q: %+v, %v", all, got, err)
		}
	})
}

func FuzzParseOutput(f *testing.F) {
	for _, seed := range []string{"0.5\n", `{"value":1,"constraints":[0]}`, "nan", "{\"value\":NaN}", "\xff\n1\n", "{\n\"value\": [\n1\n]\n}\nx }\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		o, err := parseOutput(bytes.NewReader(output), int64(len(output)), false, nil)
		if err == nil && !o.HasValue && !o.Infeasible {
			t.Fatal("neither value, nor infeasible, nor error")
		}
		if o.Infeasible != (o.Reason != "") {
			t.Fatalf("infeasible %v because of %q", o.Infeasible, o.Reason)
		}
		if err != nil && !reflect.DeepEqual(o, Report{}) {
			t.Fatalf("%+v with %v", o, err)
		}
	})
}

func BenchmarkParseOutput(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"zeros", strings.Repeat("\x00", 1<<20)}, {"blank", "\n"}, {"objects", `{"step":17,"loss":0.3,"log":{"value":1,"other":2}}` + "\n"}, {"text", "epoch 1: loss 0.3\n"}, {"digits", "1e1e1e1e1e1\n"}, {"brackets", "}\nx\n"}, {"spread", "{\n  \"step\": 17,\n  \"list\": [\n    1\n  ]\n}\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := "0.5\n" + strings.Repeat(c.line, 10_000_000/len(c.line))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := parse(data); err != nil && c.name != "zeros" {
					b.Fatal(err)
				}
			}
		})
	}
}
