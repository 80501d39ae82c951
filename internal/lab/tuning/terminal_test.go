package tuning

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

// emulated is a terminal whose screen can be read.
func emulated() (*terminal, *page) {
	p := &page{width: 60}
	return &terminal{w: writerTo(p.write), size: func() (int, int) { return 60, 20 }}, p
}

type writerTo func(string)

func (w writerTo) Write(b []byte) (int, error) {
	w(string(b))
	return len(b), nil
}

func TestFramesTakeEachOthersPlace(t *testing.T) {
	screen, p := emulated()
	p.write("before\n")
	for _, c := range []struct{ frame, want string }{
		{"one\ntwo\nthree", "before\none\ntwo\nthree\n"},
		{"1\n2\n3\n4", "before\n1\n2\n3\n4\n"},
		{"ONE", "before\nONE\n"},
	} {
		screen.draw(strings.Split(c.frame, "\n"))
		if got := p.text(); got != c.want || !p.hidden {
			t.Errorf("cursor hidden: %v, got\n%swant\n%s", p.hidden, got, c.want)
		}
		p.write("^C") // echoed by the terminal
	}
	screen.clear()
	screen.clear()
	p.write("after\n")
	if got := p.text(); got != "before\nafter\n" || p.hidden || p.nowrap {
		t.Errorf("cursor hidden: %v, no wrap: %v, got\n%s", p.hidden, p.nowrap, got)
	}
}

func TestAViewerShowsTenFramesASecondAndLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal, p := emulated()
		frames := 0
		write := terminal.w
		terminal.w = writerTo(func(text string) {
			frames++
			write.Write([]byte(text))
		})
		ctx, cancel := context.WithCancel(t.Context())
		v := show(ctx, terminal, nil, shown())
		v.apply(comes(0, 1, 0.97, true))
		time.Sleep(1050 * ms)
		synctest.Wait()
		if text := p.text(); frames != 11 || !p.hidden || !strings.Contains(text, "best 97.00 %") || !strings.Contains(text, "3.0 s left") {
			t.Errorf("%d frames, the last:\n%s", frames, text)
		}
		cancel()
		synctest.Wait()
		if text := p.text(); text != "\n" || p.hidden {
			t.Errorf("after the interrupt: cursor hidden: %v, screen:\n%s", p.hidden, text)
		}
		if s := v.stop(); len(s.course.best) != 2 {
			t.Errorf("last screen: %+v", s)
		}
	})
}

func TestAViewerWritesALineEveryFewSecondsToAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		v := watch(t.Context(), &out, shown())
		time.Sleep(3*console.PlainEvery - ms)
		v.stop()
		if got := strings.Count(out.String(), "\n"); got != 2 || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%d lines:\n%s", got, out.String())
		}
		consoletest.Contains(t, out.String(), "method 1 of 3: gp-bucb, 3 workers: 2 done, 2 pending, 1 failed;", "0.0 s left")
	})
}
