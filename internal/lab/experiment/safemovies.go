package experiment

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/surrogate"
)

func init() {
	add(Experiment{
		Name: "safe-movies", Title: "Movies that a user will not dislike", Source: "Zhang 2024, sec. 6.8.2",
		About: "A query recommends one of the movies that a user has rated, with 1 to 5 stars; fewer than 4 violate the constraint. The model is linear " +
			"in 20 factors of the movies, learned from 200 other users. Each seed is another user.",
		Rounds: 100,
		Data:   "u.data of MovieLens-100k, or a folder with it; without it ratings are drawn from a model with 20 factors",
		Plan:   planSafeMovies,
	})
}

const (
	movieFactors = 20
	movieUsers   = 200 // to learn from
	movieSafe    = 4   // stars
	movieLeast   = 30  // movies of a user to ask
	movieEta     = 10
	movieBound   = 3    // B
	movieWhim    = 0.25 // variance of the stars that the factors do not explain, in the model
)

func planSafeMovies(in Input) (Plan, error) {
	all, fingerprint, data := standIn(), "", "drawn: 300 users with 150 ratings each of 400 movies, 20 factors; a stand-in for MovieLens-100k, which may not be passed on"
	if in.Data != "" {
		var err error
		if all, fingerprint, err = readRatings(in.Data); err != nil {
			return Plan{}, err
		}
		data = in.Data
	}
	from, others := all.split(movieUsers)
	learned := sync.OnceValues(func() (taste, error) { return learnTaste(from) })
	asked := slices.DeleteFunc(others, func(user []rating) bool {
		return len(user) < movieLeast || !slices.ContainsFunc(user, func(x rating) bool { return x.stars == movieSafe })
	})
	if len(asked) == 0 {
		return Plan{}, fmt.Errorf("%s: no user besides the %d learned from has rated %d movies, one of them with 4 stars", data, len(from), movieLeast)
	}
	world := func(seed uint64) (safeWorld, error) {
		t, err := learned()
		if err != nil {
			return safeWorld{}, err
		}
		return moviesOf(asked[(seed-1)%uint64(len(asked))], t)
	}
	var arms []Arm
	for _, alpha := range []float64{0.1, 0.2, 0.3} {
		p := safety.Promise{Alpha: alpha, Queries: in.Rounds, Eta: movieEta}
		group := "alpha = " + percentOf(alpha)
		arms = append(arms,
			safeArm{group, armSafeOpt, p, world, safeOpt(movieBound, p.Queries, 0.1)}.arm(),
			safeArm{group, armDSafe, p, world, dSafe(p)}.arm())
	}
	return Plan{Arms: arms, Fingerprint: fingerprint, Facts: []Fact{
		{"ratings", data},
		{"users", fmt.Sprintf("%d to learn from, those with the most ratings; %d to be asked, the first seed the first of them", len(from), len(asked))},
		{"the movie that is known to be safe", "the first that the user gave 4 stars"},
		{"model", "stars less 4 are linear in the factors, with noise of variance 0.25: before any answer each movie is as likely safe as not"},
		{"eta", fmt.Sprint(movieEta)},
		{"B of SafeOpt", fmt.Sprint(movieBound)},
	}, Show: func(r Results) []Section {
		return showSafe(r, "safe-movies", "Movies that a user will not dislike",
			"The source claims that SafeOpt recommends movies that are not safe, and that d-safe-bocp keeps every alpha.")
	}}, nil
}

// moviesOf is the world of a user.
func moviesOf(user []rating, t taste) (safeWorld, error) {
	w := safeWorld{
		kernel: surrogate.Linear{Center: make([]float64, movieFactors), Outputscale: 1}, nugget: movieWhim, mean: movieSafe, seed: -1,
	}
	for _, x := range user {
		factors, known := t.factors[x.movie]
		if !known {
			continue
		}
		if w.seed < 0 && x.stars == movieSafe {
			w.seed = len(w.candidates)
		}
		w.candidates = append(w.candidates, factors)
		w.objective, w.constraint = append(w.objective, x.stars), append(w.constraint, x.stars-movieSafe)
	}
	if w.seed < 0 {
		return w, fmt.Errorf("a user has no movie with %d stars that others know", movieSafe)
	}
	return w, nil
}
