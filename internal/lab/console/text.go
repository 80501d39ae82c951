package console

import (
	"fmt"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/option"
)

// Plural counts things: 1 query, 2 queries.
func Plural(n int, thing string) string {
	if n != 1 {
		thing = strings.TrimSuffix(thing, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(thing, "y")]
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Short prints a number with as many digits as it takes.
func Short(v float64) string { return option.Digits(v) }

// Brief prints a duration without the zeros at its end: 24h, not 24h0m0s.
func Brief(d time.Duration) string { return option.Brief(d) }

// Quoted protects what a shell would take apart.
func Quoted(text string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=,+%@", c)
	}
	if text != "" && strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
