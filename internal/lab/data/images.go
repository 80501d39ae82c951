package data

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

//go:embed digits.csv.gz
var digits []byte

// Images is a set of gray images of several classes, all of one size.
type Images struct {
	Name          string
	X             [][]float64 // images x Width*Height pixels, row by row from the top left, in [0, 1]
	Y             []int       // the class of each image, from 0 to Classes-1
	Width, Height int         // in pixels
	Classes       int         // at least 2
}

// Digits returns the test part of "Optical Recognition of Handwritten Digits" of Alpaydin and Kaynak (UCI, 1998;
// doi:10.24432/C50P49), as it comes with scikit-learn: 1797 images of 8 x 8 pixels, each the number of black ones, from
// 0 to 16, in a block of 4 x 4 of the scanned digit, here divided by 16; the class is the digit, each 174 to 183 times.
// Every call unpacks the embedded file anew (about 10 ms), so the caller owns all of the memory. README.md tells where
// the file comes from. The error is always nil unless the file was damaged.
func Digits() (Images, error) {
	text, err := unpacked(bytes.NewReader(digits), "digits.csv.gz")
	if err != nil {
		return Images{}, err
	}
	d, err := parseImageTable(text, "digits.csv.gz")
	if err != nil {
		return Images{}, err
	}
	d.Name = "digits"
	return d, nil
}

// Counts returns the number of images of each class.
func (d Images) Counts() []int {
	counts := make([]int, d.Classes)
	for _, label := range d.Y {
		counts[label]++
	}
	return counts
}

// Validate returns nil when the set is sound: at least one image, one label for each, images of one size, pixels in
// [0, 1], at least two classes and labels below their number. It stops at the first bad image. Errors unwrap to
// check.ErrInvalidOption.
func (d Images) Validate() error {
	var c check.List
	c.Between("Images.Width", d.Width, 1, maxSide)
	c.Between("Images.Height", d.Height, 1, maxSide)
	c.Between("Images.Classes", d.Classes, 2, maxClasses)
	c.Require(len(d.X) > 0, "Images.X", "no images", "at least one image")
	c.Require(len(d.Y) == len(d.X), "len(Images.Y)", len(d.Y), fmt.Sprintf("one label for each of %d images", len(d.X)))
	pixels := d.Width * d.Height
	for i, x := range d.X {
		if len(x) != pixels {
			c.Add(fmt.Sprintf("len(Images.X[%d])", i), len(x), fmt.Sprintf("%d pixels, %d x %d", pixels, d.Width, d.Height))
			break
		}
		if j := slices.IndexFunc(x, func(v float64) bool { return !(v >= 0 && v <= 1) }); j >= 0 {
			c.Add(fmt.Sprintf("Images.X[%d][%d]", i, j), x[j], "0 ≤ pixel ≤ 1")
			break
		}
	}
	if i := slices.IndexFunc(d.Y, func(label int) bool { return label < 0 || label >= d.Classes }); i >= 0 {
		c.Add(fmt.Sprintf("Images.Y[%d]", i), d.Y[i], fmt.Sprintf("0 to %d", d.Classes-1))
	}
	return c.Err()
}

// Split divides the images at random into a training part and a test part. It is stratified: of every class with n
// images exactly round(fraction*n) go to the training part, halves away from zero, and the rest to the test part. Both
// parts are in shuffled order, and equal streams give equal parts.
//
// The parts share their images (the inner slices of X) with d; treat them as read-only. An error, unwrapping to
// check.ErrInvalidOption, is returned unless 0 < fraction < 1 and every class that has images has one in both parts.
// One permutation is drawn from the stream.
func (d Images) Split(stream *rand.Rand, fraction float64) (train, test Images, err error) {
	var c check.List
	c.Join(d.Validate())
	c.Require(fraction > 0 && fraction < 1, "fraction", fraction, "0 < fraction < 1")
	if err := c.Err(); err != nil {
		return Images{}, Images{}, err
	}
	quota := d.Counts()
	for class, count := range quota {
		quota[class] = int(math.Round(fraction * float64(count)))
		c.Require(count == 0 || quota[class] > 0 && quota[class] < count, "fraction", fraction,
			fmt.Sprintf("an image of class %d in both parts, of %d images", class, count))
	}
	if err := c.Err(); err != nil {
		return Images{}, Images{}, err
	}
	train, test = d.divide(stream, quota)
	return train, test, nil
}

// Sample returns n of the images, drawn at random without repetition. It is stratified: with N images in all, a class
// of c images gets c*n/N rounded down, and the images that are then missing go one each to the classes that lost most
// by rounding, the lower class where two lost the same. The sample is in shuffled order, and equal streams give equal
// samples.
//
// The sample shares its images (the inner slices of X) with d; treat them as read-only. An error, unwrapping to
// check.ErrInvalidOption, is returned unless 1 ≤ n ≤ N. One permutation is drawn from the stream.
func (d Images) Sample(stream *rand.Rand, n int) (Images, error) {
	var c check.List
	c.Join(d.Validate())
	c.Between("n", n, 1, len(d.X))
	if err := c.Err(); err != nil {
		return Images{}, err
	}
	quota, left := make([]int, d.Classes), n
	lost, order := make([]int64, d.Classes), make([]int, d.Classes)
	all := int64(len(d.X))
	for class, count := range d.Counts() {
		product := int64(count) * int64(n)
		quota[class], lost[class], order[class] = int(product/all), product%all, class
		left -= quota[class]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost[b], lost[a]) })
	for _, class := range order[:left] {
		quota[class]++
	}
	sample, _ := d.divide(stream, quota)
	return sample, nil
}

// divide shuffles the images, and takes as many of each class as the quota says; rest has the others. It uses up the
// quota.
func (d Images) divide(stream *rand.Rand, quota []int) (taken, rest Images) {
	taken, rest = d, d
	taken.X, taken.Y, rest.X, rest.Y = nil, nil, nil, nil
	for _, i := range stream.Perm(len(d.X)) {
		part := &rest
		if class := d.Y[i]; quota[class] > 0 {
			quota[class]--
			part = &taken
		}
		part.X, part.Y = append(part.X, d.X[i]), append(part.Y, d.Y[i])
	}
	return taken, rest
}
