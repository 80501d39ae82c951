// Package rng names every random stream of a study, so that no generator is ever shared and none can get out of
// step: the numbers drawn for one purpose do not move when a draw is added for another.
//
// A stream is keyed by (seed, name, index). The key is hashed with SHA-256 and the first sixteen bytes seed a PCG of
// math/rand/v2. The same key gives the same numbers on every platform and in every version of Go that keeps PCG.
//
//	noise := rng.New(seed, rng.Noise, evaluation) // one stream for each evaluation
//	y := f(x) + sd*noise.NormFloat64()
//
// The package is pure. A returned generator is not safe for concurrent use; make one for each goroutine.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Name says what a stream is for. Two purposes never share a name.
type Name string

// The streams of the house, with what their index counts.
const (
	Policy    Name = "policy"    // a policy's own draws; index: round
	Glance    Name = "glance"    // a look at where a search would set out; index: round
	Fallback  Name = "fallback"  // the uniform point used when a policy fails; index: round
	Fit       Name = "fit"       // hyperparameter fits; index: revision
	Particles Name = "particles" // where particles of a kernel begin; index: 0
	Design    Name = "design"    // the initial design; index: 0
	Pool      Name = "pool"      // points whose mean and variance are kept up to date; index: 0
	Enqueue   Name = "request"   // what an enqueued query leaves open; index: evaluations and enqueued points before
	Apart     Name = "apart"     // a step away from a query that pends or has failed; index: evaluation
	Recommend Name = "recommend" // the search for the point that the model expects most of; index: evaluations
	Delay     Name = "delay"     // delays; index: evaluation
	Noise     Name = "noise"     // observation noise; index: evaluation
	Gauge     Name = "gauge"     // noise of what is measured of constraints; index: evaluation
	Fault     Name = "fault"     // injected faults; index: evaluation
	Context   Name = "context"   // contexts drawn by the simulator; index: round
	Problem   Name = "problem"   // problems that are drawn at random; index: 0
	Earlier   Name = "earlier"   // what a study is told of earlier ones; index: 0
	Meta      Name = "meta"      // learning a prior from studies; index: the part, then the task left out
	Task      Name = "task"      // what differs from task to task of a problem; index: task
	World     Name = "world"     // random worlds of the swarm; index: 0
	Train     Name = "train"     // model training (shuffles, initial weights); index: 0
	Split     Name = "split"     // division of a data set; index: 0
	Summary   Name = "summary"   // the points at which particles are summed up; index: 0
	Channel   Name = "channel"   // noise of a shared channel; index: 0
	Quantizer Name = "quantizer" // the bits of what is quantized at random; index: 0
	Loss      Name = "loss"      // rounds of which the privacy loss is simulated; index: 0
	Test      Name = "test"      // streams made by tests
)

// New returns the generator of the stream (seed, name, index).
func New(seed uint64, name Name, index uint64) *rand.Rand {
	return rand.New(Source(seed, name, index))
}

// Source is New for callers that need a rand.Source, such as gonum's distributions.
func Source(seed uint64, name Name, index uint64) *rand.PCG {
	key := make([]byte, 0, 16+len(name))
	key = binary.BigEndian.AppendUint64(key, seed)
	key = binary.BigEndian.AppendUint64(key, index)
	key = append(key, name...)
	sum := sha256.Sum256(key)
	return rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
}
