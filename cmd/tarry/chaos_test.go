package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/detour"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

var (
	misfortunes = flag.Int("misfortunes", usualMisfortunes, "of TestNothingIsLostInTheRealWorld")
	fortune     = flag.Uint64("fortune", 1, "seed of TestNothingIsLostInTheRealWorld")
)

// measuring notes what it found, before it says it: no two attempts find the same.
const measuring = `#!/bin/sh
value=0.$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
sleep 0.$((TARRY_EVALUATION * 7 % 4))
echo "$TARRY_EVALUATION $TARRY_ATTEMPT $value" >> TRACE
echo $value
`

// Numbers of the chaos test.
const (
	chaosWorkers  = 8
	perMisfortune = 40 // evaluations
	chaosPatience = 60 * time.Second
)

// daemon is a process that is started again whenever it ends, as a service manager does.
type daemon struct {
	name  string
	begin func() *exec.Cmd
	mutex sync.Mutex
	cmd   *exec.Cmd
	over  bool
	gone  chan struct{} // closed when it is over and has ended
}

func keptUp(t *testing.T, name string, begin func() *exec.Cmd) *daemon {
	d := &daemon{name: name, begin: begin, gone: make(chan struct{})}
	d.cmd = begin()
	must(t, d.cmd.Start())
	go func() {
		defer close(d.gone)
		for {
			_ = d.cmd.Wait()
			time.Sleep(200 * time.Millisecond)
			d.mutex.Lock()
			if d.over {
				d.mutex.Unlock()
				return
			}
			d.cmd = d.begin()
			if err := d.cmd.Start(); err != nil {
				panic(err)
			}
			d.mutex.Unlock()
		}
	}()
	t.Cleanup(d.end)
	return d
}

func (d *daemon) signal(s os.Signal) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	_ = d.cmd.Process.Signal(s)
}

// halt stops the process for a while.
func (d *daemon) halt(while time.Duration) {
	d.mutex.Lock()
	process := d.cmd.Process
	d.mutex.Unlock()
	_ = process.Signal(syscall.SIGSTOP)
	time.Sleep(while)
	_ = process.Signal(syscall.SIGCONT)
}

func (d *daemon) end() {
	d.mutex.Lock()
	d.over = true
	_ = d.cmd.Process.Kill()
	d.mutex.Unlock()
	<-d.gone
}

// world is everything that lives in the chaos test.
type world struct {
	t       *testing.T
	dir     string
	dice    *rand.Rand
	client  *http.Client
	nats    []*daemon
	servers []*daemon
	urls    []string // where the servers answer
	workers []*daemon
	ways    [][]*detour.Way // of the workers, and of each server, to the NATS servers
	seen    map[int]float64
	took    []time.Duration // from the end of the server that led to an answer of another
}

func (w *world) in(name string) string { return filepath.Join(w.dir, "cluster", name) }

// people makes the world: as many NATS servers, each a process; a server and its standby; workers. Where there is no NATS server, a server has
// its own, and no standby.
func people(t *testing.T, natsServers int) *world {
	w := &world{t: t, dir: folder(t, ""), dice: rand.New(rand.NewPCG(*fortune, uint64(natsServers))), seen: map[int]float64{}}
	must(t, os.WriteFile(filepath.Join(w.dir, "train.sh"), []byte(strings.Replace(measuring, "TRACE", filepath.Join(w.dir, "trace"), 1)), 0o755))
	if got := callIn(t, w.dir, "", "serve", "--init", "cluster"); got.code != exitOK {
		t.Fatal(got.code, got.log)
	}
	pair, err := tls.LoadX509KeyPair(w.in("admin.pem"), w.in("admin.key"))
	must(t, err)
	ca, err := os.ReadFile(w.in("ca.pem"))
	must(t, err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	w.client = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}}}
	var ports, routes []int
	for range natsServers {
		ports, routes = append(ports, detour.Port(t)), append(routes, detour.Port(t))
	}
	for n := range ports {
		one := natsServer{number: n, port: ports[n], folder: filepath.Join(w.dir, "cluster")}
		if natsServers > 1 {
			one.routes = routes
		}
		w.nats = append(w.nats, keptUp(t, "NATS", func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asNATS+"="+one.String())
			return cmd
		}))
	}
	standbys, inside := 2, 0
	if natsServers == 0 {
		standbys, inside = 1, detour.Port(t)
		ports = []int{inside}
	}
	for k := range standbys + 1 { // who reaches them
		w.ways = append(w.ways, nil)
		for _, port := range ports {
			w.ways[k] = append(w.ways[k], detour.New(t, fmt.Sprint("127.0.0.1:", port)))
		}
	}
	for k := range standbys {
		w.serve(k, inside)
	}
	for k := range chaosWorkers {
		args := []string{"work", "--ca", w.in("ca.pem"), "--cert", w.in("worker.pem"), "--slots", "2", "--quiet", "--logs", fmt.Sprint("logs", k)}
		for _, one := range w.ways[0] {
			args = append(args, "--server", "tls://"+one.Address())
		}
		args = append(args, "--", filepath.Join(w.dir, "train.sh"), "{lr}")
		w.workers = append(w.workers, keptUp(t, "worker", func() *exec.Cmd { return program(t, w.dir, args...) }))
	}
	return w
}

// serve keeps a server up that has a folder of its own.
func (w *world) serve(k, inside int) {
	address := fmt.Sprint("127.0.0.1:", detour.Port(w.t))
	config := map[string]any{
		"studies": fmt.Sprint("studies", k), "http": address, "workers": map[string]any{"heartbeat": "200ms", "missed": 3},
		"tls": map[string]any{"ca": "ca.pem", "cert": "server.pem", "key": "server.key", "client": "admin.pem"},
	}
	args := []string{"serve", w.in(fmt.Sprint(k, ".json"))}
	if inside > 0 {
		config["nats"] = map[string]any{"address": fmt.Sprint("127.0.0.1:", inside)}
	} else {
		var urls []string
		for _, one := range w.ways[k+1] {
			urls = append(urls, "tls://"+one.Address())
		}
		config["nats"] = map[string]any{"urls": urls}
		config["standby"] = map[string]any{"replicas": len(urls)}
		args = append(args, "--standby")
	}
	text, err := json.Marshal(config)
	must(w.t, err, os.WriteFile(args[1], text, 0o600), os.MkdirAll(w.in(fmt.Sprint("studies", k)), 0o700))
	log, err := os.OpenFile(filepath.Join(w.dir, fmt.Sprint("server", k, ".log")), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(w.t, err)
	w.t.Cleanup(func() { log.Close() })
	w.urls = append(w.urls, "https://"+address+"/v1/studies/lr")
	w.servers = append(w.servers, keptUp(w.t, "server", func() *exec.Cmd {
		cmd := program(w.t, w.dir, args...)
		cmd.Stderr = log
		return cmd
	}))
}

// ask does a request, of whichever server answers, and returns which one did; below 0: none.
func (w *world) ask(method, path, body string) (by int, text []byte) {
	for k, url := range w.urls {
		r, err := http.NewRequest(method, url+path, strings.NewReader(body))
		must(w.t, err)
		r.Header.Set("Content-Type", "application/json")
		answer, err := w.client.Do(r)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err == nil && answer.StatusCode < 300 {
			return k, text
		}
	}
	return -1, nil
}

// until asks again and again, until somebody answers.
func (w *world) until(method, path, body string) (by int, text []byte) {
	w.t.Helper()
	for end := time.Now().Add(chaosPatience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if by, text := w.ask(method, path, body); by >= 0 {
			return by, text
		}
	}
	w.t.Fatalf("nobody answers %s %s: seed %d\n%s", method, path, *fortune, w.logs())
	return -1, nil
}

func (w *world) logs() string {
	var all []string
	for k := range w.servers {
		text, _ := os.ReadFile(filepath.Join(w.dir, fmt.Sprint("server", k, ".log")))
		all = append(all, fmt.Sprintf("server %d: …%s", k, text[max(0, len(text)-3000):]))
	}
	return strings.Join(all, "\n")
}

// look notes which values are acknowledged: who asked was told them. What was told before is there, and is the same; a server that was stopped
// may answer from what it knew, until it sees that it leads no longer.
func (w *world) look() (values int, ended bool) {
	w.t.Helper()
	there, wrong := map[int]float64{}, ""
	for range 40 {
		if there, wrong = w.told(); wrong == "" {
			break
		}
		time.Sleep(250 * time.Millisecond)
	}
	if wrong != "" {
		w.t.Errorf("%s: seed %d\n%s", wrong, *fortune, w.logs())
	}
	w.seen = there
	var state struct{ Ended string }
	_, text := w.until("GET", "", "")
	must(w.t, json.Unmarshal(text, &state))
	return len(there), state.Ended != ""
}

// told are the values that somebody who asks is told, and what is wrong with them.
func (w *world) told() (there map[int]float64, wrong string) {
	_, text := w.until("GET", "/export?format=csv", "")
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	names := strings.Split(rows[0], ",")
	at := func(name string) int { return slices.Index(names, name) }
	there = map[int]float64{}
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		var number int
		var value float64
		if _, err := fmt.Sscan(cells[at("id")]+" "+cells[at("value")], &number, &value); err == nil {
			there[number] = value
		}
	}
	for number, value := range w.seen {
		if now, is := there[number]; !is || now != value {
			return there, fmt.Sprintf("evaluation %d had %v, and has %v (%v)", number, value, now, is)
		}
	}
	return there, ""
}

// misfortune does something bad, and says what.
func (w *world) misfortune() string {
	k, n, while := w.dice.IntN(len(w.workers)), w.dice.IntN(max(len(w.nats), 1)), time.Duration(w.dice.IntN(2000))*time.Millisecond
	s := w.dice.IntN(len(w.servers))
	switch w.dice.IntN(9) {
	case 0, 1:
		w.workers[k].signal(syscall.SIGKILL)
		return "worker killed"
	case 2:
		w.workers[k].halt(while)
		return "worker stopped"
	case 3, 4:
		leader, _ := w.ask("GET", "", "")
		w.servers[s].signal(syscall.SIGKILL)
		if leader != s {
			return "standby killed"
		}
		began := time.Now()
		w.until("GET", "", "")
		w.took = append(w.took, time.Since(began))
		return "leader killed"
	case 5:
		w.servers[s].halt(while)
		return "server stopped"
	case 6:
		for _, one := range w.ways[w.dice.IntN(len(w.ways))] {
			one.Cut()
		}
		return "network cut"
	case 7:
		frozen := w.ways[w.dice.IntN(len(w.ways))]
		for _, one := range frozen {
			one.Freeze()
		}
		time.Sleep(while)
		for _, one := range frozen {
			one.Thaw()
		}
		return "network frozen"
	}
	if len(w.nats) == 0 {
		w.servers[s].signal(syscall.SIGKILL)
		return "server killed"
	}
	w.nats[n].signal(syscall.SIGKILL)
	return "NATS killed"
}

// A server, its standby, their NATS servers and eight workers, all of them processes that speak TLS, are killed and stopped, and the network
// is cut and frozen, at random moments. No value that somebody was told is lost or becomes another, none counts twice, none is made up,
// and the study ends. The same for a server that is alone. With -misfortunes 200 it takes some minutes.
func TestNothingIsLostInTheRealWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute of killed processes: not with -short")
	}
	for name, natsServers := range map[string]int{"a standby and three NATS servers": 3, "alone": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they mostly wait
			w := people(t, natsServers)
			budget := perMisfortune * *misfortunes
			w.until("PUT", "", fmt.Sprintf(`{"space":{"parameters":[{"name":"lr","type":"float","low":0,"high":1}]},
				"options":{"policy":"random","budget":%d,"retries":100,"timeout":"20s","pending":32},"remote":{}}`, budget))
			began, suffered := time.Now(), map[string]int{}
			n := 0
			for {
				values, ended := w.look()
				if ended {
					break
				}
				if n < *misfortunes && values >= n*perMisfortune/2 {
					n++
					suffered[w.misfortune()]++
				}
				if time.Since(began) > time.Duration(*misfortunes)*15*time.Second+3*time.Minute {
					t.Fatalf("the study does not end: seed %d, %v, %d values\n%s", *fortune, suffered, values, w.logs())
				}
				time.Sleep(time.Duration(w.dice.IntN(300)) * time.Millisecond)
			}
			slices.Sort(w.took)
			t.Logf("%d misfortunes in %v: %v; from the end of who led to an answer: %v", n, time.Since(began).Round(time.Second), suffered, w.took)
			if n == 0 {
				t.Error("the study ended before it had met with a misfortune")
			}
			w.judge(budget)
		})
	}
}

// judge compares the journal with what the command noted, and with what was told.
func (w *world) judge(budget int) {
	t := w.t
	w.look()
	leader, _ := w.until("GET", "", "")
	for _, d := range slices.Concat(w.workers, w.servers) {
		d.end()
	}
	measured := map[int][]float64{}
	file, err := os.Open(filepath.Join(w.dir, "trace"))
	must(t, err)
	defer file.Close()
	for in := bufio.NewScanner(file); in.Scan(); {
		var number, attempt int
		var value float64
		if _, err := fmt.Sscan(in.Text(), &number, &attempt, &value); err == nil {
			measured[number] = append(measured[number], value)
		}
	}
	store, err := sqlite.Open(w.in(fmt.Sprintf("studies%d/lr.db", leader)))
	must(t, err)
	defer store.Close()
	header, err := store.Header()
	must(t, err)
	l, err := loop.New(header.Config)
	must(t, err)
	taken := map[int]int{}
	for r, err := range store.Records() {
		must(t, err)
		reaction, err := l.Step(r.Event)
		must(t, err)
		if e, value := r.Event.Event.(loop.FeedbackArrived); value && (reaction.Fate == loop.FateTaken || reaction.Fate == loop.FateLate) {
			taken[e.Evaluation]++
		}
	}
	values := 0
	for _, e := range l.Evaluations() {
		if !e.Measured {
			continue
		}
		values++
		if told, was := w.seen[e.Number]; taken[e.Number] != 1 || !slices.Contains(measured[e.Number], e.Value) || !was || told != e.Value {
			t.Errorf("evaluation %d has %v, counted %d times; measured were %v, told was %v", e.Number, e.Value, taken[e.Number], measured[e.Number], told)
		}
	}
	if !l.Finished() || values != budget {
		t.Errorf("%d values for a budget of %d, ended: %v", values, budget, l.Finished())
	}
}
