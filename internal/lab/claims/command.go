package claims

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// arguments splits a command into words. Only this module's own commands are allowed, and of a shell's language only quotes.
func arguments(command string) ([]string, error) {
	words, err := split(command)
	if err != nil {
		return nil, err
	}
	demo := len(words) > 3 && slices.Equal(words[:3], []string{"go", "run", demoRoom})
	test := len(words) > 3 && slices.Equal(words[:2], []string{"go", "test"})
	if !demo && !test {
		return nil, fmt.Errorf("command %q: want go run %s or go test, with arguments", command, demoRoom)
	}
	if len(words) > 3 && demo && words[3] == "claims" {
		return nil, fmt.Errorf("command %q: it would measure itself", command)
	}
	return words, nil
}

const demoRoom = "./cmd/demo"

// split takes the quotes of a shell off the words of a command.
func split(command string) (words []string, err error) {
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range command {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case strings.ContainsRune("|&;<>$`\\", r):
			return nil, fmt.Errorf("command %q: %q outside of quotes is a shell's", command, r)
		case r == ' ':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command %q: a quote has no end", command)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// bench runs commands in a module, each once.
type bench struct {
	root, data string
	progress   io.Writer // what the commands say of their progress
	demo       string    // program built from demoRoom; empty: not yet
	dir        string    // in which it lies
	printed    map[string]string
}

// close removes the program.
func (b *bench) close() error {
	if b.dir == "" {
		return nil
	}
	return os.RemoveAll(b.dir)
}

// build makes the program of demoRoom, so that a command that is told to stop hears it.
func (b *bench) build(ctx context.Context) (err error) {
	if b.demo != "" {
		return nil
	}
	if b.dir, err = os.MkdirTemp("", "claims-"); err != nil {
		return err
	}
	path := filepath.Join(b.dir, "demo")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, demoRoom)
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", build, err, out)
	}
	b.demo = path
	return nil
}

// run returns what the commands of a claim print, and how long they took; no time where they were run before.
func (b *bench) run(ctx context.Context, c Claim) (output, time.Duration, error) {
	start, text := time.Now(), ""
	for _, command := range c.commands() {
		if _, found := b.printed[command]; !found {
			out, err := b.perform(ctx, command, c.Data)
			if err != nil {
				return output{}, 0, err
			}
			b.printed[command] = out
		}
		text += b.printed[command] + "\n"
	}
	return parseOutput(text), time.Since(start), nil
}

// perform returns what one command prints.
func (b *bench) perform(ctx context.Context, command, data string) (string, error) {
	words, err := arguments(command)
	if err != nil {
		return "", err
	}
	if words[1] == "run" {
		if err := b.build(ctx); err != nil {
			return "", err
		}
		words = append([]string{b.demo}, bare(words[3:])...)
	}
	if i := slices.Index(words, "-data"); i >= 0 && i+1 < len(words) {
		if words[i+1], err = b.file(data); err != nil {
			return "", err
		}
	}
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Dir, run.Stderr = b.root, b.progress
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	run.Stdout = &out
	if err := run.Run(); err != nil {
		return "", errors.Join(context.Cause(ctx), fmt.Errorf("%s: %w\n%s", command, err, last(out.String())))
	}
	return out.String(), nil
}

// file is the path of data, absolute since commands run in the root of the module.
func (b *bench) file(name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(b.data, name))
	if err != nil {
		return "", err
	}
	_, err = os.Stat(path)
	return path, err
}

// bare is the arguments of a command of demoRoom without the files that it would write.
func bare(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		if slices.Contains([]string{"-plot", "-json", "-report"}, args[i]) {
			i++
			continue
		}
		kept = append(kept, args[i])
	}
	if len(kept) > 0 && kept[0] == "exp" {
		kept = append(kept, "-report", "-")
	}
	return kept
}

// last is the end of what a command said.
func last(text string) string {
	const most = 2000
	return text[max(0, len(text)-most):]
}
