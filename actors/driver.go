package actors

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// Driver is what every live driver of a loop does besides performing effects: it stamps each event, keeps it, steps the
// loop, and tells the readers of its notices what became of it. It is for one goroutine at a time. Build it with
// NewDriver.
type Driver struct {
	config    Config
	loop      *loop.Loop
	recorder  *journal.Recorder
	readers   []func(Notice)
	untold    []Notice // of events that are not safely kept yet
	reached   bool     // whether a value as good as the target has come
	unsafe    []int    // evaluations whose values are not safely kept yet
	metrics   *metrics // nil: none
	guard     *guard   // of the logger
	chronicle chronicle
	begun     time.Time // by the clock on the wall; zero where the journal does not know
	logged    bool      // whether it was said how the study ended
}

// NewDriver returns a driver of a study in which nothing has happened, or of one that is resumed: then nothing happens
// before the caller has told the loop so (loop.Resumed). An error lists every violation of the configuration, or says why
// the study cannot be resumed. The journal is the driver's until Yield or Close.
func NewDriver(config Config) (*Driver, error) {
	if config.Resume {
		study, err := recorded(config)
		if err != nil {
			return nil, err
		}
		config.Study = study
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	config = config.withDefaults()
	g := &guard{}
	config.Logger = config.Logger.WithOptions(zap.WrapCore(g.around))
	if d := differences(config); len(d) > 0 {
		config.Logger.Warn("study of another program", zap.String("study", config.Name), zap.Strings("differences", d))
	}
	d := &Driver{config: config, guard: g}
	made := false
	defer func() {
		if !made {
			d.Close()
		}
	}()
	if err := errors.Join(d.begin(), g.err()); err != nil {
		return nil, err
	}
	made = true
	return d, nil
}

// begin makes the loop, or rebuilds it, and begins the journal, or goes on with it.
func (d *Driver) begin() error {
	if err := d.start(); err != nil {
		return err
	}
	if err := d.addReaders(); err != nil {
		return err
	}
	if d.config.Resume {
		if d.loop.Unbegun() {
			return errUnbegun
		}
		if err := d.loop.Affords(d.config.Budget, d.config.BudgetCost); err != nil {
			return err
		}
		d.recall()
		d.logStart()
		d.date()
		return nil
	}
	d.logStart()
	var err error
	if d.recorder, err = journal.NewRecorder(d.loop, d.config.Journal); err == nil {
		err = d.prepare()
	}
	if err != nil {
		d.LogEnd(err)
		return err
	}
	d.warnOfCosts()
	d.date()
	return nil
}

var errUnbegun = errors.New("resume: the study broke off before all was kept that it begins with, the known values and the points that come first: want a new study")

// date notes when the study began: now where nothing is kept, and nobody can go on with it.
func (d *Driver) date() {
	if d.config.Journal == nil {
		d.begun = time.Now()
	} else if dated, ok := d.config.Journal.(interface{ Created() (time.Time, error) }); ok {
		d.begun, _ = dated.Created() // what is wrong with it is said by whoever resumes the study
	}
}

// Begun is when the study began, by the clock on the wall: a study that is resumed has the time of its journal, which tells it from another of
// its name. It is the zero time where the journal does not know.
func (d *Driver) Begun() time.Time { return d.begun }

// warnOfCosts says which values of a fidelity cost as much as a greater one, where a study begins.
func (d *Driver) warnOfCosts() {
	where := d.config.Study.Space
	i, has := where.Fidelity()
	if !has {
		return
	}
	if p := where.Parameter(i); p.Dear() != nil {
		d.config.Logger.Warn("fidelities cost as much as a greater one", zap.String("study", d.config.Name),
			zap.String("parameter", p.Name), zap.Float64s("values", p.Dear()), zap.Float64s("costs", p.Costs))
	}
}

// start makes the loop, or rebuilds it.
func (d *Driver) start() (err error) {
	if d.config.Resume {
		d.loop, d.recorder, err = journal.Resume(d.config.Journal.(journal.Store))
		return err
	}
	d.config.Study.Opening = len(d.config.Known) + len(d.config.First)
	d.loop, err = loop.New(d.config.Study)
	return err
}

// differences lists what distinguishes the program that wrote a journal from this one, where the study goes on all the same.
func differences(config Config) []string {
	if !config.Resume {
		return nil
	}
	h, err := config.Journal.(journal.Store).Header()
	if err != nil {
		return nil // it is said by whoever reads it next
	}
	return h.Program.Differences(journal.ThisProgram())
}

// recorded returns the study of the journal that is to be resumed. What does not fit is named before anything is replayed.
func recorded(config Config) (loop.Config, error) {
	store, readable := config.Journal.(journal.Store)
	if !readable {
		return loop.Config{}, &check.FieldError{Field: "Config.Journal", Value: fmt.Sprintf("%T", config.Journal), Want: "a journal.Store, to resume from"}
	}
	h, err := store.Header()
	if err != nil {
		return loop.Config{}, fmt.Errorf("resume: %w", err)
	}
	if d := h.Program.Refuses(journal.ThisProgram()); len(d) > 0 && !config.AnyProgram {
		return loop.Config{}, fmt.Errorf("resume: %w: %s", journal.ErrOtherProgram, strings.Join(d, ", "))
	}
	if config.Policy != nil && !config.Policy.Traits().Equal(h.Config.Traits) {
		return loop.Config{}, fmt.Errorf("resume: %w", &check.FieldError{
			Field: "Config.Policy", Value: config.Policy.Traits().Name, Want: "the policy of the study, " + h.Config.Traits.Name,
		})
	}
	return h.Config, nil
}

// suffices reports whether a value is as good as the target.
func (d *Driver) suffices(value float64) bool {
	return d.config.Target != nil && d.config.Study.Sense().Reaches(value, *d.config.Target)
}

// Yield lets another study have the journal: journal.Recorder.Yield.
func (d *Driver) Yield() {
	if d.recorder != nil {
		d.recorder.Yield()
	}
}

// Broken says how the logger of the configuration failed, so that the study cannot go on; nil where it did not. It is not called again.
func (d *Driver) Broken() error { return d.guard.err() }

// Resumption returns the events with which a study that is resumed goes on: that it is, and the budget that it was given, where
// that changes something. With a budget a study that has ended reopens.
func (d *Driver) Resumption() (events []loop.Event, reopens bool) {
	given, cost := d.config.Budget, d.config.BudgetCost
	if cost != 0 && given == 0 {
		given = d.loop.Config().Budget
	}
	if given == 0 && d.config.Target != nil && d.loop.Reason() == loop.ReasonTarget && !d.reached {
		given = d.loop.Config().Budget // it ended for another target
	}
	events = append(events, loop.Resumed{}) // first: the workers of the process that is gone get nothing more to do
	other := given != d.loop.Config().Budget || cost != 0 && cost != d.loop.Config().BudgetCost
	if given != 0 && (other || d.loop.Finished() && d.loop.Spent() < given) {
		return append(events, loop.BudgetSet{Budget: given, Cost: cost}), true
	}
	return events, false
}

// recall restores what notices say beyond their events.
func (d *Driver) recall() {
	_, d.chronicle.at = d.loop.Now()
	if best := d.loop.Best(); best != nil {
		d.chronicle.incumbent, d.chronicle.x = best.Number, best.Point(d.config.Study.Space)
		d.reached = d.suffices(best.Value)
	}
	d.chronicle.looked = len(d.loop.Evaluations())
	d.chronicle.costs = d.loop.Cost() > 0
}

// Loop returns the loop, to be read.
func (d *Driver) Loop() *loop.Loop { return d.loop }

// Predict answers Predict and Recommend. Cost O(n²) for n evaluations, and O(n³) after new hyperparameters.
func (d *Driver) Predict(message any) Predicted {
	var p Predicted
	switch m := message.(type) {
	case Predict:
		p.X = d.config.Study.Space.Meant(m.X)
		p.Prediction, p.Err = d.loop.Predict(p.X)
	case Recommend:
		p.X, p.Prediction, p.Err = d.loop.Recommend(d.config.Study.Space.ExactContext(m.Context))
	default:
		p.Err = fmt.Errorf("%T is no question: want Predict or Recommend", message)
	}
	if p.Err == nil {
		p.Feasible, p.Err = d.loop.Feasible(p.X)
	}
	return p
}

// Elapsed returns how long ago a study that is resumed has started: by the clock on the wall where its journal knows when
// it was begun, and never less than the time of its last event.
func (d *Driver) Elapsed() time.Duration {
	at := d.At()
	if d.config.Journal != nil && !d.begun.IsZero() {
		at = max(at, time.Since(d.begun))
	}
	return at
}

// At returns when the last event happened, since the study started.
func (d *Driver) At() time.Duration { return d.chronicle.at }

// Step takes an event and returns what became of it and what the loop wants done, once Sync has returned. After an error the
// study cannot go on.
func (d *Driver) Step(at time.Duration, e loop.Event) (loop.Reaction, error) {
	stamped, reaction, err := d.recorder.Step(at, d.decided(e))
	if err != nil {
		return loop.Reaction{}, err
	}
	d.keeps(e)
	d.narrate(stamped, reaction)
	return reaction, nil
}

// Sync returns when every event is as safe as the journal makes it, and its readers have heard of it. After an error the
// study cannot go on: the events since the last call are not kept, and nobody may act upon them.
func (d *Driver) Sync() error {
	if err := d.recorder.Sync(); err != nil {
		d.untold = nil
		return err
	}
	if len(d.unsafe) > 0 { // after the end nothing changes any more, and others may look
		d.unsafe = d.unsafe[:0]
	}
	d.tellReaders()
	return nil
}

func (d *Driver) tellReaders() {
	for len(d.untold) > 0 {
		d.tellOne()
	}
}

// tellOne tells the readers of the oldest notice that they have not heard of.
func (d *Driver) tellOne() {
	n := d.untold[0]
	d.untold = d.untold[1:]
	for _, read := range d.readers {
		read(n)
	}
}
