package data

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
)

// Fold is one division of a data set for cross-validation.
type Fold struct{ Train, Test Dataset }

// Split divides the rows at random into a training part and a test part. It is stratified: of every class with n rows
// exactly round(fraction*n) go to the training part, halves away from zero, and the rest to the test part. Both parts
// are in shuffled order, and equal streams give equal parts.
//
// The parts share their rows (the inner slices of X) with d; treat them as read-only, or standardise them first, which
// copies. An error, unwrapping to check.ErrInvalidOption, is returned unless 0 < fraction < 1 and every class has a
// row in both parts. One permutation is drawn from the stream.
func (d Dataset) Split(stream *rand.Rand, fraction float64) (train, test Dataset, err error) {
	var c check.List
	c.Join(d.Validate())
	c.Require(fraction > 0 && fraction < 1, "fraction", fraction, "0 < fraction < 1")
	if err := c.Err(); err != nil {
		return Dataset{}, Dataset{}, err
	}
	var quota [2]int
	for class, count := range d.Counts() {
		quota[class] = int(math.Round(fraction * float64(count)))
		c.Require(quota[class] > 0 && quota[class] < count, "fraction", fraction,
			fmt.Sprintf("a row of class %s in both parts, of %d rows", d.Classes[class], count))
	}
	if err := c.Err(); err != nil {
		return Dataset{}, Dataset{}, err
	}
	train, test = d.empty(), d.empty()
	for _, row := range stream.Perm(len(d.X)) {
		part := &test
		if class := d.Y[row]; quota[class] > 0 {
			quota[class]--
			part = &train
		}
		part.take(d, row)
	}
	return train, test, nil
}

// Folds divides the rows at random into k parts and returns k folds; the test part of fold i is part i, its training
// part is all the others. It is stratified: the numbers of rows of a class in two test parts differ by at most one,
// and so do the sizes of two test parts. Parts are in shuffled order, and equal streams give equal folds.
//
// Rows are shared with d as in Split. An error, unwrapping to check.ErrInvalidOption, is returned unless k is at least
// 2 and at most the size of the smaller class. One permutation is drawn from the stream.
func (d Dataset) Folds(stream *rand.Rand, k int) ([]Fold, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	counts := d.Counts()
	smaller := min(counts[0], counts[1])
	if k < 2 || k > smaller {
		var c check.List
		c.Add("k", k, fmt.Sprintf("2 ≤ k ≤ %d, the size of the smaller class", smaller))
		return nil, c.Err()
	}
	folds := make([]Fold, k)
	for i := range folds {
		folds[i] = Fold{Train: d.empty(), Test: d.empty()}
	}
	// Rows of a class are dealt to the parts in turn. Class 1 begins where class 0 stopped, so that the parts that
	// are one row short of one class are the first to get one of the other.
	dealt := [2]int{0, counts[0]}
	for _, row := range stream.Perm(len(d.X)) {
		class := d.Y[row]
		part := dealt[class] % k
		dealt[class]++
		for i := range folds {
			if i == part {
				folds[i].Test.take(d, row)
			} else {
				folds[i].Train.take(d, row)
			}
		}
	}
	return folds, nil
}

// empty returns a data set without rows that is called like d.
func (d Dataset) empty() Dataset {
	return Dataset{Name: d.Name, Features: d.Features, Classes: d.Classes}
}

// take appends a row of from.
func (d *Dataset) take(from Dataset, row int) {
	d.X, d.Y = append(d.X, from.X[row]), append(d.Y, from.Y[row])
}
