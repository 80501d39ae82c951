package actors

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/slogtest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
)

// A handler of slog over a zap logger over a handler of slog is one that keeps slog's rules.
func TestALoggerOverASlogHandlerLosesNothing(t *testing.T) {
	var out bytes.Buffer
	inner := slog.NewJSONHandler(&out, nil)
	slogtest.Run(t, func(t *testing.T) slog.Handler {
		if strings.Contains(t.Name(), "zero-time") {
			t.Skip("zap gives every entry a time")
		}
		out.Reset()
		return zapslog.NewHandler(ZapLogger(inner).Core())
	}, func(t *testing.T) map[string]any {
		var m map[string]any
		if err := json.Unmarshal(out.Bytes(), &m); err != nil {
			t.Fatalf("%v in %s", err, out.Bytes())
		}
		return m
	})
}

func TestFieldsOfALoggerAreAttributesOfAHandler(t *testing.T) {
	var out bytes.Buffer
	h := slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	log := ZapLogger(h).Named("engine").With(zap.String("study", "mine"))
	log.Info("not wanted")
	log.Warn("worker left", zap.Int("worker", 3), zap.Duration("at", time.Second), zap.Float64s("x", []float64{0.5, 2}), zap.Error(errors.New("gone")),
		zap.Any("odd", struct{ A int }{1}), zap.Bool("ok", true), zap.Skip(), zap.Namespace("of"), zap.Uint64("seq", 1<<63))
	log.With(zap.Int("a", 1), zap.Namespace("in"), zap.Int("b", 2)).Error("twice", zap.Int("c", 3))
	log.DPanic("bad")
	want := `level=WARN msg="worker left" study=mine logger=engine worker=3 at=1s x="[0.5 2]" error=gone odd={A:1} ok=true of.seq=9223372036854775808
level=ERROR msg=twice study=mine a=1 in.b=2 in.logger=engine in.c=3
level=ERROR msg=bad study=mine logger=engine
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
