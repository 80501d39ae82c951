package check

import (
	"strings"
	"testing"
)

func TestWhatWasProbablyMeant(t *testing.T) {
	names := []string{"name", "type", "low", "high", "log", "choices", "role"}
	for written, want := range map[string]string{
		"chioces": "choices", "Choices": "choices", "lwo": "low", "lo": "low", "rol": "role", "typ": "type", "hihg": "high",
		"": "", "quantity": "", "x": "", strings.Repeat("low", 100): "",
	} {
		if got := Meant(written, names); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3}, {"größe", "grösse", 2}} {
		if got := editDistance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
