package cluster

import (
	"fmt"
	"sync"

	"go.uber.org/zap"
)

// logger writes what the server says to the log of the program. What it merely notices is for those who look for a fault.
type logger struct {
	log *zap.Logger

	mutex sync.Mutex
	last  string // why it could not start
}

func (l *logger) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Debugf(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Tracef(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Warnf(format string, v ...any)   { l.log.Warn(fmt.Sprintf(format, v...)) }
func (l *logger) Errorf(format string, v ...any)  { l.log.Warn(fmt.Sprintf(format, v...)) }

// Fatalf keeps why the server cannot start; Start returns it.
func (l *logger) Fatalf(format string, v ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = fmt.Sprintf(format, v...)
	l.log.Error(l.last)
}

func (l *logger) fatal() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.last
}
