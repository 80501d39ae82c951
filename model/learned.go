package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/surrogate"
)

// learned is what fits say of an output: the kernel with its hyperparameters and the noise, and the warp of its values.
type learned struct {
	prior     surrogate.Prior // the first of members where there are some
	warp      feedback.Bend   // in the units of the values
	shift     float64         // of the units of a prior that earlier tasks taught
	scale     float64         // and their length; 0: units are measured from the values
	outliers  []int           // numbers of the queries whose values are taken for outliers, ascending
	penal     bool            // whether some values are taken for penalties
	penalty   float64         // then those up to this one are; otherwise 0
	doubtful  bool            // whether there may be no noise
	particles [][]float64     // of Spec.Members, the best first
	members   []surrogate.Prior
}

// with returns what was learned with other hyperparameters; an error where the output cannot use them.
func (s Spec) with(old learned, h Hyper) (learned, error) {
	if s.Members != nil {
		return s.members(h.Particles)
	}
	next, err := s.learn(old.prior, h.Name, h.Warp)
	if err != nil {
		return old, err
	}
	if len(h.Kernel) != len(next.prior.Kernel.Params()) {
		return old, errHyper
	}
	next.prior, next.outliers, next.doubtful = WithHyper(next.prior, h.Kernel, h.Noise), h.Outliers, h.Doubtful
	next.penal, next.penalty = h.Penal, h.Penalty
	if s.Meta.named(h.Name) != nil {
		next.shift, next.scale = h.Shift, h.Scale
	}
	return next, errors.Join(next.prior.Validate(), next.checkUnits(), s.checkPenalty(next))
}

// learn returns the prior with the kernel of that name, empty for the one that it has, in place of its own, and a warp. An error
// says that these are none that the output may choose.
func (s Spec) learn(prior surrogate.Prior, name string, warp feedback.Bend) (learned, error) {
	if !warp.Sound() || !warp.Straight() && len(s.Kernels) == 0 {
		return learned{}, fmt.Errorf("a warp %+v", warp)
	}
	if meta := s.Meta.named(name); meta != nil {
		return learned{prior: *meta}, nil
	}
	if s.Meta.named(prior.Kernel.Name()) != nil {
		prior = s.Prior
	}
	if name == "" || name == prior.Kernel.Name() {
		return learned{prior: prior, warp: warp}, nil
	}
	if k := named(s.choices(), name); k != nil {
		prior.Kernel = surrogate.WithValuesOf(k, prior.Kernel)
		return learned{prior: prior, warp: warp}, nil
	}
	return learned{}, fmt.Errorf("kernel %q, which is none to choose from", name)
}

// choices are all kernels that fits may choose.
func (s Spec) choices() []surrogate.Kernel {
	return slices.Concat(s.Kernels, s.Sums, s.Warped)
}
