package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// servedBy starts the program and returns where it serves a study.
func servedBy(t *testing.T, cmd *exec.Cmd) (url string) {
	t.Helper()
	out, in := io.Pipe()
	cmd.Stderr = in
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, at, found := strings.Cut(lines.Text(), "served on "); found {
			go io.Copy(io.Discard, out)
			return at
		}
	}
	t.Fatal("it is served nowhere")
	return ""
}

// talk does a request and returns the status and the body.
func talk(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	must(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(text)
}

func wantTalk(t *testing.T, status int, part, method, url, body string) {
	t.Helper()
	if got, text := talk(t, method, url, body); got != status || !strings.Contains(text, part) {
		t.Errorf("%s %s %s: %d %s, want %d %s", method, url, body, got, text, status, part)
	}
}

// A study that runs a command is looked at, given points and paused while it goes on; what its own workers do nobody does for them.
func TestAStudyThatRunsACommandIsServedWhileItGoesOn(t *testing.T) {
	dir := folder(t, "")
	gate := filepath.Join(dir, "gate")
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--budget", "50", "--policy", "random", "--study", "k.db", "--http", "127.0.0.1:0", "--without-tls", "--",
		"sh", "-c", "while ! [ -e "+gate+" ]; do sleep 0.05; done; echo 1")
	url := servedBy(t, cmd)
	wantTalk(t, 200, `"name":"k"`, "GET", strings.TrimSuffix(url, "/k"), "")
	wantTalk(t, 200, `"policy":"random"`, "GET", url, "")
	wantTalk(t, 200, `"best":null`, "GET", url+"/best", "")
	wantTalk(t, 200, `"ok":true`, "POST", url+"/enqueue", `{"x":{"lr":0.5}}`)
	wantTalk(t, 200, `"ok":true`, "POST", url+"/observe", `{"x":{"lr":0.5,"layers":2},"value":3}`)
	wantTalk(t, 200, `"value":3`, "GET", url+"/best", "")
	wantTalk(t, 409, "its own workers evaluate", "POST", url+"/ask", "")
	wantTalk(t, 409, "its own workers evaluate", "POST", url+"/evaluations/1/tell", `{"value":2}`)
	wantTalk(t, 404, "serves k alone", "GET", strings.TrimSuffix(url, "k")+"other", "")
	wantTalk(t, 200, "evaluations", "GET", url+"/export", "")
	wantTalk(t, 200, `"ok":true`, "POST", url+"/pause", "")
	wantTalk(t, 200, `"paused":true`, "GET", url, "")
	wantTalk(t, 409, "in another process", "POST", url+"/resume", "")
	stream, err := http.Get(url + "/events?after=0")
	must(t, err)
	must(t, os.WriteFile(gate, nil, 0o600))
	events, err := io.ReadAll(stream.Body)
	stream.Body.Close()
	if !strings.Contains(string(events), "event: feedback-arrived") || err != nil {
		t.Errorf("%s%v", events, err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Error("paused, it ended with", code)
	}
	if got := callIn(t, dir, "", "resume", "k.db", "--budget", "3", "-q"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
}

// A session in lines and callers over HTTP ask and tell the same study.
func TestASessionInLinesIsServedOverHTTPToo(t *testing.T) {
	for _, file := range []string{"s.db", ""} {
		dir := folder(t, "")
		args := []string{"asktell", "--space", "space.yaml", "--policy", "random", "--http", "127.0.0.1:0", "--without-tls"}
		if file != "" {
			args = append(args, "--study", file)
		}
		cmd := program(t, dir, args...)
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		url := servedBy(t, cmd)
		answers := bufio.NewReader(out)
		say := func(line, want string) {
			t.Helper()
			_, err := in.Write([]byte(line + "\n"))
			must(t, err)
			answer, err := answers.ReadString('\n')
			must(t, err)
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %s, want %s", line, answer, want)
			}
		}
		say(`{"op":"ask"}`, `"id":1`)
		wantTalk(t, 200, `"id":2`, "POST", url+"/ask", "")
		wantTalk(t, 200, `"ok":true`, "POST", url+"/evaluations/1/tell", `{"value":2}`)
		say(`{"op":"tell","id":1,"value":2}`, `"repeated":true`)
		say(`{"op":"best"}`, `"value":2`)
		wantTalk(t, 200, `"ok":true`, "POST", url+"/pause", "")
		say(`{"op":"ask"}`, `"held":"paused"`)
		wantTalk(t, 200, `"ok":true`, "POST", url+"/resume", "")
		say(`{"op":"ask"}`, `"id":3`)
		if file == "" {
			wantTalk(t, 409, "in no file", "GET", url+"/export", "")
		} else {
			wantTalk(t, 200, `"evaluations"`, "GET", url+"/export", "")
		}
		must(t, in.Close())
		if cmd.Wait(); cmd.ProcessState.ExitCode() != exitOK {
			t.Error(cmd.ProcessState)
		}
	}
}

func TestFlagsOfADoorNeedAnAddress(t *testing.T) {
	dir := folder(t, "")
	for _, flags := range [][]string{{"--without-tls"}, {"--roles", "r.json"}, {"--tls-cert", "a"}} {
		got := callIn(t, dir, "", append([]string{"asktell", "--space", "space.yaml"}, flags...)...)
		if got.code != exitUsage || !strings.Contains(got.log, flags[0]+": want --http ADDRESS") {
			t.Errorf("%+v", got)
		}
		args := append([]string{"tune", "--space", "space.yaml", "--budget", "1"}, flags...)
		if got := callIn(t, dir, "", append(args, "--", "echo", "1")...); got.code != exitUsage || !strings.Contains(got.log, "want --http") {
			t.Errorf("%+v", got)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "study.db")); err == nil {
		t.Error("a study was made")
	}
}
