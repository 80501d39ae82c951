package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// relay reads what a command prints from a pipe and spools it.
//
// The command cannot write to the file itself, where that is to stay small: a limit of the system to the size of files ends
// the command, and what is cut out of a file behind the back of the one who writes to it may be the value that it is just
// writing, or stays on disk until it is cut out (a hole), which is long where a command prints gigabytes. Who reads in its
// place must live as long as the command and must not wait for the process that tunes, which may die: that is the shim. It
// reads on whatever happens to the file, so that nobody is held up. What a command has printed is in the pipe before it ends,
// so it can be read to its last byte then, whoever of its children still has the pipe open. Should the shim be killed, what
// it has not read is lost, and the command gets SIGPIPE; but then nobody knows how the command ended, and the attempt has
// failed anyhow.
type relay struct {
	pipe  *os.File
	spool spool
	clerk *clerk        // picks out what is reported; nil for none
	done  chan struct{} // closed when the pipe is not read any more
}

const (
	pipeSize = 64 << 10 // of an ordinary pipe
	maxPipe  = 16 << 20 // no pipe has more

	echoPatience = time.Second            // with those who hold the output of a command that has ended
	leastEcho    = 100 * time.Millisecond // of it, however little is left of the time of the attempt
	tidying      = 250 * time.Millisecond // of that time, for what is to be done after it: an answer that was in time is to come in time
)

// newRelay returns a relay to the file, and where to write.
func newRelay(file *os.File, limit int64) (*relay, *os.File, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	size, err := file.Seek(0, io.SeekEnd) // somebody may have complained there already
	if err != nil {
		return nil, nil, errors.Join(err, out.Close(), in.Close())
	}
	return &relay{pipe: out, spool: spool{file: file, limit: limit, size: size}, done: make(chan struct{})}, in, nil
}

// run reads until nobody can write any more, or end is called.
func (r *relay) run() {
	defer close(r.done)
	data := make([]byte, pipeSize)
	for {
		n, err := r.pipe.Read(data)
		r.write(data[:n])
		if err != nil {
			return
		}
	}
}

// write keeps what was read.
func (r *relay) write(p []byte) {
	_, _ = r.spool.Write(p)
	if r.clerk != nil {
		_, _ = r.clerk.Write(p)
	}
}

// end reads what is in the pipe, and returns why not all of it was kept. Those who have it open when the command has ended
// may write to it until it is late: it may be they who pass on what it printed, as in exec > >(tee log).
func (r *relay) end(late <-chan struct{}) error {
	select {
	case <-r.done:
	case <-late:
	}
	if err := r.pipe.SetReadDeadline(time.Unix(1, 0)); err != nil { // there is no such thing here
		return r.spool.close() // what the command printed was read meanwhile
	}
	<-r.done
	_ = r.pipe.SetReadDeadline(time.Time{}) // or nothing could be read
	data := make([]byte, pipeSize)
	for left := maxPipe; left > 0; {
		n := readNow(r.pipe, data)
		if n == 0 {
			break
		}
		r.write(data[:n])
		left -= n
	}
	_ = r.pipe.Close() // it was read
	return r.spool.close()
}

// relays are those of a command.
type relays struct{ out, problems *relay }

// startRelayed starts a command that prints to relays; what it reports is written to a file.
func startRelayed(cmd *exec.Cmd, limit int64, reports string) (relays, error) {
	out, stdout, err := newRelay(os.Stdout, limit)
	if err != nil {
		return relays{}, err
	}
	out.clerk = &clerk{path: reports}
	problems, stderr, err := newRelay(os.Stderr, limit)
	if err != nil {
		return relays{}, errors.Join(err, out.pipe.Close(), stdout.Close())
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Start()
	_ = errors.Join(stdout.Close(), stderr.Close()) // the command has them
	if err != nil {
		return relays{}, errors.Join(err, out.pipe.Close(), problems.pipe.Close())
	}
	go out.run()
	go problems.run()
	return relays{out, problems}, nil
}

// echoes is how long those are waited for who hold the output of a command that has ended, where the time of its attempt is up at a moment in
// milliseconds since 1970, or 0 for never.
func echoes(due int64) time.Duration {
	if due == 0 {
		return echoPatience
	}
	return min(max(time.Until(time.UnixMilli(due))-tidying, leastEcho), echoPatience)
}

// end returns why not all of standard output was kept, of which an end may come for so long. What was lost of standard error is not worth an
// outcome.
func (r relays) end(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = r.problems.end(ctx.Done())
	defer r.out.clerk.close()
	return r.out.end(ctx.Done())
}
