package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

// Version is that of the messages. A worker of another one is refused.
const Version = 1

// The limits of messages.
const (
	MaxSlots      = 1024                  // of one worker
	MaxWorkers    = 10_000                // of one hub
	MaxLabels     = 32                    // of one worker
	maxName       = 64                    // bytes of the name of a worker, of an instance, of a label
	maxStudyName  = 256                   // bytes
	maxReason     = 16 << 10              // bytes
	maxMessage    = 512 << 10             // bytes
	maxRunning    = MaxSlots + MaxSlots/4 // attempts in one message, which fit whatever their study is called
	maxDimensions = 4096                  // numbers of a point
	maxPart       = 128 << 10
	maxDuration   = 1 << 53 // nanoseconds
)

// id names an attempt of a study, as far as both ends know it.
type id struct {
	Study      string `json:"study"`
	Evaluation int    `json:"evaluation"`
	Attempt    int    `json:"attempt"`
	Token      string `json:"token,omitempty"`
}

// name is the attempt without its token.
func (i id) name() id { i.Token = ""; return i }

// To the hub.
type (
	joinMessage struct {
		Version int      `json:"version"`
		Epoch   uint64   `json:"epoch,omitempty"`
		Slots   int      `json:"slots"`
		Labels  []string `json:"labels,omitempty"`
		Study   string   `json:"study,omitempty"` // only this one
		Running []id     `json:"running,omitempty"`
	}
	studyMessage struct {
		Epoch uint64 `json:"epoch,omitempty"`
		Study string `json:"study"`
		From  int    `json:"from,omitempty"` // bytes that are there already
	}
	beatMessage struct {
		Epoch   uint64 `json:"epoch,omitempty"`
		Slots   int    `json:"slots"`
		Running []id   `json:"running,omitempty"`
	}
	resultMessage struct {
		Epoch uint64 `json:"epoch,omitempty"`
		id
		Outcome  *foundMessage  `json:"outcome,omitempty"`
		Failure  *failedMessage `json:"failure,omitempty"`
		Follows  bool           `json:"follows,omitempty"`
		Returned bool           `json:"returned,omitempty"`
		Found    bool           `json:"found,omitempty"` // the outcome or the failure is what an earlier attempt had left
	}
	foundMessage struct {
		Value       *float64 `json:"value"`
		Cost        float64  `json:"cost,omitempty"`
		Constraints point    `json:"constraints,omitempty"`
		Infeasible  bool     `json:"infeasible,omitempty"`
	}
	failedMessage struct {
		Kind   string `json:"kind"`
		Reason string `json:"reason"`
	}
	reportMessage struct {
		Epoch uint64 `json:"epoch,omitempty"`
		id
		Step  *float64 `json:"step"`
		Value *float64 `json:"value"`
	}
	leaveMessage struct {
		Epoch  uint64 `json:"epoch,omitempty"`
		Reason string `json:"reason"`
	}
)

// To the worker. Error says why a message was refused.
type (
	joinReply struct {
		Epoch     uint64        `json:"epoch"`
		Heartbeat time.Duration `json:"heartbeat,omitempty"` // nanoseconds
		Missed    int           `json:"missed,omitempty"`
		Error     string        `json:"error,omitempty"`
	}
	studyReply struct {
		Epoch uint64 `json:"epoch"`
		Total int    `json:"total,omitempty"` // bytes of the description
		Part  []byte `json:"part,omitempty"`
		Error string `json:"error,omitempty"`
	}
	beatReply struct {
		Epoch  uint64 `json:"epoch"`
		Stop   []id   `json:"stop,omitempty"`
		Rejoin bool   `json:"rejoin,omitempty"`
		Error  string `json:"error,omitempty"`
	}
	resultReply struct {
		Epoch uint64 `json:"epoch"`
		Fate  string `json:"fate,omitempty"`
		Later bool   `json:"later,omitempty"` // not taken yet, and to be repeated
		Error string `json:"error,omitempty"`
	}
	reportReply struct {
		Epoch uint64 `json:"epoch"`
		Stop  bool   `json:"stop,omitempty"`
		Late  bool   `json:"late,omitempty"` // it is to stop since its time is up
		Error string `json:"error,omitempty"`
	}
	leaveReply struct {
		Epoch uint64 `json:"epoch"`
		Error string `json:"error,omitempty"`
	}
	jobMessage struct {
		Epoch uint64 `json:"epoch"`
		id
		About  string        `json:"about,omitempty"` // which description of the study holds
		X      point         `json:"x,omitempty"`
		Left   time.Duration `json:"left,omitempty"` // nanoseconds until it is given up; 0: never
		Parent string        `json:"traceparent,omitempty"`
		Stop   []id          `json:"stop,omitempty"` // in place of a job
		Late   bool          `json:"late,omitempty"` // their time is up, however much of it the worker takes to be left
	}
)

// The kinds of a failure.
const (
	kindFailed     = "failed"
	kindInfeasible = "infeasible"
	kindLost       = "lost"
	kindDeclined   = "declined"
)

// verdicts of the kinds that the loop knows.
var verdicts = map[string]outcome.Verdict{kindFailed: outcome.Failed, kindInfeasible: outcome.Infeasible, kindLost: outcome.Lost}

// point is numbers of which some may be NaN, which is null.
type point []float64

// MarshalJSON writes the numbers so that they come back to the bit.
func (p point) MarshalJSON() ([]byte, error) {
	numbers := make([]*float64, len(p))
	for i := range p {
		if !math.IsNaN(p[i]) {
			numbers[i] = &p[i]
		}
	}
	return json.Marshal(numbers)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *point) UnmarshalJSON(text []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(text, &numbers); err != nil {
		return err
	}
	*p = make(point, len(numbers))
	for i, n := range numbers {
		(*p)[i] = math.NaN()
		if n != nil {
			(*p)[i] = *n
		}
	}
	return nil
}

// checked is a message that knows what may be in it.
type checked interface{ check() error }

// decode reads a message. Members that are not known, values out of bounds and anything behind the message are errors.
func decode(text []byte, m checked) error {
	if len(text) > maxMessage {
		return fmt.Errorf("message: %d bytes: want at most %d", len(text), maxMessage)
	}
	if err := check.Object(text, m); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return m.check()
}

// encode writes a message, which is one of ours.
func encode(m any) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("remote: a message of our own: %v", err)) // numbers are finite
	}
	return text
}

// isName reports whether a text can be one token of a subject.
func isName(s string) bool {
	return s != "" && len(s) <= maxName && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
}
