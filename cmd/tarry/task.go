package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/shim"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// task is what a study that runs a command is made of, besides the study itself. It is kept beside the journal.
type task struct {
	Command     []string      `json:"command"` // with placeholders
	WorkDir     string        `json:"work_dir"`
	Logs        string        `json:"logs"` // absolute, where the study was begun
	Workers     int           `json:"workers"`
	Grace       time.Duration `json:"grace_ns"`        // between SIGTERM and SIGKILL
	Infeasible  int           `json:"infeasible_code"` // exit codes; -1 for none
	Lost        int           `json:"lost_code"`
	MaxOutput   size          `json:"max_output"` // bytes kept of each output of an attempt; 0 for all
	Target      *float64      `json:"target,omitempty"`
	MaxFailures int           `json:"max_failures,omitempty"` // evaluations that may fail at first, all of them; 0: any number
	Learned     string        `json:"learned,omitempty"`      // file, absolute, that gets what the study learns; empty: none does
}

// taskName is what a task is kept under.
const taskName = "tune"

// keep writes the task beside the journal.
func (t task) keep(store *sqlite.Store) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return store.Keep(taskName, text)
}

// runner is what runs the command of a task, with its logs in a folder.
func (t task) runner(s space.Space, named []outcome.Constraint, logs string) (*command.Runner, error) {
	template, err := command.ParseTemplate(t.Command, s)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	runner := &command.Runner{
		Template: template, Dir: logs, Shim: []string{self, shim.Word}, Grace: t.Grace, WorkDir: t.WorkDir, Space: s,
		InfeasibleCode: t.Infeasible, LostCode: t.Lost, MaxOutput: int64(t.MaxOutput), Constraints: named,
	}
	return runner, check.Renamed(runner.Validate(), "Runner.Grace", "--grace", "Runner.InfeasibleCode", "--infeasible-code",
		"Runner.LostCode", "--lost-code", "Runner.MaxOutput", "--max-output")
}

// ready is the runner of a task, if its command can be started.
func (t task) ready(s space.Space, named []outcome.Constraint, logs string) (*command.Runner, error) {
	runner, err := t.runner(s, named, logs)
	if err != nil {
		return nil, err
	}
	return runner, errors.Join(runner.Fits(), t.startable())
}

// startable returns why no attempt can be started, as far as that can be known beforehand.
func (t task) startable() error {
	if info, err := os.Stat(t.WorkDir); err != nil {
		return fmt.Errorf("working directory %s: %w", t.WorkDir, errors.Unwrap(err))
	} else if !info.IsDir() {
		return fmt.Errorf("working directory %s is no folder", t.WorkDir)
	}
	program := t.Command[0]
	if strings.Contains(program, "{") {
		return nil // another one for each point
	}
	if strings.Contains(program, "/") && !filepath.IsAbs(program) {
		program = filepath.Join(t.WorkDir, program)
	}
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Errorf("command %s: %w", t.Command[0], errors.Unwrap(err))
	}
	return nil
}
