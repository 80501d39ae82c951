package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarry-bo/tarry/internal/cluster"
)

// commandLine is a command as it would be typed.
func commandLine(args []string) string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = quoted(arg)
	}
	return strings.Join(out, " ")
}

// quoted is a word for a shell.
func quoted(word string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%{}"
	choice := strings.Contains(word, "{") && (strings.Contains(word, ",") || strings.Contains(word, "..")) // {a,b} is two words to some shells
	if word != "" && strings.Trim(word, harmless) == "" && !choice {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// argument is a path for a shell, at a place where what begins with a dash would be a flag.
func argument(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return quoted(path)
}

// resumption is the command that goes on with a study that runs a command.
func resumption(study string) string { return "tarry resume " + argument(study) }

// existing says how to go on with a study that is there, and was to be begun.
func existing(study string) error {
	how := resumption(study)
	if s, err := inspect(study); err == nil {
		how = s.resumption()
	}
	return fmt.Errorf("study %s exists already: go on with it by\n  %s\nor give another --study", study, how)
}

// serving is the command that goes on with a study that remote workers evaluate, in the folder of its configuration where that is found.
func serving(study string) string {
	if folder, config := served(study); config != nil {
		return "tarry serve " + argument(folder)
	}
	return "tarry serve FOLDER"
}

// served is the configuration of the server of a study, with its folder; nil where it is not found.
func served(study string) (folder string, config *cluster.Config) {
	studies := filepath.Dir(study)
	for _, folder := range []string{filepath.Join(studies, ".."), studies} {
		config, err := configured(folder)
		if err == nil && config != nil && samePath(config.Studies, studies) {
			return folder, config
		}
	}
	return "", nil
}

// samePath reports whether two paths lead to the same folder.
func samePath(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// session is the command that goes on with a study that runs none.
func session(study string) string { return "tarry asktell --study " + argument(study) }
