package experiment

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// rating is what a user thinks of a movie, in stars from 1 to 5.
type rating struct {
	movie int // from 0
	stars float64
}

// ratings are those of each user.
type ratings [][]rating

const ratingsFile = "u.data"

// readRatings reads u.data of MovieLens-100k, or a folder with it: user, movie and stars in each line, separated by tabs; the
// fingerprint is that of its bytes.
func readRatings(path string) (r ratings, fingerprint string, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, ratingsFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	users, movies, line := map[string]int{}, map[string]int{}, 0
	number := func(of map[string]int, name string) int {
		if _, known := of[name]; !known {
			of[name] = len(of)
		}
		return of[name]
	}
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		line++
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		stars := math.NaN()
		if len(words) >= 3 {
			if stars, err = strconv.ParseFloat(words[2], 64); err != nil {
				stars = math.NaN()
			}
		}
		if !(stars >= 1 && stars <= 5) {
			return nil, "", fmt.Errorf("%s:%d: want a user, a movie and 1 to 5 stars, separated by tabs, found %q", path, line, lines.Text())
		}
		u := number(users, words[0])
		if u == len(r) {
			r = append(r, nil)
		}
		r[u] = append(r[u], rating{number(movies, words[1]), stars})
	}
	sum := sha256.Sum256(text)
	return r, hex.EncodeToString(sum[:]), nil
}

// The stand-in: users whose tastes are vectors, and movies that meet them more or less.
const (
	standInUsers, standInMovies = 300, 400
	standInRated                = 150 // movies that each user has rated
	standInMean                 = 3.5 // stars
	standInTaste                = 0.9 // standard deviation of what a taste adds
	standInFame                 = 0.5 // of what the movie adds for all
	standInWhim                 = 0.4 // of what nothing explains
)

// standIn draws ratings.
func standIn() ratings {
	stream := rng.New(0, rng.Problem, 1)
	draw := func(n int) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			for range movieFactors {
				out[i] = append(out[i], stream.NormFloat64())
			}
		}
		return out
	}
	users, movies, fame := draw(standInUsers), draw(standInMovies), make([]float64, standInMovies)
	for m := range fame {
		fame[m] = standInFame * stream.NormFloat64()
	}
	r := make(ratings, standInUsers)
	for u := range r {
		for _, m := range stream.Perm(standInMovies)[:standInRated] {
			taste := 0.0
			for k, v := range users[u] {
				taste += v * movies[m][k] / math.Sqrt(movieFactors)
			}
			stars := standInMean + fame[m] + standInTaste*taste + standInWhim*stream.NormFloat64()
			r[u] = append(r[u], rating{m, min(max(math.Round(stars), 1), 5)})
		}
	}
	return r
}

// taste is what is learned of the users who are not asked: factors of the movies that they have rated, and the mean of their stars.
type taste struct {
	factors map[int]space.Unit // by movie; their squares are 1 on average
	mean    float64
}

const (
	factorSweeps = 8
	factorRidge  = 5.0
)

// learnTaste finds factors of users and movies whose products are the stars less their mean: least squares with a ridge, for users and
// movies in turn (Koren et al. 2009).
func learnTaste(from ratings) (taste, error) {
	out, count := taste{factors: map[int]space.Unit{}}, 0.0
	by := map[int][]rating{} // by movie; the movie in each is the user
	var order []int
	for u, all := range from {
		for _, x := range all {
			out.mean, count = out.mean+x.stars, count+1
			if by[x.movie] == nil {
				order = append(order, x.movie)
			}
			by[x.movie] = append(by[x.movie], rating{u, x.stars})
		}
	}
	if count == 0 {
		return out, errors.New("no ratings to learn from")
	}
	out.mean /= count
	stream := rng.New(0, rng.Train, 0)
	for _, m := range order {
		for range movieFactors {
			out.factors[m] = append(out.factors[m], 0.3*stream.NormFloat64())
		}
	}
	users := map[int]space.Unit{}
	for range factorSweeps {
		for u, all := range from {
			users[u] = ridge(all, out.factors, out.mean)
		}
		for _, m := range order {
			out.factors[m] = ridge(by[m], users, out.mean)
		}
	}
	square := 0.0
	for _, m := range order {
		for _, v := range out.factors[m] {
			square += v * v / float64(len(order))
		}
	}
	for _, m := range order {
		for k := range out.factors[m] {
			out.factors[m][k] /= math.Sqrt(max(square, 1e-12))
		}
	}
	return out, nil
}

// ridge returns the vector whose products with the factors of what was rated are nearest to the stars less their mean, by conjugate
// gradients, which end after as many steps as there are factors but for round-off.
func ridge(all []rating, factors map[int]space.Unit, mean float64) []float64 {
	out, rest, way := make([]float64, movieFactors), make([]float64, movieFactors), make([]float64, movieFactors)
	for _, x := range all {
		floats.AddScaled(rest, x.stars-mean, factors[x.movie])
	}
	copy(way, rest)
	square := floats.Dot(rest, rest)
	for range movieFactors {
		if square < 1e-18 {
			break
		}
		image := make([]float64, movieFactors)
		floats.AddScaled(image, factorRidge, way)
		for _, x := range all {
			floats.AddScaled(image, floats.Dot(factors[x.movie], way), factors[x.movie])
		}
		step := square / floats.Dot(way, image)
		floats.AddScaled(out, step, way)
		floats.AddScaled(rest, -step, image)
		before := square
		square = floats.Dot(rest, rest)
		floats.AddScaledTo(way, rest, square/before, way)
	}
	return out
}

// split returns the ratings of the users who are learned from, those with the most of them, and of the others.
func (r ratings) split(learned int) (from, others ratings) {
	sorted := slices.Clone(r)
	slices.SortStableFunc(sorted, func(a, b []rating) int { return cmp.Compare(len(b), len(a)) })
	learned = min(learned, len(sorted))
	return sorted[:learned], sorted[learned:]
}
