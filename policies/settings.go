package policies

import (
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
)

// Settings are the options of a policy, each bound to a field of it. They are stated once: from them comes what Parse reads,
// what the name of a policy says, what help lists, and what Validate checks. So the name of a policy, also of one made in
// code, always makes the same policy again.
type Settings []Setting

// Setting is one option of a policy, written key=value after its name. Make one with Number, Numbers, Exact, Whole, Choice,
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
type Range = option.Range

// setting is the one of a value.
func setting(key string, v option.Value, standard func() bool, form, help string) Setting {
	want := func() string { return v.Want(key) }
	return Setting{
		Key: key, Form: form, Help: help, want: want, field: v.Field, text: v.Text, standard: standard, valid: v.Valid,
		read: func(text string) string {
			if !v.Read(text) || !v.Valid() {
				return want()
			}
			return ""
		},
	}
}

// lenient is the setting where the default is also as valid as what is within the limits: 0, which stands for it.
func (s Setting) lenient() Setting {
	valid := s.valid
	s.valid = func() bool { return s.standard() || valid() }
	return s
}

// Number is a real option. The value 0 of its field stands for the default.
func Number(key string, field *float64, standard float64, within Range, help string) Setting {
	s := Exact(key, field, standard, within, help)
	s.standard = func() bool { return *field == 0 || *field == standard }
	return s.lenient()
}

// Exact is a real option for a field in which 0 means 0 and not the default.
func Exact(key string, field *float64, standard float64, within Range, help string) Setting {
	return setting(key, option.Number(field, within), func() bool { return *field == standard }, option.Digits(standard), help)
}

// Whole is a whole-number option from low to high. The value 0 of its field stands for the default.
func Whole(key string, field *int, standard, low, high int, help string) Setting {
	is := func() bool { return *field == 0 || *field == standard }
	return setting(key, option.Whole(field, low, high), is, strconv.Itoa(standard), help).lenient()
}

// Numbers is an option of numbers with commas between them; none is the default.
func Numbers(key string, field *[]float64, within Range, help string) Setting {
	return setting(key, option.NumbersWithin(field, within), func() bool { return *field == nil }, "none", help)
}

// Choice is an option whose value is one of some words; the field holds the index of the word. Empty words cannot be
// chosen.
func Choice[T ~int](key string, field *T, standard T, words []string, help string) Setting {
	v := option.Choice(field, words)
	first := []string{words[standard]}
	for _, word := range v.Words {
		if word != words[standard] {
			first = append(first, word)
		}
	}
	v.Kind = "one of " + strings.Join(first, ", ")
	return setting(key, v, func() bool { return *field == standard }, strings.Join(first, " | "), help)
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
