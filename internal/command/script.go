package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/space"
)

// shells are programs that take a script as an argument.
var shells = []string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish"}

// Interpreted returns a warning where a choice stands in a script that a shell is given with -c, and the shell would take it
// for more than a word: at that point it runs another script. It is empty where there is none. Numbers do no harm.
func (t Template) Interpreted() string {
	for i := range t.written {
		shell := filepath.Base(t.written[i])
		script, found := scriptOf(t.written[i+1:])
		if !slices.Contains(shells, shell) || !found {
			continue
		}
		for _, slot := range t.slots(i + 1 + script) {
			p := t.parameters[slot]
			if k := slices.IndexFunc(p.Choices, func(choice string) bool { return !isWord(choice) }); p.Kind == space.KindCategorical && k >= 0 {
				return fmt.Sprintf(`command[%d] is a script of %s, which takes the choice %s of {%s} for a part of it; safe are %s -c '… "$1" …' %s {%s} and "$%s"`,
					i+1+script, shell, strconv.Quote(clip([]byte(p.Choices[k]))), p.Name, shell, shell, p.Name, variable(p.Name))
			}
		}
	}
	return ""
}

// scriptOf returns which of the arguments of a shell is its script, if -c is one of its options, alone or with others.
func scriptOf(args []string) (index int, found bool) {
	given := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		options := strings.TrimLeft(arg, "-+")
		switch {
		case arg == "--":
			return i + 1, given && i+1 < len(args)
		case options == arg || options == "":
			return i, given
		case strings.HasPrefix(arg, "--"): // as --norc of bash
		default:
			given = given || strings.Contains(options, "c") && arg[0] == '-'
			if last := options[len(options)-1]; last == 'o' || last == 'O' { // it has an argument of its own
				i++
			}
		}
	}
	return 0, false
}

// isWord reports whether a shell takes a text for one word that means itself.
func isWord(text string) bool {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%"
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && !strings.ContainsRune(harmless, r) })
}
