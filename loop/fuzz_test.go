package loop

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
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
		for j := range policies.General() {
			if !raced || (i+j)%22 == 0 {
				f.Add(fuzzSeed(kind, i, j))
			}
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
	out := []byte{byte(domain), byte(policy), byte(domain), byte(known), 24, 3, 64 | byte(policy)}
	out = append(out, actJoin, 1, 4, actContext, 128)
	for number := 1; number <= 24; number++ {
		by := []byte{actPolicy}
		if kind.Points != hostile.Free && number%4 != 0 || number%4 == 1 {
			by = []byte{actForced, byte(kind.Points), byte(number)}
		}
		out = append(append(out, by...), actFit, actContext, byte(number), actValue, 0)
		y := kind.Value(hostile.Query{Seed: uint64(domain), Number: number, Order: number, X: []float64{float64(number%7) / 7}})
		out = binary.BigEndian.AppendUint64(out, math.Float64bits(y))
		out = append(out, fuzzVisits(number)...)
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
	events     []Stamped
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
	names := policies.General()
	policy, err := policies.Parse(names[s.below(len(names))], "features=64")
	if err != nil {
		s.t.Fatal(err)
	}
	how, model := s.byte(), s.byte()
	s.policy, s.seed = policy, uint64(how)
	s.config = Config{
		Space: domain.Space(s.seed), Traits: policy.Traits(), Seed: s.seed, Budget: 1 + s.below(fuzzBudget),
		Minimize: set(how, 0), FitBeside: set(how, 1), FitAbreast: set(how, 7), Design: space.Design(how >> 2 % 3),
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
	if set(limits, 6) {
		s.config.Lease = 300 * time.Millisecond
	}
	if set(how, 4) {
		if s.config.StopEarly = 0.4; s.config.wantsStopEarly() != "" {
			s.config.StopEarly = 0
		}
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
	s.events = append(s.events, Stamped{s.seq, s.now, e})
	before := standingOf(s.loop)
	reaction, err := s.loop.Step(Stamped{s.seq, s.now, e})
	if err != nil {
		s.t.Fatalf("event %d, %+v: %v", s.seq, e, err)
	}
	agree(s.t, s.loop, e, reaction, before)
	if err := s.loop.Check(); err != nil {
		s.t.Fatalf("after event %d, %+v: %v", s.seq, e, err)
	}
	s.finished = s.finished && s.loop.Finished() // another budget lets it go on
	for _, effect := range reaction.Effects {
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
