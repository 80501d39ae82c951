package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

// parseObject reads a JSON object; it is a value line when it has "value" or "infeasible".
func parseObject(line []byte, named []outcome.Constraint) (o Report, is bool, err error) {
	if line[len(line)-1] != '}' || !hasField(line, "value", "infeasible") { // of most lines it need not be known whether they are JSON
		return Report{}, false, nil
	}
	fields, twice, err := readLenient(line)
	if err != nil {
		return Report{}, false, nil
	}
	value, hasValue := fields["value"]
	flag, hasFlag := fields["infeasible"]
	if !hasValue && !hasFlag {
		return Report{}, false, nil
	}
	if twice != nil {
		return Report{}, true, twice
	}
	var c check.List
	if hasFlag && !isNull(flag) && json.Unmarshal(flag, &o.Infeasible) != nil {
		c.Add(`"infeasible"`, clip(flag), "true or false")
	}
	if cost := fields["cost"]; !isNull(cost) {
		var err error
		if o.Cost, _, err = number(`"cost"`, cost); err != nil || o.Cost < 0 {
			c.Add(`"cost"`, clip(cost), "a finite number ≥ 0")
		}
	}
	if len(named) == 0 {
		c.Join(o.readConstraints(fields["constraints"]))
	} else if hasValue || !isNull(fields["constraints"]) {
		c.Join(o.readNamed(fields["constraints"], named))
	}
	o.Reason = o.whyInfeasible(named)
	v, numeric, err := number(`"value"`, value)
	switch {
	case err == nil:
		o.Value, o.HasValue = v, true
	case o.Infeasible && numeric: // null and nan are ways to say that there is none
	case !hasValue:
		c.Add(`"infeasible"`, clip(flag), `true, since "value" is missing`)
	default:
		c.Join(err)
	}
	if err := c.Err(); err != nil {
		return Report{}, true, err
	}
	return o, true, nil
}

// isObject reports whether a line is a JSON object, which may have NaN and infinities.
func isObject(line []byte) bool {
	_, _, err := readLenient(line)
	return err == nil
}

// readLenient is readObject, but for NaN and infinities, which it takes.
func readLenient(line []byte) (fields map[string]json.RawMessage, twice, err error) {
	if fields, twice, err = readObject(line); err != nil {
		return readObject(quoteNonFinite(line))
	}
	return fields, twice, nil
}

// readObject returns the members of a JSON object, and what to say of those that are read and are there twice: nobody can
// know which of them is meant. The error says that it is no JSON object.
func readObject(line []byte) (fields map[string]json.RawMessage, twice, err error) {
	in := json.NewDecoder(bytes.NewReader(line))
	if _, err := in.Token(); err != nil { // the brace
		return nil, nil, err
	}
	fields = map[string]json.RawMessage{}
	var c check.List
	seen := map[string]bool{}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, nil, err
		}
		var member json.RawMessage
		if err := in.Decode(&member); err != nil {
			return nil, nil, err
		}
		key := name.(string)
		if first, there := fields[key]; !there {
			fields[key] = member
		} else if isRead(key) && !seen[key] {
			seen[key] = true
			c.Add(strconv.Quote(key), clip(first)+" and "+clip(member), "one of them")
		}
	}
	if _, err := in.Token(); err != nil { // the other brace
		return nil, nil, err
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, nil, errors.New("something follows the object")
	}
	return fields, c.Err(), nil
}

// isRead reports whether a member of an object means something.
func isRead(name string) bool {
	return name == "value" || name == "cost" || name == "constraints" || name == "infeasible"
}

// readConstraints sets the constraints, and the flag when one is violated.
func (o *Report) readConstraints(raw json.RawMessage) error {
	if isNull(raw) {
		return nil
	}
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		return &check.FieldError{Field: `"constraints"`, Value: clip(raw), Want: "a list of numbers"}
	}
	var c check.List
	for i, entry := range entries {
		v, _, err := number(fmt.Sprintf(`"constraints"[%d]`, i), entry)
		c.Join(err)
		o.Constraints = append(o.Constraints, v)
		o.Infeasible = o.Infeasible || v > 0
	}
	return c.Err()
}

// readNamed sets the constraints that the study names, in its order. Whether they hold is for the study to say.
func (o *Report) readNamed(raw json.RawMessage, named []outcome.Constraint) error {
	var entries map[string]json.RawMessage
	if !isNull(raw) && json.Unmarshal(raw, &entries) != nil {
		return &check.FieldError{Field: `"constraints"`, Value: clip(raw), Want: "an object with a number for each constraint, as in {" + strconv.Quote(named[0].Name) + ": 0.1}"}
	}
	var c check.List
	names := slices.Sorted(maps.Keys(entries))
	values := make([]float64, len(names))
	for i, name := range names {
		v, _, err := number(fmt.Sprintf(`"constraints".%s`, name), entries[name])
		if c.Join(err); err != nil {
			v = 0 // it has been said
		}
		values[i] = v
	}
	var err error
	o.Constraints, err = outcome.ByName(named, names, values)
	c.Join(err)
	return c.Err()
}

// whyInfeasible returns the first violated constraint, counted from 1, or that the output says so.
func (o *Report) whyInfeasible(named []outcome.Constraint) string {
	reason, more := "", 0
	for i, v := range o.Constraints {
		switch {
		case len(named) > 0:
		case v <= 0:
		case reason == "":
			reason = fmt.Sprintf("constraint %d is %v", i+1, v)
		default:
			more++
		}
	}
	switch {
	case reason == "" && o.Infeasible:
		return "the output says infeasible"
	case more > 0:
		return fmt.Sprintf("%s, and %d more are > 0", reason, more)
	}
	return reason
}

// number reads a finite number. It is numeric, if in vain, where null, nan or infinity stands in the place of one.
func number(field string, raw json.RawMessage) (v float64, numeric bool, err error) {
	if isNull(raw) {
		return 0, true, finite(field, math.NaN(), []byte("null"))
	}
	text, quoted := raw, raw[0] == '"'
	if quoted {
		text = bytes.TrimSpace(raw[1 : len(raw)-1])
	}
	v, numeric = parseNumber(text)
	if !numeric || quoted && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return 0, false, finite(field, math.NaN(), raw)
	}
	return v, true, finite(field, v, raw)
}

// isNull reports whether a field is missing or null.
func isNull(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }
