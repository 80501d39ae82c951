package actors

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// ZapLogger returns a logger whose entries a slog handler gets, for programs that log with log/slog. Fields become
// attributes, namespaces become groups; the name of the logger is the attribute "logger".
func ZapLogger(h slog.Handler) *zap.Logger { return zap.New(slogCore{h}) }

// slogCore is a zap core that writes to a slog handler.
type slogCore struct{ handler slog.Handler }

// Enabled asks the handler.
func (c slogCore) Enabled(l zapcore.Level) bool {
	return c.handler.Enabled(context.Background(), slogLevel(l))
}

// With adds fields to every entry.
func (c slogCore) With(fields []zapcore.Field) zapcore.Core {
	h := c.handler
	for i, f := range fields {
		if f.Type == zapcore.NamespaceType {
			if i > 0 {
				h = h.WithAttrs(slogAttrs(fields[:i]))
			}
			return slogCore{h.WithGroup(f.Key)}.With(fields[i+1:])
		}
	}
	if len(fields) == 0 {
		return slogCore{h}
	}
	return slogCore{h.WithAttrs(slogAttrs(fields))}
}

// Check adds the core to an entry that the handler wants.
func (c slogCore) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

// Write hands an entry to the handler, whose error it returns.
func (c slogCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	r := slog.NewRecord(entry.Time, slogLevel(entry.Level), entry.Message, entry.Caller.PC)
	if entry.LoggerName != "" {
		r.AddAttrs(slog.String("logger", entry.LoggerName))
	}
	r.AddAttrs(slogAttrs(fields)...)
	if entry.Stack != "" {
		r.AddAttrs(slog.String("stack", entry.Stack))
	}
	return c.handler.Handle(context.Background(), r)
}

// Sync does nothing: a handler writes at once, or sees to it itself.
func (slogCore) Sync() error { return nil }

// slogLevel is the level of slog at a level of zap; what is above an error is one.
func slogLevel(l zapcore.Level) slog.Level {
	const apart = int(slog.LevelInfo - slog.LevelDebug)
	return slog.Level(apart * min(int(l), int(zapcore.ErrorLevel)))
}

// slogAttrs are the fields as attributes. What follows a namespace is a group.
func slogAttrs(fields []zapcore.Field) (out []slog.Attr) {
	for i, f := range fields {
		switch f.Type {
		case zapcore.SkipType:
		case zapcore.NamespaceType:
			return append(out, slog.Attr{Key: f.Key, Value: slog.GroupValue(slogAttrs(fields[i+1:])...)})
		case zapcore.ReflectType, zapcore.ErrorType:
			out = append(out, slog.Any(f.Key, f.Interface)) // the handler knows how it writes it
		default:
			m := zapcore.NewMapObjectEncoder()
			f.AddTo(m)
			for _, key := range slices.Sorted(maps.Keys(m.Fields)) {
				out = append(out, slog.Any(key, m.Fields[key]))
			}
		}
	}
	return out
}
