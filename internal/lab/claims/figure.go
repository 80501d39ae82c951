package claims

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// figure is one number, one with its error, or a range.
type figure struct {
	values []number
	ranged bool // from the first to the second
}

// number is a value with the place of its last digit.
type number struct {
	value float64 // in seconds where the unit is one of time
	half  float64 // of its last digit
}

const (
	numberPattern = `[-+−]?(?:\d+(?: \d{3})*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`
	unitPattern   = `(?: ?(?:ns|µs|ms|s|min|B|KB|MB|GB|%))?`
	figurePattern = numberPattern + unitPattern + `(?: (?:±|to|–) ` + numberPattern + unitPattern + `)?`
)

var (
	wholeFigure = regexp.MustCompile(`^(` + numberPattern + `)(` + unitPattern + `)(?: (±|to|–) (` + numberPattern + `)(` + unitPattern + `))?$`)
	units       = map[string]float64{"": 1, "%": 1, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9}
)

// parseFigure reads 0.0047 ± 0.0012, 1.1e-4, 60 000 to 80 000, 17.7 ms or 27 %.
func parseFigure(text string) (figure, error) {
	m := wholeFigure.FindStringSubmatch(strings.TrimSpace(plain(text)))
	if m == nil {
		return figure{}, fmt.Errorf("%q is no figure", text)
	}
	unit, second := strings.TrimSpace(m[2]), strings.TrimSpace(m[5])
	if unit == "" {
		unit = second // 32 to 42 ms
	}
	f := figure{values: []number{parseNumber(m[1], unit)}, ranged: m[3] != "" && m[3] != "±"}
	if m[4] != "" {
		if second == "" {
			second = unit
		}
		f.values = append(f.values, parseNumber(m[4], second))
	}
	return f, nil
}

func parseNumber(text, unit string) number {
	text = strings.NewReplacer(" ", "", "−", "-").Replace(text)
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("claims: the pattern of numbers allows " + text)
	}
	mantissa, exponent, _ := strings.Cut(text, "e")
	power, _ := strconv.Atoi(exponent)
	if _, decimals, found := strings.Cut(mantissa, "."); found {
		power -= len(decimals)
	}
	scale := units[unit]
	return number{value * scale, 0.5 * math.Pow(10, float64(power)) * scale}
}

// agrees reports whether what was measured rounds to what stands, or lies in its range; with a speed, whether their ratio is at
// most that. Where one of them has an error and the other has none, the errors are left out. An error of 0 says that all runs ended
// alike, which those of another error did not, even where it rounds to none; one of 0.000000 is small.
func agrees(stands, measured string, speed float64) bool {
	old, err := parseFigure(stands)
	if err != nil {
		return plain(stands) == plain(measured)
	}
	found, err := parseFigure(measured)
	if err != nil || found.ranged {
		return false
	}
	first, last := old.values[0], old.values[len(old.values)-1]
	if old.ranged {
		return found.values[0].between(first, last, speed)
	}
	if len(old.values) == 2 && len(found.values) == 2 && old.values[1].none() && found.values[1].value != 0 {
		return false
	}
	for i := range min(len(old.values), len(found.values)) {
		if !found.values[i].between(old.values[i], old.values[i], speed) {
			return false
		}
	}
	return true
}

// none reports whether a number is 0 to no decimal.
func (n number) none() bool { return n.value == 0 && n.half == 0.5 }

// between reports whether a number rounds to one from low to high, or with a speed is within that factor of them.
func (n number) between(low, high number, speed float64) bool {
	if speed > 0 {
		return n.value*speed >= low.value-low.half && n.value <= speed*(high.value+high.half)
	}
	const roundOff = 1e-9
	return n.value >= low.value-low.half*(1+roundOff) && n.value <= high.value+high.half*(1+roundOff)
}
