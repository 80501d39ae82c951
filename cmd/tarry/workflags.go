package main

import (
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/remote"
	"github.com/tarry-bo/tarry/space"
)

// fits returns why the flags of a worker would let it work for no study, whatever its space. A crew is what they come to.
func (w *worker) fits(crew remote.Worker) error {
	var c check.List
	c.Require(w.slots >= 1 && w.slots <= remote.MaxSlots, "--slots", w.slots, fmt.Sprintf("1 ≤ slots ≤ %d", remote.MaxSlots))
	if w.study != "" {
		c.Join(serve.CheckStudyName("--study", w.study))
	}
	crew.Slots, crew.Study, crew.Grace = 1, "", 0 // what is wrong with them is said here
	any := w.task
	any.Command = []string{"any"} // the placeholders of the command are those of a space that is not known yet
	codes := command.ValidateCodes(w.Infeasible, w.Lost)
	if codes != nil {
		any.Infeasible, any.Lost = -1, -1
	}
	_, limits := any.runner(space.Space{}, nil, "logs")
	return errors.Join(
		cluster.CheckURLs("--server", w.servers), c.Err(),
		check.Renamed(crew.Validate(), "Worker.Prefix", "--prefix", "Worker.Labels", "--label"),
		check.Renamed(codes, "infeasible-code", "--infeasible-code", "lost-code", "--lost-code"),
		limits, command.ValidateBraces(w.Command), w.startable(), failuresAllowed(w.MaxFailures),
	)
}
