package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installed is a folder with an executable called tarry.
func installed(t *testing.T) string {
	t.Helper()
	path, variable := executable(t)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s exec '%s' \"$@\"\n", variable, path)
	if err := os.WriteFile(filepath.Join(dir, "tarry"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The examples of the help texts run as they stand, one after another: those that begin with a space in a folder of their
// own, the others where the last ones ran.
func TestTheExamplesOfTheHelpTextsRun(t *testing.T) {
	dir, bin := folder(t, ""), installed(t)
	root := newRoot(nil, nil, nil)
	ran, costly := 0, []string(nil)
	for _, name := range []string{"tune", "resume", "verify", "backup", "inspect", "report", "replay", "prune", "learn", "asktell", "certify", "policies"} {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(strings.TrimSpace(cmd.Example), "printf") {
			dir = t.TempDir()
		}
		for example := range strings.SplitSeq(cmd.Example, "\n\n") {
			sh := exec.Command("sh", "-ec", example)
			sh.Dir = dir
			sh.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			out, err := sh.CombinedOutput()
			if err != nil || strings.Contains(string(out), `"error"`) {
				t.Errorf("%s: %v\n%s\n%s", name, err, example, out)
			}
			if ran++; strings.Contains(example, "--budget-cost 60") && strings.Contains(string(out), "60") {
				costly = append(costly, name)
			}
		}
	}
	if ran < 9 || !slices.Equal(costly, []string{"tune", "asktell"}) {
		t.Errorf("%d examples; with a budget in cost: %v", ran, costly)
	}
}

// The clients in Python and in shell find what they look for.
func TestTheClientsInOtherLanguages(t *testing.T) {
	folder(t, "")
	bin := filepath.Join(installed(t), "tarry")
	for _, client := range [][]string{{"python3", "asktell.py"}, {"sh", "asktell.sh"}} {
		if _, err := exec.LookPath(client[0]); err != nil || exec.Command(client[0], "-c", "").Run() != nil {
			t.Logf("no %s here", client[0])
			continue
		}
		out, err := exec.Command(client[0], filepath.Join("..", "..", "examples", client[1]), bin).Output()
		if err != nil {
			t.Errorf("%s: %v", client[1], err)
			continue
		}
		text := strings.ReplaceAll(string(out), "'", "\"")
		var answer struct {
			Best  *struct{ Value float64 } `json:"best"`
			Value float64                  `json:"value"`
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v\n%s", client[1], err, out)
		}
		if answer.Best != nil {
			answer.Value = answer.Best.Value
		}
		if answer.Value < 0 || answer.Value > 1.5 {
			t.Errorf("%s found %s", client[1], out)
		}
	}
}

// With the same seed a session gives the same answers, whatever the clock says.
func TestASessionFollowsFromItsSeed(t *testing.T) {
	dir := folder(t, "")
	session := `{"op":"ask","n":3}
{"op":"tell","id":2,"value":0.5}
{"op":"tell","id":1,"value":0.25}
{"op":"ask","n":5}
{"op":"fail","id":4,"reason":"oom"}
{"op":"tell","id":3,"value":1}
{"op":"observe","x":{"lr":0.1,"layers":2},"value":0.4}
{"op":"enqueue","x":{"layers":7}}
{"op":"ask","n":4}
{"op":"best"}
`
	first := callIn(t, dir, session, "asktell", "--space", "space.yaml", "--seed", "7", "--minimize")
	again := callIn(t, dir, session, "asktell", "--space", "space.yaml", "--seed", "7", "--minimize", "--study", "k.db")
	if first.code != exitOK || first.out != again.out || strings.Count(first.out, "\n") != strings.Count(session, "\n") || strings.Contains(first.out, "error") {
		t.Errorf("%+v\n%+v", first, again)
	}
}
