package tuning

import (
	"os"
	"strings"
	"unicode/utf8"
)

// paint colours text, or leaves it alone.
type paint bool

// The codes of colours and weights (ECMA-48, SGR).
const (
	bold  = "1"
	faint = "2"
	red   = "31"
	green = "32"
	cyan  = "36"
)

// mayPaint reports whether the user lets colours on terminals (no-color.org).
func mayPaint() paint { return os.Getenv("NO_COLOR") == "" }

// as returns the text in a colour or weight.
func (p paint) as(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// fit cuts text to a width in characters.
func fit(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	return string([]rune(text)[:width-1]) + "…"
}

// gauge is a bar of a width in characters, filled up to a share in eighths of a character.
func gauge(share float64, width int) string {
	eighths := int(min(max(share, 0), 1)*float64(8*width) + 0.5)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return text + strings.Repeat(" ", width-utf8.RuneCountInString(text))
}
