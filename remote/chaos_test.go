package remote

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/detour"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

var (
	misfortunes = flag.Int("misfortunes", 12, "of TestNothingIsLostInChaos")
	fortune     = flag.Uint64("fortune", 1, "seed of TestNothingIsLostInChaos")
)

// The processes of the chaos test are this binary: the variable says which one, and how.
const chaotic = "TARRY_REMOTE_CHAOS"

const (
	chaosWorkers = 8
	chaosBeat    = 200 * time.Millisecond
)

// inChaos is the life of a process of the chaos test.
func inChaos(how string) {
	var what, address, path string
	var n, epoch int
	if _, err := fmt.Sscan(how, &what, &address, &path, &n, &epoch); err != nil {
		panic(err)
	}
	conn, err := nats.Connect("nats://"+address, nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true), nats.ReconnectWait(50*time.Millisecond),
		nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2), nats.CustomInboxPrefix("_IN."+what))
	if err == nil {
		if what == "hub" {
			err = chaoticHub(conn, path, n, epoch)
		} else {
			err = chaoticWorker(conn, what, path)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, what+":", err)
		os.Exit(1)
	}
}

func chaoticHub(conn *nats.Conn, path string, budget, epoch int) error {
	for !conn.IsConnected() {
		time.Sleep(10 * time.Millisecond)
	}
	hub, err := NewHub(conn, Options{Key: secret, Epoch: uint64(epoch), Heartbeat: chaosBeat})
	if err != nil {
		return err
	}
	defer hub.Close()
	store, err := sqlite.OpenOrCreate(path)
	if err != nil {
		return err
	}
	defer store.Close()
	where, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1))
	if err != nil {
		return err
	}
	policy, err := tarry.ParsePolicy("random")
	if err != nil {
		return err
	}
	run, err := tarry.StartOrResume(context.Background(), store, where, nil, tarry.Options{Budget: budget, Policy: policy, Remote: hub, Name: "chaos", Retries: 100, Timeout: 20 * time.Second})
	if err != nil {
		return err
	}
	_, err = run.Wait()
	return err
}

// chaoticWorker writes down what it measured, and what was acknowledged.
func chaoticWorker(conn *nats.Conn, name, path string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	log := zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(zapcore.EncoderConfig{MessageKey: "m"}), acknowledged{file}, zap.DebugLevel))
	return Worker{Name: name, Slots: 2, Logger: log, Objective: func(ctx context.Context, q tarry.Query) (float64, error) {
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
		if rand.IntN(20) == 0 {
			return 0, fmt.Errorf("bad luck")
		}
		value := rand.Float64() // no two attempts have the same
		_, err := fmt.Fprintf(file, "measured %d %d %v\n", q.ID.Evaluation, q.ID.Attempt, value)
		return value, err
	}}.Work(context.Background(), conn)
}

// acknowledged keeps the lines of the log that say that a result was taken.
type acknowledged struct{ file *os.File }

func (a acknowledged) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), "result taken") {
		return a.file.Write(line)
	}
	return len(line), nil
}
func (acknowledged) Sync() error { return nil }

// town is everything that lives in the chaos test.
type town struct {
	t       *testing.T
	dir     string
	budget  int
	port    int
	server  *server.Server
	bridge  *detour.Way // by which the workers reach their server
	hub     *exec.Cmd
	epoch   int
	workers [chaosWorkers]*exec.Cmd
	stream  *rand.Rand
	done    chan error // of the hub that lives
}

func (w *town) serve() {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: w.port, NoSigs: true, NoLog: true})
	fatal(w.t, err)
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		w.t.Fatal("the server is not ready")
	}
	w.server = s
}

func (w *town) process(what, address, path string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s %d %d", chaotic, what, address, path, w.budget, w.epoch))
	c.Stderr = os.Stderr
	fatal(w.t, c.Start())
	return c
}

func (w *town) startHub() {
	w.epoch++
	w.hub = w.process("hub", fmt.Sprint("127.0.0.1:", w.port), filepath.Join(w.dir, "study.db"))
	done, c := make(chan error, 1), w.hub
	go func() { done <- c.Wait() }()
	w.done = done
}

func (w *town) startWorker(k int) {
	w.workers[k] = w.process(fmt.Sprint("w", k), w.bridge.Address(), filepath.Join(w.dir, fmt.Sprint("w", k, ".log")))
}

// misfortune does something bad, and says what.
func (w *town) misfortune() string {
	k, while := w.stream.IntN(chaosWorkers), time.Duration(w.stream.IntN(int(6*chaosBeat)))
	switch w.stream.IntN(8) {
	case 0, 1:
		_ = w.workers[k].Process.Kill()
		_ = w.workers[k].Wait()
		w.startWorker(k)
		return "worker killed"
	case 2:
		halt(w.workers[k], while)
		return "worker stopped"
	case 3:
		_ = w.hub.Process.Kill()
		<-w.done
		time.Sleep(while / 2)
		w.startHub()
		return "hub killed"
	case 4:
		halt(w.hub, while/2)
		return "hub stopped"
	case 5:
		w.bridge.Cut()
		return "network cut"
	case 6:
		w.bridge.Freeze()
		time.Sleep(while)
		w.bridge.Thaw()
		return "network frozen"
	default:
		w.server.Shutdown()
		w.server.WaitForShutdown()
		time.Sleep(while / 4)
		w.serve()
		return "server killed"
	}
}

// halt stops a process for a while.
func halt(c *exec.Cmd, d time.Duration) {
	_ = c.Process.Signal(syscall.SIGSTOP)
	time.Sleep(d)
	_ = c.Process.Signal(syscall.SIGCONT)
}

// Workers, the hub and the server are killed and stopped and the network is cut and frozen, at random moments. No answer that was
// acknowledged is lost, none counts twice, and the study ends. With -misfortunes 200 it takes minutes.
func TestNothingIsLostInChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	w := &town{t: t, dir: t.TempDir(), budget: 120 * *misfortunes, port: detour.Port(t), stream: rand.New(rand.NewPCG(*fortune, 1))}
	w.serve()
	defer func() { w.server.Shutdown(); w.server.WaitForShutdown() }()
	w.bridge = detour.New(t, fmt.Sprint("127.0.0.1:", w.port))
	w.startHub()
	for k := range w.workers {
		w.startWorker(k)
	}
	defer func() {
		for _, c := range w.workers {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		_ = w.hub.Process.Kill()
	}()
	suffered := map[string]int{}
	began, n := time.Now(), 0
	for ended := false; !ended; {
		select {
		case err := <-w.done:
			fatal(t, err)
			ended = true
		case <-time.After(time.Duration(w.stream.IntN(int(3 * chaosBeat)))):
			if n < *misfortunes {
				n++
				suffered[w.misfortune()]++
			}
		}
		if time.Since(began) > time.Duration(*misfortunes)*10*time.Second+time.Minute {
			t.Fatalf("the study does not end: seed %d, %v", *fortune, suffered)
		}
	}
	t.Logf("%d misfortunes in %v: %v", n, time.Since(began).Round(time.Second), suffered)
	w.judge()
}

// judge compares the journal with what workers were told.
func (w *town) judge() {
	t := w.t
	store, err := sqlite.Open(filepath.Join(w.dir, "study.db"))
	fatal(t, err)
	defer store.Close()
	l, open, err := journal.Replay(store)
	if err != nil || len(open) > 0 || !l.Finished() {
		t.Fatalf("replay: %v, %d effects are open", err, len(open))
	}
	all := l.Evaluations()
	measured, acknowledged, late := map[[2]int]float64{}, 0, 0
	for k := range w.workers {
		file, err := os.Open(filepath.Join(w.dir, fmt.Sprint("w", k, ".log")))
		if err != nil {
			continue // it had nothing to say
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var at [2]int
			var value float64
			if _, err := fmt.Sscanf(lines.Text(), "measured %d %d %g", &at[0], &at[1], &value); err == nil {
				measured[at] = value
				continue
			}
			evaluation, attempt, fate := readLine(lines.Text())
			v, there := measured[[2]int{evaluation, attempt}]
			if !there || fate != "taken" && fate != "late" && fate != "repeated" {
				continue // a failure, or the value of another attempt was there
			}
			acknowledged++
			if e := all[evaluation-1]; !e.Measured || e.Value != v {
				t.Errorf("evaluation %d.%d: %v was acknowledged as %s, and the study has %v (measured: %v)", evaluation, attempt, v, fate, e.Value, e.Measured)
			} else if attempt < e.Attempt {
				late++
			}
		}
		file.Close()
	}
	values := 0
	for _, e := range all {
		if e.Measured {
			values++
			if _, somebody := measured[[2]int{e.Number, e.Attempt}]; !somebody && e.Status == loop.Observed && !anyAttempt(measured, e.Number, e.Value) {
				t.Errorf("evaluation %d has %v, which nobody measured", e.Number, e.Value)
			}
		}
	}
	seen, err := counted(store)
	fatal(t, err)
	for number, n := range seen {
		if n > 1 {
			t.Errorf("evaluation %d counts %d times", number, n)
		}
	}
	if values != w.budget || acknowledged == 0 {
		t.Errorf("%d values for a budget of %d, %d acknowledged", values, w.budget, acknowledged)
	}
	t.Logf("%d values, %d acknowledgements heard, %d of them for an older attempt; %d hubs; %+v", values, acknowledged, late, w.epoch, l.Counters())
}

func anyAttempt(measured map[[2]int]float64, number int, value float64) bool {
	for at, v := range measured {
		if at[0] == number && v == value {
			return true
		}
	}
	return false
}

// counted is how often a value of each evaluation was taken, by a loop that is stepped anew.
func counted(store journal.Store) (map[int]int, error) {
	h, err := store.Header()
	if err != nil {
		return nil, err
	}
	l, err := loop.New(h.Config)
	if err != nil {
		return nil, err
	}
	n := map[int]int{}
	for r, err := range store.Records() {
		if err != nil {
			return nil, err
		}
		reaction, err := l.Step(r.Event)
		if err != nil {
			return nil, err
		}
		if e, value := r.Event.Event.(loop.FeedbackArrived); value && (reaction.Fate == loop.FateTaken || reaction.Fate == loop.FateLate) {
			n[e.Evaluation]++
		}
	}
	return n, nil
}

// readLine reads what the log of a worker says of a result.
func readLine(line string) (evaluation, attempt int, fate string) {
	for field := range strings.SplitSeq(strings.Trim(line[strings.IndexByte(line, '{')+1:], "} \n"), ", ") {
		name, value, _ := strings.Cut(field, ": ")
		switch strings.Trim(name, `"`) {
		case "evaluation":
			fmt.Sscan(value, &evaluation)
		case "attempt":
			fmt.Sscan(value, &attempt)
		case "fate":
			fate = strings.Trim(value, `"`)
		}
	}
	return evaluation, attempt, fate
}
