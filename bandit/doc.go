// Package bandit is the mathematics of exponential weights over a finite list of arms, for policies exp3 and meta-mab (Zhang 2024, ch. 4, on
// Auer, Cesa-Bianchi, Freund & Schapire 2002). With plays i of arms x_i, rewards r_i in [0, 1] and the probabilities p_i with which they were
// drawn,
//
//	p(x) = (1 - ω) exp G(x) / Σ exp G + ω/N,   G(x) = η Σ_i k(x_i, x) r_i / p_i
//
// where k is a kernel: what one arm earns counts for those that are like it. Since each reward is divided by the probability of the arm that
// was played, at the time when it was, a term of G has the expectation η Σ_x' k(x', x) r(x') whatever was known then, and however late the
// reward comes. (The thesis divides by the probability of the arm x that is scored, which has another expectation.)
//
// The package is pure.
package bandit
