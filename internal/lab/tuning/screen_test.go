package tuning

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/space"
)

// shown is the screen of a method with three workers, one of them idle.
func shown() screen {
	c := told(3, goes(0, 1, 1, 2, 2, 3, 3), comes(400*ms, 2, 0.9612, true, 4, 2), fails(700*ms, 3), comes(900*ms, 4, 0.9, false, 5, 2))
	format := func(x space.Point) string { return fmt.Sprintf("C=%g gamma=%g", x[0], x[1]) }
	return screen{"gp-bucb, 3 workers", 1, 3, 4 * time.Second, format, c}
}

func TestFrame(t *testing.T) {
	consoletest.Golden(t, "frame.txt", strings.Join(shown().frame(1500*ms, 80, 24, false), "\n")+"\n")
}

func TestFrameOfANarrowTerminal(t *testing.T) {
	consoletest.Golden(t, "narrow.txt", strings.Join(shown().frame(1500*ms, 34, 24, false), "\n")+"\n")
}

func TestFrameBeforeTheFirstEvent(t *testing.T) {
	s := shown()
	s.course = newCourse(2)
	consoletest.Golden(t, "first.txt", strings.Join(s.frame(0, 80, 24, false), "\n")+"\n")
}

// crowded is the screen of a method with so many workers, all of them busy but the first.
func crowded(workers int) screen {
	s := shown()
	s.course = newCourse(workers)
	for k := workers; k > 1; k-- {
		s.course.apply(goes(time.Duration(workers-k)*10*ms, k, k))
	}
	return s
}

func TestManyWorkersGiveWayToTheOldest(t *testing.T) {
	consoletest.Golden(t, "crowd.txt", strings.Join(crowded(40).frame(2000*ms, 80, 50, false), "\n")+"\n")
}

func TestAFrameFitsTheTerminal(t *testing.T) {
	for _, s := range []screen{shown(), crowded(1), crowded(40), crowded(1024)} {
		for width := 20; width <= 130; width += 7 {
			for height := 1; height <= 30; height++ {
				lines := s.frame(1500*ms, width, height, false)
				if len(lines) > height || len(lines) == 0 {
					t.Fatalf("%d lines in a height of %d", len(lines), height)
				}
				for _, line := range lines {
					if n := utf8.RuneCountInString(line); n > width {
						t.Fatalf("%d characters in a width of %d: %s", n, width, line)
					}
				}
			}
		}
	}
}

func TestColoursChangeNothingElse(t *testing.T) {
	plain, painted := shown().frame(1500*ms, 80, 24, false), shown().frame(1500*ms, 80, 24, true)
	p := page{width: 80}
	p.write(strings.Join(painted, "\n"))
	if got, want := p.text(), strings.Join(plain, "\n")+"\n"; got != want {
		t.Errorf("painted:\n%s\nplain:\n%s", got, want)
	}
	consoletest.Contains(t, strings.Join(painted, "\n"), "\x1b[31m1 failed\x1b[0m", "\x1b[32mbest 96.12 %")
	if strings.Contains(strings.Join(plain, "\n"), "\x1b") {
		t.Error("a plain frame has control sequences")
	}
}

func TestLinesForPipes(t *testing.T) {
	s := shown()
	want := "method 1 of 3: gp-bucb, 3 workers: 2 done, 2 pending, 1 failed; best 96.12 % with C=2 gamma=0.5 (#2, after 0.40 s); 2.5 s left"
	if got := s.line(1500 * ms); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.course.apply(stops(4*time.Second, cut(1, 1, 4*time.Second)))
	want = "method 1 of 3: gp-bucb, 3 workers: 2 done in 4.00 s; best 96.12 % with C=2 gamma=0.5 (#2, after 0.40 s)"
	if got := s.summary(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestGauges(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{-1, "    "}, {0, "    "}, {0.25, "█   "}, {0.5, "██  "}, {0.53, "██▏ "}, {0.99, "████"}, {1, "████"}, {7, "████"}} {
		if got := gauge(c.share, 4); got != c.want {
			t.Errorf("%v: %q, want %q", c.share, got, c.want)
		}
	}
}

func TestDurationsForReaders(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{readable(0), "0.0 ms"}, {readable(6140 * time.Microsecond), "6.1 ms"}, {readable(9960 * time.Microsecond), "10 ms"}, {readable(99 * ms), "99 ms"},
		{readable(100 * ms), "0.10 s"}, {readable(75 * time.Second), "75.00 s"},
		{prose(7500 * ms), "7.5 s"}, {prose(90 * time.Second), "1m30s"}, {prose(2 * time.Hour), "2h"},
		{console.Brief(0), "0s"}, {console.Brief(time.Hour), "1h"}, {console.Brief(time.Minute), "1m"}, {console.Brief(100 * ms), "100ms"}, {console.Brief(10 * time.Hour), "10h"}, {console.Brief(20 * time.Minute), "20m"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
