package hindsight

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// Options say what is compared.
type Options struct {
	Policy    policies.Policy
	From, To  int                       // evaluations; 0 means the first and the last
	Tolerance float64                   // of a coordinate of the unit cube, within which two points are one; 0 means 1e-6
	Progress  func(evaluation, all int) // called before each question; nil for none
}

const defaultTolerance = 1e-6

// Other is a query for which the other policy would have proposed something else. Means and standard deviations are of the
// function, as the model of the other policy saw it then, NaN without one.
type Other struct {
	Evaluation   int     `json:"evaluation"`
	Chosen       Point   `json:"chosen"`
	Would        *Point  `json:"would"`             // null where it fails
	Failure      string  `json:"failure,omitempty"` // why
	Distance     Number  `json:"distance"`          // greatest difference of a coordinate in the unit cube
	WouldMean    Number  `json:"would_mean"`
	WouldStddev  Number  `json:"would_stddev"`
	ChosenMean   Number  `json:"chosen_mean"`
	ChosenStddev Number  `json:"chosen_stddev"`
	Status       string  `json:"status"` // of the evaluation at the end
	Value        *Number `json:"value"`  // null where none came
}

// Summary says how two policies differ over a study.
type Summary struct {
	Policy    string `json:"policy"`    // that was asked
	Recorded  string `json:"recorded"`  // that made the study
	Asked     int    `json:"asked"`     // queries for which it was asked
	Different int    `json:"different"` // of them
	Failed    int    `json:"failed"`    // of these: it proposed nothing
	Less      int    `json:"less"`      // of those asked: it had seen less than the recorded policy, which waited for a fit
	Median    Number `json:"median_distance"`
	Gain      Number `json:"mean_gain"`          // by how much it expected more of its own point than of the chosen one, where they differ
	Own       Score  `json:"forecasts"`          // of the other policy, at the points that were chosen
	Theirs    Score  `json:"recorded_forecasts"` // where both make forecasts, both are judged by the values for which each has one
	Apart     string `json:"apart,omitempty"`    // why the comparison ended before the study
	distances []float64
	gains     []float64
}

// comparison is under way.
type comparison struct {
	options  Options
	config   loop.Config
	end      []loop.Evaluation
	study    *follower
	shadow   *shadow // nil where the other policy sees the model of the study
	summary  Summary
	own, rec scored    // of all forecasts
	both     [2]scored // of those at the same values, the other policy's and the recorded ones
}

// Compare lets another policy propose for each query for which the policy of a study was asked, given what was known then, and
// calls each for every one where it proposes another point, in their order. The error wraps ErrUnfit where the policy serves no such study. An error of each, of the context and of the journal ends it;
// the summary of what was compared until then is returned all the same. A policy that wants the model of the study gets it to the
// bit; another one gets a model of its own, with hyperparameters learned when the study learned its own. Forecasts that policies
// learn from are those of the study. Cost that of the study's own proposals, and of its fits.
func Compare(ctx context.Context, s journal.Source, o Options, each func(Other) error) (Summary, error) {
	c, err := newComparison(s, o)
	if err != nil {
		return Summary{}, err
	}
	err = c.run(ctx, s, each)
	return c.summed(), err
}

// run compares until the last evaluation that is wanted.
func (c *comparison) run(ctx context.Context, s journal.Source, each func(Other) error) error {
	for r, err := range s.Records() {
		if err != nil {
			return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.take(r, each); errors.Is(err, ErrApart) {
			c.summary.Apart = err.Error()
			return nil
		} else if err != nil {
			return err
		}
		if len(c.study.loop.Evaluations()) >= c.options.To {
			return nil
		}
	}
	return nil
}

func newComparison(s journal.Source, o Options) (*comparison, error) {
	h, end, err := read(s)
	if err != nil {
		return nil, err
	}
	c := &comparison{options: o, config: h.Config, end: end.Evaluations()}
	n := len(c.end)
	if o.From > n {
		return nil, fmt.Errorf("%w: the first is to be #%d, and the study has %d", ErrNoEvaluation, o.From, n)
	}
	if c.options.To == 0 || c.options.To > n {
		c.options.To = n
	}
	if c.options.Tolerance == 0 {
		c.options.Tolerance = defaultTolerance
	}
	wanted, is := o.Policy.Traits(), h.Config.Traits
	c.summary.Policy, c.summary.Recorded = wanted.Name, is.Name
	l, err := loop.New(h.Config)
	if err != nil {
		return nil, fmt.Errorf("%w: header: %w", journal.ErrCorruptJournal, err)
	}
	c.study = follow(l)
	wanted.Name, wanted.Barrier = is.Name, is.Barrier
	if wanted.Equal(is) {
		return c, nil
	}
	other := shadowed(h.Config, o.Policy)
	if err := other.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, check.Renamed(err, "Config.", ""))
	}
	if wanted.Model {
		c.shadow, err = newShadow(other)
	}
	return c, err
}

// take compares at one event.
func (c *comparison) take(r journal.Record, each func(Other) error) error {
	number, asked := c.study.ask.Round, c.study.answers(r.Event.Event)
	wanted := asked && number >= c.options.From && number <= c.options.To
	var j judge
	var now answer
	if wanted {
		if c.options.Progress != nil {
			c.options.Progress(number, c.options.To)
		}
		var err error
		if j, now, err = c.ask(); err != nil {
			return err
		}
	}
	then, _ := answerOf(r.Event.Event)
	reaction, err := c.study.step(r.Event)
	if err != nil {
		return err
	}
	if wanted && reaction.Evaluation == number && number <= len(c.end) {
		if o := c.compare(j, now, then, c.study.loop.Evaluations()[number-1]); o != nil {
			if err := each(*o); err != nil {
				return err
			}
		}
	}
	if c.shadow != nil {
		return c.shadow.mirror(r, c.study, asked, reaction)
	}
	return nil
}

// ask asks the other policy what the study has asked its own.
func (c *comparison) ask() (judge, answer, error) {
	ask := c.study.ask
	var view policies.View
	var err error
	if c.shadow == nil {
		if view, _, err = c.study.view(); !c.options.Policy.Traits().Model {
			view.Posterior, view.Rows, view.Also = nil, nil, nil
		}
	} else {
		if c.shadow.ask.Round != ask.Round {
			return judge{}, answer{}, fmt.Errorf("%w: it asks for no query where the study chose #%d", ErrApart, ask.Round)
		}
		if c.study.asked != c.shadow.asked {
			c.summary.Less++
		}
		ask = c.shadow.ask
		view, err = c.shadow.view()
	}
	if err != nil {
		return judge{config: c.config}, answer{failure: err.Error()}, nil
	}
	a := again(ask, view, c.options.Policy, c.config.Seed)
	j, _ := judged(c.config, c.options.Policy, view) // what it does not explain is looked at with the posterior of the view
	return j, a, nil
}

// compare compares an answer with the recorded one; nil where they are one. Points that the study moved are compared as they were
// proposed, and what took the place of a failure as it is.
func (c *comparison) compare(j judge, now, then answer, chosen loop.Evaluation) *Other {
	c.summary.Asked++
	end := c.end[chosen.Number-1]
	p, can := now.usable(c.config.Space)
	was, could := then.usable(c.config.Space)
	var own *policies.Forecast
	if can && p.Forecast != nil { // it makes forecasts in the units of the values
		own = j.issued(p, chosen.X)
	}
	c.foretold(own, chosen.Forecast, end)
	there := j.at("", chosen.X)
	o := Other{Evaluation: chosen.Number, Chosen: Point{c.config.Space, chosen.Point(c.config.Space)}, Status: end.Status.String(), ChosenMean: there.Mean, ChosenStddev: there.Stddev}
	if valued(c.config, end) {
		v := Number(end.Value)
		o.Value = &v
	}
	if !can {
		if !could {
			return nil // both failed
		}
		o.Failure, o.Distance, o.WouldMean, o.WouldStddev = now.failure, Number(math.NaN()), Number(math.NaN()), Number(math.NaN())
		c.summary.Different++
		c.summary.Failed++
		return &o
	}
	if !could {
		was.X = chosen.X
	}
	far := distance(p.X, was.X)
	if far <= c.options.Tolerance {
		return nil
	}
	here := j.at("", p.X)
	o.Would, o.Distance, o.WouldMean, o.WouldStddev = &here.X, Number(far), here.Mean, here.Stddev
	c.summary.Different++
	c.summary.distances = append(c.summary.distances, far)
	if gain := float64(here.Mean-there.Mean) * c.config.Sense().Sign(); !math.IsNaN(gain) {
		c.summary.gains = append(c.summary.gains, gain)
	}
	return &o
}

// foretold judges the forecast of the other policy and the recorded one, which a query has not that the study moved.
func (c *comparison) foretold(own, recorded *policies.Forecast, end loop.Evaluation) {
	c.own.add(own, end, c.config)
	c.rec.add(recorded, end, c.config)
	if judgeable(own, end, c.config) && judgeable(recorded, end, c.config) {
		c.both[0].add(own, end, c.config)
		c.both[1].add(recorded, end, c.config)
	}
}

// summed is the summary of what was compared so far.
func (c *comparison) summed() Summary {
	s := c.summary
	s.Median, s.Gain = Number(math.NaN()), Number(math.NaN())
	if n := len(s.distances); n > 0 {
		sorted := slices.Sorted(slices.Values(s.distances))
		s.Median = Number((sorted[(n-1)/2] + sorted[n/2]) / 2)
	}
	if len(s.gains) > 0 {
		s.Gain = Number(mean(s.gains))
	}
	if s.Own, s.Theirs = c.own.score(), c.rec.score(); s.Own.Judged > 0 && s.Theirs.Judged > 0 {
		s.Own, s.Theirs = c.both[0].score(), c.both[1].score()
	}
	return s
}
