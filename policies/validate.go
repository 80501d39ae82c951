package policies

import (
	"math"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/calibration"
	"github.com/tarry-bo/tarry/internal/check"
)

// Validator is a policy that can say whether its settings are in their ranges. What Parse returns is valid; what is made in
// code need not be.
type Validator interface {
	// Validate names every field outside its range. Zero stands for the default throughout.
	Validate() error
}

// Validate returns nil for a policy whose settings are in their ranges, or that is no Validator.
func Validate(p Policy) error {
	if v, ok := p.(Validator); ok {
		return v.Validate()
	}
	return nil
}

const maxLevels, maxMembers = 99, 100

// share wants 0, which means a default, or a number between 0 and 1.
func share(l *check.List, field string, v float64) {
	l.Require(v >= 0 && v < 1, field, v, "0 (the default) or a number between 0 and 1")
}

// local wants the zero value, or a valid configuration.
func local(l *check.List, field string, c calibration.LocalizedConfig) {
	if c != (calibration.LocalizedConfig{}) {
		l.Join(check.Renamed(c.Validate(), "LocalizedConfig", field))
	}
}

// features wants 0, which means the default, or enough of them.
func features(l *check.List, field string, n int) {
	l.Require(n == 0 || n >= 16 && n <= maxFeatures, field, n, "0 (the default) or 16 … 65536")
}

// Validate names every field outside its range.
func (p Locbo) Validate() error {
	var l check.List
	local(&l, "Locbo.Local", p.Local)
	share(&l, "Locbo.Quantile", p.Quantile)
	return l.Err()
}

// Validate names every field outside its range.
func (p LocalOcbo) Validate() error {
	var l check.List
	l.Between("LocalOcbo.Levels", p.Levels, 0, maxLevels)
	if c := p.Local; c != (calibration.LocalizedConfig{}) {
		c.Alpha = 0.5 // that of each level takes its place
		local(&l, "LocalOcbo.Local", c)
	}
	return l.Err()
}

// Validate names every field outside its range.
func (p Cbo) Validate() error {
	var l check.List
	share(&l, "Cbo.Alpha", p.Alpha)
	return l.Err()
}

// Validate names every field outside its range.
func (p Recalibrated) Validate() error {
	var l check.List
	l.Between("Recalibrated.Criterion", int(p.Criterion), 0, int(acquisition.UpperBound))
	l.Between("Recalibrated.Set", int(p.Set), 0, int(Nothing))
	l.Between("Recalibrated.Levels", p.Levels, 0, maxLevels)
	l.NotNegative("Recalibrated.Rate", p.Rate)
	l.NotNegative("Recalibrated.Xi", p.Xi)
	share(&l, "Recalibrated.P", p.P)
	return l.Err()
}

// Validate names every field outside its range.
func (p Warped) Validate() error {
	var l check.List
	l.Between("Warped.Warp", int(p.Warp), int(WarpBoxCox), int(WarpInput))
	return l.Err()
}

// Validate names every field outside its range.
func (p Ensemble) Validate() error {
	var l check.List
	l.Between("Ensemble.Members", p.Members, 0, maxMembers)
	return l.Err()
}

// Validate names every field outside its range.
func (p QUCB) Validate() error {
	var l check.List
	share(&l, "QUCB.P", p.P)
	return l.Err()
}

// Validate names every field outside its range.
func (p PI) Validate() error {
	var l check.List
	l.NotNegative("PI.Xi", p.Xi)
	return l.Err()
}

// Validate names every field outside its range.
func (p Thompson) Validate() error {
	var l check.List
	features(&l, "Thompson.Features", p.Features)
	return l.Err()
}

// Validate names every field outside its range.
func (p TSSDF) Validate() error {
	var l check.List
	features(&l, "TSSDF.Features", p.Features)
	p.Width.check(&l, "TSSDF.Width")
	return l.Err()
}

// Validate names every field outside its range.
func (p UCBSDF) Validate() error {
	var l check.List
	p.Width.check(&l, "UCBSDF.Width")
	return l.Err()
}

// Validate names every field outside its range.
func (p UCB) Validate() error {
	var l check.List
	p.Beta.check(&l, "UCB.Beta")
	return l.Err()
}

// Validate names every field outside its range, those of the inner policy among them.
func (b Batch) Validate() error {
	var l check.List
	l.Between("Batch.Size", b.Size, 0, maxBarrier)
	l.Join(Validate(b.inner()))
	return l.Err()
}

func (w Width) check(l *check.List, field string) {
	l.NotNegative(field+".Nu", w.Nu)
	l.NotNegative(field+".Bound", w.Bound)
	w.Beta.check(l, field+".Beta")
}

func (b Beta) check(l *check.List, field string) {
	l.NotNegative(field+".Constant", b.Constant)
	if t := b.Theory; t != nil {
		l.NotNegative(field+".Theory.Norm", t.Norm)
		l.NotNegative(field+".Theory.Factor", t.Factor)
		l.Positive(field+".Theory.Failures", t.Failures)
		l.Require(t.Delta > 0 && t.Delta <= 1 && !math.IsNaN(t.Delta), field+".Theory.Delta", t.Delta, "0 < Delta ≤ 1")
	}
}
