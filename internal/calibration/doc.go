// Package calibration corrects what a model says about its own uncertainty from the answers that came back. Nothing here
// assumes that the model is right: the guarantees hold for every sequence of answers, in the order of their arrival.
//
// Three families share one bookkeeping, a number that moves by a small step against every error:
//
//   - Localized is the threshold λ(x) = c + g(x) on the conformity Score of an answer, so that sets around the model's
//     mean miss a share α of all answers, and locally too (localized online conformal prediction, Kim et al. 2025).
//   - Tracker follows one quantile level of the probability integral transform; with scores in its place it is online
//     conformal prediction. LocalTracker is a level that varies with the point (Kim et al. 2025, OCBO and OCBO-L).
//   - Recalibrator holds many trackers and turns them into one monotone Map R: the corrected p-quantile is the model's
//     R(p)-quantile (Deshpande et al. 2024).
//
// Denoised is the distribution of the function under a likelihood that a threshold corrects. RecalibratedNormal is a normal
// distribution whose quantiles a Map corrects. Both give expected improvement and quantiles in closed form, with slopes.
//
// ScoreDistribution (weighted conformal prediction) and Batch (a Map from a calibration set) are their counterparts without
// time, and the warps and Mixture the usual baselines.
//
//	issued := local.At(x)                                // when a query starts: store it with its mean and sd
//	half := calibration.HalfWidth(issued)                // the set is mean ± half·sd
//	local.Judge(x, issued, calibration.Score(y, mean, sd)) // when its answer comes, however late
//
// # Delay
//
// Thresholds and levels are stored with the query when it is issued, together with the mean and the standard deviation
// of the forecast, and every answer is judged by what was stored: never by what the state has become since, nor by a
// model that has seen the answer. Answers are judged in the order in which they come (the policies: by the first round
// that sees them, then by number). Queries whose answers never come are never judged and change nothing. The delay D of
// the bounds is the largest number of other answers judged between the issue of a query and the judgment of its own
// answer; it is 0 when each query waits for the one before.
//
// # Which values count
//
// Only values that came are judged, each once. A pending query has a stand-in in the model, a censored value (the least
// that its answer can be) or a hallucinated one. It is not judged: it was made from the model or from a bound, so it would
// tell how well the model agrees with itself. A censored value would count as a miss below nearly every interval, and a
// hallucinated one as a hit; a threshold fed with either would answer for the delays, not for the error bars. What the
// stand-ins do to the model is judged all the same, because forecasts are issued by the model that has them: when their
// answers come, these are judged as they were issued.
//
// What the guarantees then speak of are the answers that came. Where an answer's chance to come, or its delay, depends
// on its value, the answers so far are a selection, and the share among all queries may be another. It is bounded by
// counting every query that never came as a miss.
//
// # Numbers that are not finite
//
// Score and PIT are NaN where the answer or the forecast is; Judge panics on NaN, because it would count as a miss or as
// none at somebody's choice. Callers judge finite answers only.
//
// The package is pure and deterministic. Localized, LocalTracker and Recalibrator change when they judge; Tracker and Map
// are plain values. The bounds that the guarantees are made of are asserted in the tests (bounds_test.go).
//
// # Notation
//
//	on paper        in code                      meaning
//	s               Score                        conformity 2Q(|y - μ|/τ) of an answer, 1 at the mean
//	μ, τ            mean, sd                     predictive mean and standard deviation, noise included
//	λ_t(x)          Localized.At                 threshold: the set is {s ≥ λ}
//	c_t, g_t        Localized.Offset             its global and its local part
//	α               LocalizedConfig.Alpha        share of answers that may be missed
//	κ, l            Kappa, Length                height and length of the localization kernel κ exp(-|x-x'|²/l²)
//	λ_reg           Decay                        forgetting rate of the local part
//	η_t             Rate·t^-Power                step after the t-th judged answer
//	err_t, o_t                                   1 if the set missed; 1 if the answer was at most the quantile
//	u               PIT                          predictive cdf at the answer
//	p, q, θ         Tracker.P, Tracker.Q         level, deployed or latent position of its quantile
//	R               Map                          level asked for → level of the model
//	D               delay                        other judgments between issue and judgment
package calibration
