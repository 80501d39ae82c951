package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func digitImages(t testing.TB) Images {
	t.Helper()
	return must.Get(Digits())(t)
}

func TestDigitsAreTheWholeSet(t *testing.T) {
	d := digitImages(t)
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.Name != "digits" || len(d.X) != 1797 || d.Width != 8 || d.Height != 8 || d.Classes != 10 {
		t.Errorf("%q: %d images of %d x %d, %d classes", d.Name, len(d.X), d.Width, d.Height, d.Classes)
	}
	if got := d.Counts(); !slices.Equal(got, []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}) {
		t.Errorf("counts %v", got)
	}
}

// The first image, as it stands in the file: a zero.
func TestFirstDigit(t *testing.T) {
	d := digitImages(t)
	want := []float64{
		0, 0, 5, 13, 9, 1, 0, 0,
		0, 0, 13, 15, 10, 15, 5, 0,
		0, 3, 15, 2, 0, 11, 8, 0,
		0, 4, 12, 0, 0, 8, 8, 0,
		0, 5, 8, 0, 0, 9, 8, 0,
		0, 4, 11, 0, 1, 12, 7, 0,
		0, 2, 14, 5, 10, 12, 0, 0,
		0, 0, 6, 13, 10, 0, 0, 0,
	}
	for i, v := range want {
		if d.X[0][i] != v/16 {
			t.Errorf("pixel %d is %g, want %g/16", i, d.X[0][i], v)
		}
	}
	if d.Y[0] != 0 || d.Y[1] != 1 || d.Y[1796] != 8 {
		t.Errorf("labels %d, %d ... %d", d.Y[0], d.Y[1], d.Y[1796])
	}
}

func TestDamagedEmbeddedDigitsAreAnError(t *testing.T) {
	whole := digits
	defer func() { digits = whole }()
	for _, digits = range [][]byte{whole[:5], whole[:len(whole)/2], nil} {
		if d, err := Digits(); !errors.Is(err, ErrMalformed) || d.X != nil || d.Name != "" {
			t.Errorf("%d bytes: error %v, %d images", len(digits), err, len(d.X))
		}
	}
}

// fourImages is a sound set of two classes for tests that break it.
func fourImages() Images {
	return Images{
		Name: "four", X: [][]float64{{0, .1}, {.2, .3}, {.4, .5}, {.6, 1}}, Y: []int{0, 2, 0, 2},
		Width: 2, Height: 1, Classes: 3,
	}
}

func TestValidateOfImagesNamesWhatIsWrong(t *testing.T) {
	if err := fourImages().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		want   string
		damage func(*Images)
	}{
		{"Images.Width = 0: want 1 ≤ Width ≤ 64", func(d *Images) { d.Width = 0 }},
		{"Images.Height = 65: want 1 ≤ Height ≤ 64", func(d *Images) { d.Height = 65 }},
		{"Images.Classes = 1: want 2 ≤ Classes ≤ 1000", func(d *Images) { d.Classes = 1 }},
		{"Images.X = no images: want at least one image", func(d *Images) { d.X, d.Y = nil, nil }},
		{"len(Images.Y) = 3: want one label for each of 4 images", func(d *Images) { d.Y = d.Y[:3] }},
		{"len(Images.X[2]) = 1: want 2 pixels, 2 x 1", func(d *Images) { d.X[2] = d.X[2][:1] }},
		{"Images.X[1][0] = NaN: want 0 ≤ pixel ≤ 1", func(d *Images) { d.X[1][0] = math.NaN() }},
		{"Images.X[3][1] = 255: want 0 ≤ pixel ≤ 1", func(d *Images) { d.X[3][1] = 255 }},
		{"Images.X[3][0] = -0.1: want 0 ≤ pixel ≤ 1", func(d *Images) { d.X[3][0] = -.1 }},
		{"Images.Y[1] = 3: want 0 to 2", func(d *Images) { d.Y[1] = 3 }},
		{"Images.Y[0] = -1: want 0 to 2", func(d *Images) { d.Y[0] = -1 }},
	} {
		d := fourImages()
		tc.damage(&d)
		err := d.Validate()
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
		if _, _, err := d.Split(rng.New(1, rng.Split, 0), 0.5); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%s: Split returned %v", tc.want, err)
		}
		if _, err := d.Sample(rng.New(1, rng.Split, 0), 1); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%s: Sample returned %v", tc.want, err)
		}
	}
}

// imageKeys returns the address and label of every image: parts share images with the whole, so an address names one.
func imageKeys(sets ...Images) []string {
	var k []string
	for _, d := range sets {
		for i, x := range d.X {
			k = append(k, fmt.Sprintf("%p/%d", &x[0], d.Y[i]))
		}
	}
	slices.Sort(k)
	return k
}

func TestSplitOfImagesIsAStratifiedPartition(t *testing.T) {
	d := digitImages(t)
	train, test, err := d.Split(rng.New(1, rng.Split, 0), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	for class, count := range d.Counts() {
		if got, want := train.Counts()[class], int(math.Round(0.7*float64(count))); got != want || test.Counts()[class] != count-want {
			t.Errorf("class %d: %d and %d, want %d of %d", class, got, test.Counts()[class], want, count)
		}
	}
	if !slices.Equal(imageKeys(train, test), imageKeys(d)) {
		t.Error("the parts are not a partition of the images")
	}
	if err := errors.Join(train.Validate(), test.Validate()); err != nil {
		t.Error(err)
	}
	if slices.Equal(train.Y[:20], d.Y[:20]) {
		t.Error("the training part is in the order of the file")
	}
	again, _, err := d.Split(rng.New(1, rng.Split, 0), 0.7)
	if err != nil || !slices.Equal(again.Y, train.Y) {
		t.Errorf("one stream, two splits (%v)", err)
	}
	other, _, err := d.Split(rng.New(2, rng.Split, 0), 0.7)
	if err != nil || slices.Equal(other.Y, train.Y) {
		t.Errorf("two streams, one split (%v)", err)
	}
}

// Class 1 has no images, which is no reason to refuse.
func TestSplitOfImagesRefusesBadFractions(t *testing.T) {
	d := fourImages()
	train, test, err := d.Split(rng.New(1, rng.Split, 0), 0.5)
	if err != nil || !slices.Equal(train.Counts(), []int{1, 0, 1}) || !slices.Equal(test.Counts(), []int{1, 0, 1}) {
		t.Errorf("%v and %v, error %v", train.Y, test.Y, err)
	}
	for fraction, want := range map[float64]string{
		0: "fraction = 0: want 0 < fraction < 1", 1: "fraction = 1: want 0 <", -1: "fraction = -1: want 0 <",
		0.2: "fraction = 0.2: want an image of class 2 in both parts, of 2 images",
		0.8: "fraction = 0.8: want an image of class 0 in both parts, of 2 images",
	} {
		_, _, err := d.Split(rng.New(1, rng.Split, 0), fraction)
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, _, err := d.Split(rng.New(1, rng.Split, 0), math.NaN()); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("NaN: error %v", err)
	}
}

// Of 5, 3 and 2 images a sample of 4 gets 2, 1.2 and 0.8 of them, so the one that is missing is of class 2; a sample of
// 5 gets 2.5, 1.5 and 1, where class 0 comes before class 1.
func TestSampleByHand(t *testing.T) {
	d := Images{Width: 1, Height: 1, Classes: 3, Y: []int{0, 0, 0, 0, 0, 1, 1, 1, 2, 2}}
	for range d.Y {
		d.X = append(d.X, []float64{0})
	}
	for n, want := range map[int][]int{1: {1, 0, 0}, 4: {2, 1, 1}, 5: {3, 1, 1}, 10: {5, 3, 2}} {
		sample, err := d.Sample(rng.New(1, rng.Split, 0), n)
		if err != nil || !slices.Equal(sample.Counts(), want) || len(sample.X) != n {
			t.Errorf("%d of 10: counts %v, want %v; error %v", n, sample.Counts(), want, err)
		}
	}
	for _, n := range []int{-1, 0, 11} {
		_, err := d.Sample(rng.New(1, rng.Split, 0), n)
		if want := fmt.Sprintf("n = %d: want 1 ≤ n ≤ 10", n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSampleHasNoImageTwice(t *testing.T) {
	d := digitImages(t)
	sample := must.Get(d.Sample(rng.New(1, rng.Split, 0), 500))(t)
	keys := imageKeys(sample)
	if distinct := slices.Compact(slices.Clone(keys)); len(distinct) != 500 {
		t.Errorf("%d different images of 500", len(distinct))
	}
	whole := imageKeys(d)
	for _, key := range keys {
		if _, found := slices.BinarySearch(whole, key); !found {
			t.Fatalf("%s is no image of the set with its label", key)
		}
	}
	other, err := d.Sample(rng.New(2, rng.Split, 0), 500)
	if err != nil || slices.Equal(imageKeys(other), keys) {
		t.Errorf("two streams, one sample (%v)", err)
	}
}

func BenchmarkDigits(b *testing.B) {
	for b.Loop() {
		digitImages(b)
	}
}
