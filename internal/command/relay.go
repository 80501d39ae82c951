package command

import (
	"errors"
	"os"
	"os/exec"
	"time"
)

// relay reads what a command prints from a pipe and spools it.
//
// The command cannot write to the file itself where that is to stay small. A limit of the system to the size of files
// would end the command; what is cut out of a file behind the back of the one who writes to it is lost, or still counts as
// long (a hole, on some file systems, and until it is made the disk fills as fast as the command can write). The shim is
// the one process that is there as long as the command: it does not wait for the process that tunes, which may die. It
// reads on whatever happens to the file, so that nobody is held up, and what was printed is in the pipe in order: when the
// command has ended, all that it printed is there to be read, whoever of its children still has the pipe open. Should the
// shim itself be killed, what it has not read is lost, and the command has failed in any case, for nobody knows how it
// ended; such an end says nothing of the point where it was tarry that brought it about, and then the shim is the last.
type relay struct {
	pipe  *os.File
	spool spool
	done  chan struct{} // closed when the pipe is not read any more
}

const (
	pipeSize = 64 << 10 // of an ordinary pipe
	maxPipe  = 16 << 20 // no pipe has more
)

// newRelay returns a relay to the file, and where to write.
func newRelay(file *os.File, limit int64) (*relay, *os.File, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &relay{pipe: out, spool: spool{file: file, limit: limit}, done: make(chan struct{})}, in, nil
}

// run reads until nobody can write any more, or end is called.
func (r *relay) run() {
	defer close(r.done)
	data := make([]byte, pipeSize)
	for {
		n, err := r.pipe.Read(data)
		_, _ = r.spool.Write(data[:n])
		if err != nil {
			return
		}
	}
}

// end reads what is in the pipe now, and returns why not all of it was kept. It does not wait for those who have it open.
func (r *relay) end() error {
	if err := r.pipe.SetReadDeadline(time.Unix(1, 0)); err != nil { // there is no such thing here
		select {
		case <-r.done:
		case <-time.After(killPatience): // somebody still has it open; what the command printed was read long ago
		}
		return r.spool.close()
	}
	<-r.done
	_ = r.pipe.SetReadDeadline(time.Time{}) // or nothing could be read
	data := make([]byte, pipeSize)
	for left := maxPipe; left > 0; {
		n := readNow(r.pipe, data)
		if n == 0 {
			break
		}
		_, _ = r.spool.Write(data[:n])
		left -= n
	}
	_ = r.pipe.Close() // it was read
	return r.spool.close()
}

// relays are those of a command.
type relays struct{ out, problems *relay }

// startRelayed starts a command that prints to relays.
func startRelayed(cmd *exec.Cmd, limit int64) (relays, error) {
	out, stdout, err := newRelay(os.Stdout, limit)
	if err != nil {
		return relays{}, err
	}
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

// end returns why not all of standard output was kept. What was lost of standard error is not worth an outcome.
func (r relays) end() error {
	_ = r.problems.end()
	return r.out.end()
}
