package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spooled writes a text in pieces to a spool and returns what its file holds.
func spooled(t interface{ Fatal(...any) }, dir string, limit int64, pieces ...string) string {
	file, err := os.Create(filepath.Join(dir, "spool"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := spool{file: file, limit: limit}
	for _, p := range pieces {
		if n, err := s.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatal("wrote ", n, err)
		}
		if info, err := file.Stat(); err != nil || limit > 0 && info.Size() > limit || info.Size() != s.size {
			t.Fatal("it has ", info.Size(), " bytes, and says ", s.size, err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var noted = regexp.MustCompile(`(\[…\]\n)?\[tarry: (\d+) bytes left out\]\n`)

func TestOutputWithinItsLimitIsKeptAsItIs(t *testing.T) {
	text := strings.Repeat("x\n", 1000)
	for _, limit := range []int64{0, 2000} {
		if got := spooled(t, t.TempDir(), limit, text[:7], "", text[7:]); got != text {
			t.Errorf("limit %d: %d bytes", limit, len(got))
		}
	}
}

func TestOfMoreOutputBeginningAndEndAreKept(t *testing.T) {
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	got := spooled(t, t.TempDir(), minOutput, text.String())
	at := noted.FindStringSubmatchIndex(got)
	if at == nil || len(noted.FindAllString(got, -1)) != 1 || len(got) < minOutput/2 {
		t.Fatalf("%d bytes, note at %v", len(got), at)
	}
	head, tail := got[:at[0]], got[at[1]:]
	left, _ := strconv.Atoi(got[at[4]:at[5]])
	if !strings.HasPrefix(text.String(), head) || !strings.HasSuffix(text.String(), tail) || len(head)+left+len(tail) != text.Len() ||
		!strings.HasSuffix(head, "\n") || !strings.HasPrefix(tail, "line ") || len(head) < minOutput/5 || len(tail) < minOutput/5 {
		t.Errorf("%d + %d + %d of %d bytes\n…%s\n%s…", len(head), left, len(tail), text.Len(), head[len(head)-20:], tail[:20])
	}
}

func TestAValueIsNeverLeftOut(t *testing.T) {
	noise := strings.Repeat("epoch 1: loss 0.3\n", 20_000)
	for name, text := range map[string]string{
		"at the end":                       noise + "0.5\n",
		"without a line feed":              noise + "0.5",
		"in the midst":                     noise + "0.5\n" + noise,
		"at the beginning":                 "0.5\n" + noise + noise,
		"several":                          noise + "0.3\n" + noise + "0.4\n" + noise + `{"value":0.5}` + "\n" + noise,
		"spread over lines":                noise + "{\n\"value\": 0.5,\n\"list\": [\n1\n]\n}\n" + noise,
		"with carriage returns":            noise + "0.5\r\n" + noise,
		"behind a long line":               strings.Repeat("1", 400_000) + "\n0.5\n" + noise,
		"before a long line":               noise + "0.5\n" + strings.Repeat("1", 400_000),
		"between long lines":               strings.Repeat("1", 400_000) + "\n0.5\n" + strings.Repeat("1", 400_000) + "\n",
		"in a long line, as it might seem": "0.5\n" + strings.Repeat("1", 400_000) + "x\n",
	} {
		for _, piece := range []int{17, 4096, len(text)} {
			var pieces []string
			for rest := text; rest != ""; {
				n := min(piece, len(rest))
				pieces, rest = append(pieces, rest[:n]), rest[n:]
			}
			got := spooled(t, t.TempDir(), minOutput, pieces...)
			if o, err := parse(got); err != nil || o.Value != 0.5 {
				t.Errorf("%s, in pieces of %d: %+v, %v", name, piece, o, err)
			}
		}
	}
}

// Whatever is printed, the file says the same as all of it would. No value line is longer than an eighth of the limit, and
// of lines that are longer every part but the first looks like a value.
func TestWhatIsKeptSaysTheSame(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		const limit = 2048
		word := rapid.SampledFrom([]string{
			"0.5\n", "1\r\n", "2e3", "\n", "\n\n", `{"value":7}` + "\n", `{"infeasible":true}` + "\n", "nan\n", "loss 3\n", " ", "12", "x",
			"x" + strings.Repeat("4", 100), "x" + strings.Repeat("5", 3000), strings.Repeat("noise\n", 100), strings.Repeat("a 6\n", 30),
		})
		pieces := rapid.SliceOfN(word, 0, 60).Draw(t, "pieces")
		whole := strings.Join(pieces, "")
		got := spooled(t, dir, limit, pieces...)
		want, wantErr := parse(whole)
		o, err := parse(got)
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(o, want) {
			t.Fatalf("%q\nis kept as\n%q: %+v, %v; want %+v, %v", whole, got, o, err, want, wantErr)
		}
		if len(whole) < limit && got != whole {
			t.Fatalf("%q is kept as %q", whole, got)
		}
	})
}

func TestAFullDiskHoldsNobodyUp(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no device that is always full")
	}
	defer full.Close()
	s := spool{file: full}
	for range 3 {
		if n, err := s.Write(bytes.Repeat([]byte("x"), 1000)); n != 1000 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if err := s.close(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Error(err)
	}
}
