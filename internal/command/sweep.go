package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	namePatience = 10 * time.Second // for a shim that has not said yet who it is
	lockPatience = 8 * time.Second  // for the lock, after SIGKILL
)

// Sweep ends what a process that died has left running below dir, the Runner.Dir of that time: SIGTERM, SIGKILL after
// 2 s, for all attempts at once. It calls report, unless nil, once with each attempt (the name of its folder) and the
// leader of its process group, before anything of it is killed, and returns when all locks are free. The error names
// those that are not after 10 s. A process group whose number may have come to others meanwhile is left alone. It costs
// some 25 µs for each folder. No Runner may be at work in dir.
//
// On Linux it then ends, in the same way, whatever process still has the folder of an attempt below dir in its
// environment as TARRY_LOG_DIR, for another 20 µs for each process of the machine: what has closed the lock, and what
// runs on although the folders, or dir itself, were deleted. This process, its ancestors and its process group are
// spared.
func Sweep(dir string, report func(attempt string, pid int)) error {
	dir, err := resolve(dir)
	if err != nil {
		return err
	}
	var mutex sync.Mutex
	reported := map[string]bool{}
	once := func(attempt string, pid int) {
		mutex.Lock()
		defer mutex.Unlock()
		if report != nil && !reported[attempt] {
			report(attempt, pid)
		}
		reported[attempt] = true
	}
	err = sweepLocks(dir, once)
	return errors.Join(err, endMarked(dir, "", defaultGrace, lockPatience, once))
}

// sweepLocks kills what holds the locks of attempts.
func sweepLocks(dir string, report func(attempt string, pid int)) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var work sync.WaitGroup
	errs := make([]error, len(entries))
	for i, entry := range entries {
		f := folder(filepath.Join(dir, entry.Name()))
		if folderName.MatchString(entry.Name()) && f.held() {
			work.Go(func() { errs[i] = f.sweep(defaultGrace, lockPatience, report) })
		}
	}
	work.Wait()
	return errors.Join(errs...)
}

// held reports whether a process of the attempt lives. A folder without a lock, or with one that cannot be opened, has
// none.
func (f folder) held() bool {
	lock, err := open(f.path(lockFile), os.O_RDWR)
	if err != nil {
		return false
	}
	defer lock.Close()
	free, err := tryLock(lock)
	return err == nil && !free
}

// sweep kills what still holds the lock of the folder, and waits for that with patience after SIGKILL.
func (f folder) sweep(grace, patience time.Duration, report func(attempt string, pid int)) error {
	var record lockRecord
	freed := func() bool { return !f.held() }
	// A shim that has just been started may not have said yet who it is.
	known := func() bool { return readJSON(f.path(lockFile), &record) == nil && record.PID > 1 }
	poll(namePatience, func() bool { return freed() || known() })
	switch {
	case freed():
		return nil
	case !known():
		return fmt.Errorf("%s is held by an unknown process", f.path(lockFile))
	case record.Identity == "":
		return fmt.Errorf("%s is held by process group %d, whose number may have come to others meanwhile", f.path(lockFile), record.PID)
	}
	report(filepath.Base(string(f)), record.PID)
	g := group{leader: record.PID, identity: record.Identity, folder: f}
	if !g.end(grace, patience, freed) {
		return fmt.Errorf("%s is still held by process group %d, or what descends from it, %v after SIGKILL", f.path(lockFile), record.PID, patience)
	}
	return nil
}

// unreported is for attempts that nobody wants to hear of.
func unreported(string, int) {}
