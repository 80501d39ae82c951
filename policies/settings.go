package policies

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Settings are the options of a policy, each bound to a field of it. They are stated once: from them comes what Parse reads,
// what the name of a policy says, what help lists, and what Validate checks. So the name of a policy, also of one made in
// code, always makes the same policy again.
type Settings []Setting

// Setting is one option of a policy, written key=value after its name. Make one with Number, Exact, Whole, Choice,
// Pending or Text.
type Setting struct {
	Key  string
	Form string // what it may be, the default first, as in "0.9 | bayes"
	Help string // what it does, in a few words

	text     func() string            // the value
	read     func(text string) string // sets the value; where the text is none it returns what is allowed
	standard func() bool              // whether the value is the default
	valid    func() bool
	want     func() string           // what is allowed, in words; nil where read says it
	inherit  func(defaults []string) // hears the defaults of the caller before anything is read; nil: none
	applies  func() bool             // nil: always
	only     string                  // where it applies, in words
	field    any                     // pointer to the field that it is bound to
	flag     any                     // pointer to the flag of Or; nil without
}

// Range is which numbers are allowed: those from Low to High, without the ends that are open.
type Range struct {
	Low, High         float64
	OpenLow, OpenHigh bool
}

func (r Range) has(v float64) bool {
	return (v > r.Low || v == r.Low && !r.OpenLow) && (v < r.High || v == r.High && !r.OpenHigh)
}

func (r Range) words(key string) string {
	sign := func(open bool) string {
		if open {
			return " < "
		}
		return " ≤ "
	}
	return "a number with " + number(r.Low) + sign(r.OpenLow) + key + sign(r.OpenHigh) + number(r.High)
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Number is a real option. The value 0 of its field stands for the default.
func Number(key string, field *float64, standard float64, within Range, help string) Setting {
	s := Exact(key, field, standard, within, help)
	s.standard = func() bool { return *field == 0 || *field == standard }
	s.valid = func() bool { return *field == 0 || within.has(*field) }
	return s
}

// Exact is a real option for a field in which 0 means 0 and not the default.
func Exact(key string, field *float64, standard float64, within Range, help string) Setting {
	want := func() string { return within.words(key) }
	return Setting{
		Key: key, Form: number(standard), Help: help, want: want, field: field,
		text:     func() string { return number(*field) },
		standard: func() bool { return *field == standard },
		valid:    func() bool { return within.has(*field) },
		read: func(text string) string {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !within.has(v) {
				return want()
			}
			*field = v
			return ""
		},
	}
}

// Whole is a whole-number option from low to high. The value 0 of its field stands for the default.
func Whole(key string, field *int, standard, low, high int, help string) Setting {
	want := func() string { return fmt.Sprintf("a whole number with %d ≤ %s ≤ %d", low, key, high) }
	return Setting{
		Key: key, Form: strconv.Itoa(standard), Help: help, want: want, field: field,
		text:     func() string { return strconv.Itoa(*field) },
		standard: func() bool { return *field == 0 || *field == standard },
		valid:    func() bool { return *field == 0 || *field >= low && *field <= high },
		read: func(text string) string {
			v, err := strconv.Atoi(text)
			if err != nil || v < low || v > high {
				return want()
			}
			*field = v
			return ""
		},
	}
}

// Choice is an option whose value is one of some words; the field holds the index of the word. Empty words cannot be
// chosen.
func Choice[T ~int](key string, field *T, standard T, words []string, help string) Setting {
	form := words[standard]
	for i, word := range words {
		if word != "" && T(i) != standard {
			form += " | " + word
		}
	}
	want := func() string { return "one of " + strings.ReplaceAll(form, " | ", ", ") }
	in := func(v T) bool { return v >= 0 && int(v) < len(words) && words[v] != "" }
	return Setting{
		Key: key, Form: form, Help: help, want: want, field: field,
		text: func() string {
			if !in(*field) {
				return strconv.Itoa(int(*field))
			}
			return words[*field]
		},
		standard: func() bool { return *field == standard },
		valid:    func() bool { return in(*field) },
		read: func(text string) string {
			i := slices.Index(words, text)
			if i < 0 || text == "" {
				return want()
			}
			*field = T(i)
			return ""
		},
	}
}

// Text is any other option: text returns its value in the form that read accepts. read returns what is allowed where its
// argument is not. Bind names the field.
func Text(key, standard string, text func() string, read func(text string) string, help string) Setting {
	return Setting{
		Key: key, Form: standard, Help: help, text: text, read: read,
		standard: func() bool { return text() == standard },
		valid:    func() bool { return true },
	}
}

// Bind returns the setting bound to a field, given as a pointer. A Text needs it, because it cannot know its field.
func (s Setting) Bind(field any) Setting {
	s.field = field
	return s
}

// Or returns the setting with a word that may stand in place of its value; flag is set by the word.
func (s Setting) Or(word string, flag *bool) Setting {
	plain := s
	s.Form, s.flag = s.Form+" | "+word, flag
	s.want = func() string { return word + ", or " + plain.want() }
	s.text = func() string {
		if *flag {
			return word
		}
		return plain.text()
	}
	s.standard = func() bool { return !*flag && plain.standard() }
	s.valid = func() bool { return *flag || plain.valid() }
	s.read = func(text string) string {
		if *flag = text == word; *flag {
			return ""
		}
		if want := plain.read(text); want != "" {
			return word + ", or " + want
		}
		return ""
	}
	return s
}

// When returns the setting restricted to a condition, which may depend on the settings before it; only says in words what
// the condition is, as in "with of=pi". Where the condition does not hold, the value of the setting is no part of the
// policy.
func (s Setting) When(applies func() bool, only string) Setting {
	s.applies, s.only = applies, only
	return s
}

// Want returns what is allowed, in words.
func (s Setting) Want() string {
	if s.want == nil {
		return ""
	}
	return s.want()
}

// Only says in words where the setting has an effect, or returns an empty text where it always has.
func (s Setting) Only() string { return s.only }

func (s Setting) moot() bool { return s.applies != nil && !s.applies() }

// suffix is what the settings add to the name of their policy: every one that matters and is not the default.
func (s Settings) suffix() string {
	var b strings.Builder
	for _, o := range s {
		if !o.moot() && !o.standard() {
			b.WriteString(":" + o.Key + "=" + o.text())
		}
	}
	return b.String()
}

// NameOf returns the name from which Parse makes the same policy: the registered name with the settings that differ from
// their defaults.
func NameOf(registered string, settings Settings) string { return registered + settings.suffix() }

// help lists the settings, as in "beta=1 | theory, sigma=latent | predictive".
func (s Settings) help() string {
	var parts []string
	for _, o := range s {
		part := o.Key + "=" + o.Form
		if o.only != "" {
			part += " (" + o.only + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// check reports every setting that matters and is outside its range.
func (s Settings) check(policy string) error {
	var l check.List
	for _, o := range s {
		if !o.moot() && !o.valid() {
			l.Add(policy+": "+o.Key, o.text(), o.Want())
		}
	}
	return l.Err()
}
