package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/policies"
)

// rememberedUsage is what the help says of that flag where the study is there.
const rememberedUsage = "; without it that of before, and '' for none"

// learnedUsage is the help of the flag with the file of what was learned.
const learnedUsage = "`FILE` of what studies of earlier tasks learned, for the policies continual-mf-mes and mft-mes: the study begins with it, and when it has ended the file has what this one learned too"

// openLearned returns the absolute path of the file of a flag, and what is in it; nothing without the flag.
func openLearned(flag string) (path string, learned *tarry.Learned, err error) {
	if flag == "" {
		return "", nil, nil
	}
	if path, err = filepath.Abs(flag); err == nil {
		learned, err = readLearned(path)
	}
	if err != nil {
		return "", nil, fmt.Errorf("--sequence: %w", err)
	}
	return path, learned, nil
}

// readLearned reads a file of what was learned; nil where there is none yet.
func readLearned(path string) (*tarry.Learned, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Dir(path))
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	var learned tarry.Learned
	err = check.Object(text, &learned)
	if err == nil && (learned.Space.Dim() == 0 || len(learned.Particles) == 0 || len(learned.Tasks) == 0) {
		err = errors.New("want a space, tasks and particles")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no file of what was learned: %w", path, err)
	}
	return &learned, nil
}

// lesson is where a study leaves what it has learned.
type lesson struct {
	path  string         // of the file
	task  string         // name of the study
	began *tarry.Learned // what the file had when the study began
	store *sqlite.Store  // the study, which keeps what it wrote; nil without one
}

// learnedMode are the permissions of a new file of a sequence: colleagues may read it.
const learnedMode = 0o644

// taughtName is that of what a study wrote to the file of its sequence last, by its digest.
const taughtName = "taught"

// keep writes what a study has learned over the file with which it began. One that another study has written to since is left
// alone: what that one learned would be lost. Studies that end at the same time take turns.
func (l lesson) keep(r *tarry.Result) error {
	learned, err := r.Learn(l.task)
	if err != nil {
		return err
	}
	text, err := json.Marshal(learned)
	if err != nil {
		return err
	}
	return command.InTurn(l.path, func() error { return l.write(learned, text) })
}

// write is the second half of keep, while nobody else writes.
func (l lesson) write(learned *tarry.Learned, text []byte) error {
	now, err := readLearned(l.path)
	if err != nil {
		return err
	}
	if err := l.mine(now); err != nil {
		return err
	}
	if err := command.WriteWhole(l.path, text, learnedMode); err != nil || l.store == nil {
		return err
	}
	return l.store.Keep(taughtName, []byte(digest(learned)))
}

// mine returns why a file with that content is left alone.
func (l lesson) mine(now *tarry.Learned) error {
	follows, err := l.follows(now)
	if err == nil && !follows {
		err = fmt.Errorf("%s has the tasks %s now, and the study began with %s: it is left as it is; give another file", l.path, tasksOf(now), tasksOf(l.began))
	}
	return err
}

// free returns why a study that is there, with a policy of the traits, cannot leave what it learns in the file, as far as that is known
// beforehand.
func (l lesson) free(t policies.Traits) error {
	now, err := readLearned(l.path)
	if err == nil {
		err = l.mine(now)
	}
	if err != nil {
		err = fmt.Errorf("--sequence: %w", err)
	}
	return cmp.Or(teaches(l.path, t), err)
}

// goesTo returns the file that gets what a study with a policy of the traits learns, and that is there: the one of the flag, of which an empty one is none,
// or else that of before. One that cannot get it is refused where it is named now. Otherwise that is said, and the study goes on: answers are worth more.
func goesTo(cmd *cobra.Command, before string, l lesson, t policies.Traits) (path string, err error) {
	if flag := cmd.Flags().Lookup("sequence"); flag.Changed {
		if flag.Value.String() == "" {
			return "", nil
		}
		if l.path, err = filepath.Abs(flag.Value.String()); err != nil {
			return "", fmt.Errorf("--sequence: %w", err)
		}
		return l.path, l.free(t)
	}
	if l.path = before; before != "" {
		if err := l.free(t); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "tarry: what the study learns cannot be written as it is: %v\n", err)
		}
	}
	return before, nil
}

// follows reports whether a file is not there, has what the study began with, or what it wrote itself when it ended before: by content, since
// studies in other folders may have the same name.
func (l lesson) follows(now *tarry.Learned) (bool, error) {
	if now == nil || digest(now) == digest(l.began) {
		return true, nil
	}
	if l.store == nil {
		return false, nil
	}
	taught, err := l.store.Kept(taughtName)
	return err == nil && string(taught) == digest(now), err
}

// digest tells what was learned from anything else.
func digest(k *tarry.Learned) string {
	text, _ := json.Marshal(k) // numbers that are finite have a JSON
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

func names(k *tarry.Learned) (all []string) {
	if k != nil {
		for _, t := range k.Tasks {
			all = append(all, t.Name)
		}
	}
	return all
}

func tasksOf(k *tarry.Learned) string {
	if k == nil {
		return "none"
	}
	return fmt.Sprint(names(k))
}

// ended reports whether a study is over for good, unless it gets another budget.
func ended(r *tarry.Result) bool {
	return r.Reason != "" && r.Reason != tarry.ReasonPaused && r.Reason != tarry.ReasonTime
}

// passOn writes what a study has learned, and says so.
func (l lesson) passOn(log io.Writer, r *tarry.Result) error {
	if err := l.keep(r); err != nil {
		return fmt.Errorf("--sequence: %w", err)
	}
	fmt.Fprintf(log, "tarry: what was learned is in %s; the study of the next task begins with it: --sequence %s\n", shortened(l.path), argument(shortened(l.path)))
	return nil
}

// teaches says what is wrong with a sequence before anything was spent: the policy must learn over tasks, and the file be one that can be
// written.
func teaches(path string, t policies.Traits) error {
	if path == "" {
		return nil
	}
	if t.Particles == 0 {
		return fmt.Errorf("--sequence: policy %s learns nothing over tasks: want continual-mf-mes or mft-mes", t.Name)
	}
	if err := command.Writable(path); err != nil {
		return fmt.Errorf("--sequence: %w", err)
	}
	return nil
}

// follow finds the file that gets what a study learns that is there.
func (d *dialogue) follow(cmd *cobra.Command, store *sqlite.Store, h journal.Header, before note) (err error) {
	d.study.Learned = h.Config.Learned
	if d.sequence, err = goesTo(cmd, before.Sequence, d.lesson(store), h.Config.Traits); d.sequence == "" && h.Config.Learned != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "tarry: the study began with what earlier tasks taught; without --sequence FILE what it learns is written nowhere")
	}
	return err
}

// lesson is where the study leaves what it has learned.
func (d *dialogue) lesson(store *sqlite.Store) lesson {
	name := "without a study"
	if d.file != "" {
		name = filepath.Base(d.file)
	}
	return lesson{d.sequence, name, d.study.Learned, store}
}

// passOn writes what the study has learned so far: nothing before the first answer, which may come in another session.
func (d *dialogue) passOn(cmd *cobra.Command, store *sqlite.Store, study *tarry.Study) error {
	err := d.lesson(store).passOn(cmd.ErrOrStderr(), study.Result())
	if errors.Is(err, tarry.ErrUnsupported) { // the policy learns over tasks: nothing was answered
		fmt.Fprintf(cmd.ErrOrStderr(), "tarry: nothing was answered yet, so that there is nothing to learn, and --sequence %s is not written\n", argument(shortened(d.sequence)))
		return nil
	}
	return err
}
