package main

// inspectHelp is what inspect says of itself.
const inspectHelp = `Show a study that tune, asktell or a program has kept: how it stands, what it found, and its evaluations. Nothing is
changed, and another process may be going on with it meanwhile: what it had kept when it was looked at is shown.

As text there are the best evaluations and all that are pending; --top chooses. A parameter with the name of another
column has x. before it, and such a constraint constraints. A delay is the time from the first
dispatch of an evaluation to its outcome, and >12s says that it has been under way for 12 s at the last event.

--csv writes all evaluations, one a line: id, attempt, status, value, cost, constraints
(joined with ;, each behind its name where they have some, as in latency=0.13;recall=0.6), then every parameter, then chosen_s, dispatched_s, ended_s and delay_s, which are seconds since the study began, foreign (whether
it was measured elsewhere), forecast and forecast_sd (of its value, as the policy said when it chose the query), central
and held (whether the value is in the central 80 % of the forecast, and in the calibrated set where the policy issued
one), the first line of reason, why its last attempt failed, and sense: maximize or minimize, as the study does.
Whatever wrote a reason, no spreadsheet takes it for a formula: one that begins with =, +, - or @ and is no number has
an apostrophe before it. Names and values of parameters are read back by --observe, --enqueue and learn, and stand as
the space file has them: mind them where the space is not your own. A parameter with the name of such a column has x.
before it. What there is none of is empty, as is a forecast beyond all numbers, and numbers are written so that they are
read to the bit.

--json writes one object: study (its cost is null where the sum is beyond all numbers), counts (by status), counters,
coverage (how the forecasts did), best and recommended (null without a value), expected (mean of the function at the
recommended one as the model sees it, stddev, how sure it is of that, and noise, the spread of a measurement; null
without a model), feasible (of the recommended one: probability, and of each of the constraints what was measured, its
margin and what is expected; absent where none are named or there is no model), safety (what a policy that keeps
constraints while it searches promises, and how often they were violated; absent with any other), evaluations, in which
parameters are by name under x and what of a forecast is beyond all numbers is null, and parameters, as in a space file.

--plot writes four pictures to a folder, each as PNG and SVG: incumbent (values in the order in which they came, over
what was spent where a fidelity or a budget in cost is there, and, where the best one came nearer and nearer to that in
the end, its distance on a logarithmic axis), parameters (values over each parameter, of at most 24), delays, and
silence (the chance that a query is silent for longer, with its band, the law that was learned and the closest family).

--delays shows what is learned of the time that answers take since the latest attempt at a query began, lost queries
included: quantiles, how long a silence must last until hardly anything is expected any more, the closest parametric
law, whether delays depend on the point or go with the value, and for each pending query the chance that it is ever
heard of. A table says what more workers would bring: how many queries are heard of in an hour, without how many
outcomes each is chosen, and how long the rest of the budget takes. With --json it is one object, with the survival
curve and its band. --forget, --weigh-pending and --give-up of tune and asktell act upon it.

--explain says why one evaluation was chosen. The study is replayed up to the moment at which its policy was asked, and
the policy is asked again: it should propose the same, to the bit, and the output says so if it does not, as on another
architecture. There are the model as it was then (with lengthscales in the terms of each parameter), what the policy
maximized, its value and the posterior at the point and at others that it might have chosen, which queries were pending
and what stood in for their values, what the policy would have proposed had nothing been pending, and what came of it.
Means and standard deviations are of the function, in the units of the values.

The file of what studies of earlier tasks have learned (--sequence of tune) is shown too: its tasks, and what it says of
functions like theirs. Whoever removes the file begins anew.

What is recommended is the evaluation with a value of which the model expects most, which need not be the best that was
measured where measurements are noisy; 0.93 ± 0.01 is its mean with one standard deviation. With fewer than three
values, or by a policy without a model, the best is recommended as it was measured.
`
