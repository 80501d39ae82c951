// Package surrogate says what is believed about an unknown function: exact Gaussian-process regression on the unit
// cube. A Prior conditioned on data is a Posterior, an immutable value that grows by one observation in O(n²), takes
// new targets in O(n²), keeps mean and variance over a fixed pool of candidates, and can be drawn from as a function.
// Fit finds the hyperparameters.
//
//	prior, _ := surrogate.DefaultPrior("matern52", 2)
//	post, _ := prior.Condition([]space.Unit{{0.1, 0.2}, {0.7, 0.9}}, []float64{-0.4, 1.1}, nil)
//	post = post.Append(space.Unit{0.5, 0.5}, 0) // pending: a stand-in target
//	post = post.Retarget([]float64{-0.4, 1.1, 0.6})
//	mean, variance := post.Predict(space.Unit{0.3, 0.3})
//
// The package is pure and deterministic: randomness comes in as a *rand.Rand, and nothing is kept between calls.
// Kernels, priors, pools, posteriors and paths never change once made, so they may be shared between goroutines.
//
// # Conventions
//
// Points lie in the unit cube [0,1]^d. Targets are in the units of the caller, who standardizes them where a
// hyperprior assumes it (Fit, DefaultPrior), and whether more is better is the caller's affair. Variances are those
// of the latent function; predictions of a noisy target add λ. Slices returned for reading must not be changed.
//
// Data never panics: Condition, Evidence and Fit report numbers that are not finite, and a singular matrix climbs a
// ladder of jitter before it becomes ErrNotPositiveDefinite. Wrong lengths are bugs and panic with a constant string.
//
// # Notation
//
//	on paper        in code                     meaning                                             shape
//	n, d, N, M                                  observations, dimensions, pool points, features
//	X, x_i          Posterior.X(i)              points                                              n×d
//	y               Targets                     targets                                             n
//	m               Prior.Mean                  constant prior mean
//	k(a, b)         Kernel.Eval                 covariance function
//	l_j             Lengthscales                lengthscales, as parts of the side of the cube      d
//	v0              Outputscale                 variance of the function before data
//	b               Constant                    variance of an unknown constant, in outputscales
//	w(x), r_j       Inputs.To, Warped.Ratios    warped coordinates, and how many times as steep at 0 as at 1      d
//	g               Decay                       how fast correlation falls from one fidelity to the next
//	λ, λ_n, σ²      Prior.Noise                 noise variance
//	θ               exp(Params), Noise          hyperparameters; Params holds their logarithms
//	ψ(x)            Features                    features of a point: what a network makes of it             features
//	r²              squaredDistance             Σ_j (a_j - b_j)²/l_j²
//	K               Kernel.Row                  covariance of the observed points                   n×n
//	A = K + λI                                  covariance of the targets (never stored)            n×n
//	L               rows                        Cholesky factor, A = L Lᵀ, by rows                  n×n lower
//	z               z                           L⁻¹ (y - m)                                         n
//	α               Alpha                       weights A⁻¹ (y - m)                                 n
//	μ(x)            Mean, Predict               m + k(x)ᵀ α
//	v(x), σ²(x)     Predict                     k(x, x) - |L⁻¹ k(x)|², latent
//	V               pooled                      L⁻¹ K(X, pool), by rows                             n×N
//	R               Pool.factor                 prior covariance of the pool ≈ Rᵀ R                 r×N
//	log p(y)        LogEvidence                 logarithm of the marginal likelihood
//	γ               InformationGain             ½ log det(I + K/λ), in nats
//	f0, f           Path                        draws from prior and posterior
package surrogate
