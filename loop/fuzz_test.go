package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/hostile"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// What one execution may cost.
const (
	fuzzBudget = 40 // evaluations
	fuzzDim    = 6  // parameters
	fuzzAsks   = 5  // answered by the policy; the others get forced points
	fuzzFits   = 2  // that are computed; the others fail
	fuzzOps    = 400
)

// FuzzStudy plays a study that bytes decide: what it is, what its workers say, and who proposes. Whatever they say, no
// step fails, nothing panics, the state stays consistent, and what the policy and the model say is finite and inside.
func FuzzStudy(f *testing.F) {
	for i, kind := range hostile.Kinds() {
		for j := range policies.Names() {
			f.Add(fuzzSeed(kind, i, j))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := fuzzStudy{t: t, tape: tape{data}}
		s.start()
		for ops := 0; len(s.data) > 0 && ops < fuzzOps; ops++ {
			s.act()
		}
		s.end()
	})
}

// fuzzSeed writes the bytes of a study with values of a kind: header, a worker, and rounds of proposals and answers.
func fuzzSeed(kind hostile.Kind, domain, policy int) []byte {
	known := 0
	if kind.Known {
		known = 1
	}
	out := []byte{byte(domain), byte(policy), byte(domain), byte(known), 24, 3, byte(policy)}
	out = append(out, actJoin, 1, 4, actContext, 128)
	for number := 1; number <= 24; number++ {
		by := []byte{actPolicy}
		if kind.Points != hostile.Free && number%4 != 0 || number%4 == 1 {
			by = []byte{actForced, byte(kind.Points), byte(number)}
		}
		out = append(append(out, by...), actFit, actContext, byte(number), actValue, 0)
		y := kind.Value(hostile.Query{Seed: uint64(domain), Number: number, Order: number, X: []float64{float64(number%7) / 7}})
		out = binary.BigEndian.AppendUint64(out, math.Float64bits(y))
	}
	return append(out, actFollows, 0, actFail, 0, actRepeat, 3, actWake, 200, actLeave, 1, actJoin, 2, 1)
}

// tape gives bytes, and zeros after its end.
type tape struct{ data []byte }

func (t *tape) byte() byte {
	if len(t.data) == 0 {
		return 0
	}
	b := t.data[0]
	t.data = t.data[1:]
	return b
}

func (t *tape) below(n int) int { return int(t.byte()) % n }

// float is any float64: any bits.
func (t *tape) float() float64 {
	var bits uint64
	for range 8 {
		bits = bits<<8 | uint64(t.byte())
	}
	return math.Float64frombits(bits)
}

// set reports whether bit i of b is.
func set(b byte, i int) bool { return b>>i&1 == 1 }

// floats are n of them.
func (t *tape) floats(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = t.float()
	}
	return out
}

// fuzzStudy is a study under way with what it waits for.
type fuzzStudy struct {
	tape
	t          *testing.T
	config     Config
	policy     policies.Policy
	loop       *Loop
	seq        uint64
	now        time.Duration
	seed       uint64
	dispatches []Dispatch
	ask        Ask
	fit        *Fit
	asks, fits int
	finished   bool
}

// start reads what the study is. The header has seven bytes.
func (s *fuzzStudy) start() {
	var domains []hostile.Domain
	for _, d := range hostile.Domains() {
		if d.Dim <= fuzzDim {
			domains = append(domains, d)
		}
	}
	domain := domains[s.below(len(domains))]
	names := policies.Names()
	policy, err := policies.Parse(names[s.below(len(names))], "features=64")
	if err != nil {
		s.t.Fatal(err)
	}
	how, model := s.byte(), s.byte()
	s.policy, s.seed = policy, uint64(how)
	s.config = Config{
		Space: domain.Space(s.seed), Traits: policy.Traits(), Seed: s.seed, Budget: 1 + s.below(fuzzBudget),
		Minimize: set(how, 0), FitBeside: set(how, 1), Design: space.Design(how >> 2 % 3),
	}
	s.config.Initial = min(s.below(8), s.config.Budget)
	limits := s.byte()
	if set(limits, 0) {
		s.config.Timeout = 100 * time.Millisecond
	}
	if set(limits, 1) {
		s.config.Window = feedback.Window{Rounds: 3, Strict: set(limits, 2)}
	}
	s.config.Retries = int(limits >> 3 % 4)
	if set(limits, 5) {
		s.config.Patience = time.Second
	}
	s.chooseModel(model)
	if s.loop, err = New(s.config); err != nil {
		s.t.Fatal(err)
	}
}

// chooseModel takes a known one with next to no noise, or one of the kernels.
func (s *fuzzStudy) chooseModel(model byte) {
	kernels := surrogate.KernelNames()
	s.config.Model.Kernel = kernels[int(model>>1)%len(kernels)]
	if model&1 == 1 {
		s.config.Model.Kernel, s.config.Model.Noise = "se", 1e-12
		kernel, err := surrogate.NewKernel("se", s.config.Space.Dim())
		if err != nil {
			s.t.Fatal(err)
		}
		s.config.Model.Hyper = hyperOf(kernel)
	}
}

// step feeds an event and remembers what the loop wants.
func (s *fuzzStudy) step(e Event) {
	s.t.Helper()
	s.seq++
	effects, err := s.loop.Step(Stamped{s.seq, s.now, e})
	if err != nil {
		s.t.Fatalf("event %d, %+v: %v", s.seq, e, err)
	}
	if err := s.loop.Check(); err != nil {
		s.t.Fatalf("after event %d, %+v: %v", s.seq, e, err)
	}
	for _, effect := range effects {
		switch effect := effect.(type) {
		case Ask:
			s.ask = effect
		case Fit:
			s.fit = &effect
		case Dispatch:
			if err := s.config.Space.Contains(effect.X); err != nil {
				s.t.Fatalf("evaluation %d: %v", effect.Evaluation, err)
			}
			s.dispatches = append(s.dispatches, effect)
		case Finish:
			s.finished = true
			s.judge(effect.Result)
		}
	}
}

// take removes one of the open dispatches; without any it is an evaluation that does not exist.
func (s *fuzzStudy) take() Dispatch {
	k := int(s.byte())
	if len(s.dispatches) == 0 {
		return Dispatch{Evaluation: k, Attempt: 1}
	}
	k %= len(s.dispatches)
	d := s.dispatches[k]
	s.dispatches = append(s.dispatches[:k], s.dispatches[k+1:]...)
	return d
}

// The things that may happen.
const (
	actValue = iota // an open dispatch is answered
	actFail
	actRepeat // a value for any evaluation and attempt near those that exist
	actUnknown
	actFollows
	actJoin
	actLeave
	actWake
	actContext // one of the space
	actAnyContext
	actPolicy // the policy answers the open ask
	actForced // a forced point does
	actAnyPoint
	actProposeFailed
	actFit
	actAnyFit
	actFitFailed
	actStop
	actions
)

// act does what the next bytes say.
func (s *fuzzStudy) act() {
	n := len(s.loop.Evaluations())
	switch action := s.below(actions); action {
	case actValue:
		d := s.take()
		s.step(FeedbackArrived{d.Evaluation, d.Attempt, s.float()})
	case actFail:
		d := s.take()
		s.step(EvaluationFailed{d.Evaluation, d.Attempt, "broken"})
	case actRepeat:
		s.step(FeedbackArrived{s.below(n + 2), s.below(4), s.float()})
	case actUnknown:
		s.step(FeedbackArrived{int(int8(s.byte())), int(int8(s.byte())), 1})
		s.step(EvaluationFailed{int(int8(s.byte())), int(int8(s.byte())), ""})
	case actFollows:
		d := s.take()
		s.step(AnswerFollows{d.Evaluation, d.Attempt, d.Evaluation%3 == 0})
		s.dispatches = append(s.dispatches, d)
	case actJoin:
		s.step(WorkerJoined{s.below(4), int(int8(s.byte()))})
	case actLeave:
		s.step(WorkerLeft{s.below(4), "gone"})
	case actWake:
		s.now += time.Duration(s.byte()) * time.Millisecond
		s.step(Woke{})
	case actContext:
		s.step(ContextArrived{hostile.Context(s.config.Space, s.seed, s.below(256))})
	case actAnyContext:
		s.step(ContextArrived{s.floats(s.below(4))})
	case actStop:
		if s.byte() == actStop { // rarely
			s.step(StopRequested{"enough"})
		}
	case actFit, actAnyFit, actFitFailed:
		s.answerFit(action)
	default:
		s.answerAsk(action)
	}
}

// answerFit computes the open fit, or says anything in its place.
func (s *fuzzStudy) answerFit(action int) {
	fit, id := s.fit, 1 // answered already, or never begun
	if fit != nil {
		id = fit.ID
	}
	s.fit = nil
	switch {
	case action == actAnyFit:
		s.step(Fitted{Fit: id, Hyper: s.floats(s.below(4)), Noise: s.float()})
	case action == actFitFailed || fit == nil || s.fits == fuzzFits:
		s.step(FitFailed{id, "no result"})
	default:
		s.fits++
		fitted := fit.Run()
		if _, failed := fitted.(FitFailed); failed {
			s.t.Errorf("%+v", fitted)
		}
		s.step(fitted)
	}
}

// answerAsk lets the policy answer the open ask, or says anything in its place.
func (s *fuzzStudy) answerAsk(action int) {
	ask, place, number := s.ask, hostile.Free, s.ask.Round
	if action == actForced {
		place, number = hostile.Points(s.below(1+len(hostile.Forced()))), s.below(256)
	}
	if s.finished || ask.ID == 0 { // answered already, or never asked
		s.step(Proposed{Ask: ask.ID})
		return
	}
	s.ask = Ask{}
	dim := s.config.Space.Dim()
	switch {
	case action == actPolicy && s.asks < fuzzAsks:
		s.asks++
		view, trouble := s.loop.Task().View()
		event := Propose(ask, view, s.policy, s.seed)
		proposed, ok := event.(Proposed)
		if !ok {
			s.t.Fatalf("the policy failed: %+v", event)
		}
		for _, p := range proposed.Proposals {
			s.inspect(view, p)
		}
		proposed.Trouble = trouble
		s.step(proposed)
	case action == actAnyPoint:
		s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: s.floats(dim)}}})
	case action == actProposeFailed:
		s.step(ProposeFailed{ask.ID, "no idea"})
	default:
		p := policies.Proposal{X: s.config.Space.Snap(place.At(s.seed, number, dim))}
		s.inspect(s.loop.View(), p)
		s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{p}})
	}
}

// inspect wants a proposal inside the space, and everything that is predicted there to be finite.
func (s *fuzzStudy) inspect(v policies.View, p policies.Proposal) {
	s.t.Helper()
	err := s.config.Space.ContainsUnit(p.X)
	if err != nil {
		s.t.Fatalf("round %d: %v", v.Round, err)
	}
	if f := p.Forecast; f != nil {
		err = errors.Join(finite("forecast", f.Mean, f.Shift, f.Scale), positive("forecast", f.Stddev))
	}
	if v.Posterior != nil {
		mean, variance := v.Posterior.Predict(p.X)
		err = errors.Join(err, finite("mean", mean), positive("variance", variance), finite("pool", v.Posterior.PoolMean()...), positive("pool", v.Posterior.PoolVariance()...))
	}
	if err != nil {
		s.t.Fatalf("round %d, at %v: %v", v.Round, p.X, err)
	}
}

func finite(what string, values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %v among %v", what, v, values)
		}
	}
	return nil
}

func positive(what string, values ...float64) error {
	for _, v := range values {
		if !(v >= 0) {
			return fmt.Errorf("%s: %v among %v", what, v, values)
		}
	}
	return finite(what, values...)
}

// judge wants the best value of a result to be one.
func (s *fuzzStudy) judge(r Result) {
	s.t.Helper()
	valued := 0
	for _, e := range r.Evaluations {
		if e.Status.Valued() {
			valued++
		}
	}
	if (r.Best != nil) != (valued > 0) || (r.Recommended != nil) != (valued > 0) {
		s.t.Fatalf("best %v, recommended %v, %d values", r.Best, r.Recommended, valued)
	}
	if r.Best != nil && finite("best", r.Best.Value) != nil {
		s.t.Fatalf("best value %v", r.Best.Value)
	}
}

// end stops the study; what is still running answers afterwards.
func (s *fuzzStudy) end() {
	s.step(StopRequested{"the bytes are at their end"})
	if !s.finished {
		s.t.Fatal("a study that was stopped goes on")
	}
	for _, d := range s.dispatches {
		s.step(FeedbackArrived{d.Evaluation, d.Attempt, 1})
	}
	s.judge(s.loop.Result())
}
