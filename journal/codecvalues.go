package journal

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// How single values are written (put) and read (get), as JSON that package encoding/json would not give: floats that are
// not finite, strings that are not UTF-8, whole numbers to the last digit.

func getInt(raw []byte) (int, error) {
	v, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0, fmt.Errorf("want a whole number, found %s", cut(raw))
	}
	return v, nil
}

func getUint64(raw []byte) (uint64, error) {
	v, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("want a whole number from 0 to 18446744073709551615, found %s", cut(raw))
	}
	return v, nil
}

func getBool(raw []byte) (bool, error) {
	if s := string(raw); s == "true" || s == "false" {
		return s == "true", nil
	}
	return false, fmt.Errorf("want true or false, found %s", cut(raw))
}

func getEnum[T ~int](raw []byte, names []string) (T, error) {
	if raw[0] != '"' {
		v, err := getInt(raw)
		return T(v), err
	}
	s, err := getText(raw)
	if i := slices.Index(names, s); i >= 0 {
		return T(i), err
	}
	return 0, fmt.Errorf("want one of %q, found %s", names, cut(raw))
}

// putText writes a string. One that is not UTF-8, which JSON cannot hold, becomes {"base64":"…"}.
func putText(out []byte, s string) []byte {
	if !utf8.ValidString(s) {
		out = append(out, `{"base64":"`...)
		out = base64.StdEncoding.AppendEncode(out, []byte(s))
		return append(out, '"', '}')
	}
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

func getText(raw []byte) (string, error) {
	switch {
	case raw[0] == '{':
		members, err := split(raw)
		if err != nil || len(members) != 1 || string(members[0].name) != "base64" || members[0].value[0] != '"' {
			return "", fmt.Errorf("want a string, found %s", cut(raw))
		}
		code, err := getText(members[0].value)
		if err != nil {
			return "", err
		}
		s, err := base64.StdEncoding.Strict().DecodeString(code)
		return string(s), err
	case raw[0] != '"':
		return "", fmt.Errorf("want a string, found %s", cut(raw))
	case slices.Contains(raw, '\\'):
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	return string(raw[1 : len(raw)-1]), nil
}

// putNumber writes the shortest number that reads back to the same bits, without an exponent where people would write none.
func putNumber(out []byte, v float64) []byte {
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return append(out, `"nan"`...)
	case math.IsInf(v, 1):
		return append(out, `"inf"`...)
	case math.IsInf(v, -1):
		return append(out, `"-inf"`...)
	case size != 0 && (size < 1e-6 || size >= 1e21):
		return strconv.AppendFloat(out, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(out, v, 'f', -1, 64)
}

func getNumber(raw []byte) (float64, error) {
	switch string(raw) {
	case `"nan"`:
		return math.NaN(), nil
	case `"inf"`:
		return math.Inf(1), nil
	case `"-inf"`:
		return math.Inf(-1), nil
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, fmt.Errorf(`want a number, "nan", "inf" or "-inf", found %s`, cut(raw))
	}
	return v, nil
}

func putNumbers[P ~[]float64](out []byte, v P) []byte {
	out = append(out, '[')
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		out = putNumber(out, x)
	}
	return append(out, ']')
}

func getNumbers[P ~[]float64](raw []byte) (P, error) {
	values, err := elements(raw)
	if err != nil {
		return nil, err
	}
	v := make(P, len(values))
	for i, value := range values {
		if v[i], err = getNumber(value); err != nil {
			return nil, err
		}
	}
	return v, nil
}
