package loop

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

var rewrite = flag.Bool("rewrite", false, "write the reactions that the scripts in testdata produce")

// TestScripts plays every scenario in testdata: a command, a line of dashes, and the full reaction, up to an empty
// line. go test ./loop -rewrite regenerates them; read the difference.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("the reaction changed; run with -rewrite and read the difference:\n%s", got)
			}
		})
	}
}

// play runs a script and returns it with the reactions it produced. Lines that start with # are kept.
func play(t *testing.T, text string) string {
	var out strings.Builder
	p := player{t: t}
	for block := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		for line := range strings.SplitSeq(block, "\n") {
			if line == "----" {
				break
			}
			out.WriteString(line + "\n")
			if !strings.HasPrefix(line, "#") {
				p.command(line)
			}
		}
		out.WriteString("----\n" + p.reaction.String())
		p.reaction.Reset()
	}
	return out.String()
}

type player struct {
	t        *testing.T
	loop     *Loop
	seq      uint64
	at       time.Duration
	reaction strings.Builder
}

func (p *player) command(line string) {
	words := strings.Fields(line)
	args := arguments{p.t, line, map[string]string{}}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		args.m[key] = value
	}
	if at := args.m["at"]; at != "" {
		p.at = args.duration("at")
	}
	switch words[0] {
	case "study":
		p.study(args)
	case "check":
		p.say("%d evaluations, counters %+v", len(p.loop.Evaluations()), p.loop.Counters())
	case "held":
		p.say("%s", [...]string{"nothing holds the next query back", "the study has ended", "the budget is spent", "the batch waits for answers", "no context is there"}[p.loop.Held()])
	case "view":
		v := p.loop.View()
		p.say("round %d, %d queries, pending %v, %d answers, context %v", v.Round, len(v.Queries), v.Pending, len(v.History), v.Context)
	default:
		p.step(p.event(words[0], args))
	}
}

func (p *player) event(name string, a arguments) Event {
	evaluation, attempt := a.int("evaluation", 0), a.int("attempt", 1)
	switch name {
	case "join":
		return WorkerJoined{a.int("worker", 1), a.int("slots", 1)}
	case "resize":
		return WorkerResized{a.int("worker", 1), a.int("slots", 1)}
	case "leave":
		return WorkerLeft{a.int("worker", 1), a.m["reason"]}
	case "propose":
		var proposals []policies.Proposal
		for point := range strings.SplitSeq(a.m["x"], ";") {
			proposals = append(proposals, policies.Proposal{X: a.floats(point)})
		}
		return Proposed{Ask: a.int("ask", p.loop.plan.asked), Proposals: proposals}
	case "propose-failed":
		return ProposeFailed{a.int("ask", p.loop.plan.asked), a.m["reason"]}
	case "feedback":
		return FeedbackArrived{Evaluation: evaluation, Attempt: attempt, Outcome: outcome.Outcome{Value: a.floats(a.m["y"])[0], Cost: a.floats(a.text("cost", "0"))[0], Constraints: a.optional("constraints"), Infeasible: a.m["infeasible"] == "yes"}, Suffices: a.m["suffices"] == "yes"}
	case "follows":
		return AnswerFollows{evaluation, attempt, a.int("retire", 0) == 1}
	case "failed":
		verdicts := map[string]outcome.Verdict{"": outcome.Failed, "infeasible": outcome.Infeasible, "lost": outcome.Lost}
		return EvaluationFailed{Evaluation: evaluation, Attempt: attempt, Failure: outcome.Failure{Reason: a.m["reason"], Verdict: verdicts[a.m["verdict"]]}}
	case "report":
		return Reported{evaluation, attempt, a.floats(a.m["step"])[0], a.floats(a.m["y"])[0]}
	case "renew":
		return LeaseRenewed{evaluation, attempt}
	case "cancel":
		return CancelRequested{evaluation, a.m["reason"]}
	case "observe":
		return ObservationArrived{X: a.floats(a.m["x"]), Value: a.floats(a.m["y"])[0]}
	case "enqueue":
		return QueryEnqueued{a.floats(a.m["x"])}
	case "resume":
		return Resumed{}
	case "budget":
		return BudgetSet{Budget: a.int("n", 0)}
	case "context":
		return ContextArrived{a.floats(a.m["z"])}
	case "fitted":
		return Fitted{Fit: a.int("fit", 1), Hyper: a.floats(a.m["hyper"]), Noise: a.floats(a.m["noise"])[0]}
	case "fit-failed":
		return FitFailed{a.int("fit", 1), a.m["reason"]}
	case "wake":
		return Woke{}
	case "stop":
		return StopRequested{a.m["reason"]}
	}
	p.t.Fatalf("unknown command %q", name)
	return nil
}

func (p *player) study(a arguments) {
	parameters := []space.Parameter{space.Float("x", 0, 10), space.Float("y", -1, 1)}
	if a.m["context"] == "yes" {
		parameters = append(parameters, space.Int("day", 1, 7).AsContext())
	}
	s, err := space.New(parameters...)
	if err != nil {
		p.t.Fatal(err)
	}
	policy, err := policies.Parse(a.text("policy", "random"))
	if err != nil {
		p.t.Fatal(err)
	}
	c := Config{
		Space: s, Traits: policy.Traits(), Seed: 1, Budget: a.int("budget", 4), Initial: a.int("initial", 1), Minimize: a.m["minimize"] == "yes",
		Window:    feedback.Window{Rounds: a.int("window", 0), Strict: a.m["strict"] == "yes"},
		StopEarly: a.floats(a.text("stop-early", "0"))[0], Barrier: a.int("barrier", 0), Timeout: a.duration("timeout"), Retries: a.int("retries", 0), Patience: a.duration("patience"), Lease: a.duration("lease"),
	}
	if p.loop, err = New(c); err != nil {
		p.say("%v", err)
	}
}

// step feeds an event and writes what changed and what is to be done.
func (p *player) step(e Event) {
	p.seq++
	before := append([]Evaluation(nil), p.loop.Evaluations()...)
	counters := p.loop.Counters()
	reaction, err := p.loop.Step(Stamped{p.seq, p.at, e})
	if err != nil {
		p.say("error: %v", err)
		return
	}
	if err := p.loop.Check(); err != nil {
		p.t.Errorf("after %T: %v", e, err)
	}
	for i, now := range p.loop.Evaluations() {
		switch {
		case i >= len(before) && now.Foreign:
			p.say("%v #%d elsewhere: %.6g", now.Status, now.Number, now.Value)
		case i >= len(before):
			p.say("opened #%d in round %d", now.Number, now.Round)
		case now.Status != before[i].Status && now.Status.Valued():
			p.say("%v #%d after %d rounds (%v): %.6g", now.Status, now.Number, now.Seen-now.Round, now.Ended-now.At, now.Value)
		case now.Status != before[i].Status:
			p.say("%v #%d %s", now.Status, now.Number, now.Reason)
		case before[i].Running && !now.Running:
			p.say("attempt %d of #%d is over: %s", now.Attempt, now.Number, now.Reason)
		case now.Lease > before[i].Lease:
			p.say("lease of #%d until %v", now.Number, now.Lease)
		}
	}
	if c := p.loop.Counters(); c != counters {
		p.say("counters %s", difference(counters, c))
	}
	for _, effect := range reaction.Effects {
		p.effect(effect)
	}
}

func (p *player) effect(effect Effect) {
	switch e := effect.(type) {
	case Ask:
		p.say("ask %d: round %d, %d pending", e.ID, e.Round, len(p.loop.View().Pending))
	case Dispatch:
		p.say("dispatch #%d attempt %d to worker %d at %.3v%s", e.Evaluation, e.Attempt, e.Worker, e.X, deadline(e.Deadline))
	case Cancel:
		p.say("cancel #%d attempt %d on worker %d", e.Evaluation, e.Attempt, e.Worker)
	case WakeAt:
		p.say("wake at %v", e.At)
	case Fit:
		p.say("fit %d: %d answers", e.ID, len(e.Y))
	case Finish:
		best := "no value"
		if b := e.Result.Best; b != nil {
			best = fmt.Sprintf("best #%d %.6g", b.Number, b.Value)
		}
		p.say("finish: %s, %s", e.Result.Reason, best)
	}
}

func deadline(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf(" until %v", d)
}

// difference prints the counters that moved.
func difference(a, b Counters) string {
	before, after := strings.Fields(fmt.Sprintf("%+v", a)), strings.Fields(fmt.Sprintf("%+v", b))
	var out []string
	for i := range after {
		if before[i] != after[i] {
			out = append(out, strings.Trim(after[i], "{}"))
		}
	}
	return strings.Join(out, " ")
}

func (p *player) say(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		p.reaction.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// arguments are the key=value words of a command.
type arguments struct {
	t    *testing.T
	line string
	m    map[string]string
}

func (a arguments) text(key, fallback string) string {
	if v, ok := a.m[key]; ok {
		return v
	}
	return fallback
}

func (a arguments) int(key string, fallback int) int {
	v, err := strconv.Atoi(a.text(key, strconv.Itoa(fallback)))
	if err != nil {
		a.t.Fatalf("%s: %v", a.line, err)
	}
	return v
}

func (a arguments) duration(key string) time.Duration {
	v, err := time.ParseDuration(a.text(key, "0s"))
	if err != nil {
		a.t.Fatalf("%s: %v", a.line, err)
	}
	return v
}

// optional are numbers that need not be there.
func (a arguments) optional(key string) []float64 {
	if a.m[key] == "" {
		return nil
	}
	return a.floats(a.m[key])
}

func (a arguments) floats(list string) []float64 {
	var out []float64
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			a.t.Fatalf("%s: %v", a.line, err)
		}
		out = append(out, v)
	}
	return out
}
