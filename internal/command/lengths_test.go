//go:build linux || darwin

package command

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// choosing is a runner of a command whose second parameter has a choice of so many bytes, which stands in it so many times.
func choosing(t *testing.T, bytes, times int) *Runner {
	t.Helper()
	r := shell(t, "")
	r.Space = mustSpace(t, space.Float("lr", 0, 1), space.Categorical("kind", "short", strings.Repeat("x", bytes), "shorter"))
	args := []string{"sh", "-c", `echo 1`, "sh"}
	for range times {
		args = append(args, "--a-longer-flag={kind}")
	}
	var err error
	if r.Template, err = ParseTemplate(args, r.Space); err != nil {
		t.Fatal(err)
	}
	return r
}

// A choice that fits by a byte can be run; one that does not is refused, by the system as well.
func TestAChoiceThatIsTooLongIsRefusedBeforehand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no limit to one argument here")
	}
	each, all := argumentLimits()
	if each != 131072 {
		t.Skipf("pages are larger here: an argument may have %d bytes", each)
	}
	if all < 10*each {
		t.Skipf("all arguments may have %d bytes", all)
	}
	for _, c := range []struct {
		times, bytes int
		want         string // with one byte more
	}{
		{2, each - 1 - len("--a-longer-flag="), "command[4] would have 131072 bytes, and this system allows 131071"},
		{0, each - 1 - len("TARRY_KIND="), "the variable TARRY_KIND would have 131072 bytes, and this system allows 131071"},
	} {
		r := choosing(t, c.bytes, c.times)
		if err := r.Fits(); err != nil {
			t.Errorf("%d bytes: %v", c.bytes, err)
		}
		if o, err := r.Run(t.Context(), 1, 1, []float64{0, 1}); err != nil || o.Value != 1 {
			t.Errorf("%d bytes: %+v, %v", c.bytes, o, err)
		}
		r = choosing(t, c.bytes+1, c.times)
		err := r.Fits()
		if !errors.Is(err, check.ErrInvalidOption) || !strings.HasPrefix(err.Error(), `kind = "xxxx`) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d bytes more: %v", 1, err)
		}
		if _, err := r.Run(t.Context(), 1, 2, []float64{0, 1}); failure(t, err).Kind != NotStarted || !strings.Contains(err.Error(), "argument list too long") {
			t.Errorf("the system: %v", err)
		}
	}
}

// All arguments together may be too long although each of them is not.
func TestArgumentsThatAreTooLongTogetherAreRefusedBeforehand(t *testing.T) {
	each, all := argumentLimits()
	const bytes = 100_000
	r := choosing(t, bytes, all/bytes+1)
	if err := r.Fits(); err == nil || !strings.HasPrefix(err.Error(), `kind = "xxxx`) || !strings.Contains(err.Error(), "arguments and environment would have ") {
		t.Error(err)
	}
	if _, err := r.Run(t.Context(), 1, 1, []float64{0, 1}); failure(t, err).Kind != NotStarted || !strings.Contains(err.Error(), "argument list too long") {
		t.Errorf("the system: %v", err)
	}
	r = choosing(t, bytes, all/bytes-2)
	if err := r.Fits(); err != nil && bytes < each {
		t.Error(err)
	}
	if o, err := r.Run(t.Context(), 1, 1, []float64{0, 1}); err != nil || o.Value != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestTheLongestValuesAreLookedAt(t *testing.T) {
	s := mustSpace(t, space.Int("a", -5, 10), space.Int("b", -5, 1000), space.Categorical("c", "x", "yyy", "zz"), space.Float("d", 0, 1))
	x := longest(s.Parameters())
	var got []string
	for i, p := range s.Parameters() {
		got = append(got, format(p, x[i]))
	}
	if text := strings.Join(got, " "); text != "-5 1000 yyy -2.2250738585072014e-308" {
		t.Error(text)
	}
}
