package console

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestPlainLinesAreRare(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := newPlain(&out, 5, 40, func() time.Time { return now })
	for i := range 20 {
		now = now.Add(500 * time.Millisecond)
		if i == 6 {
			p.Run()
		}
		p.Query()
	}
	p.Stop()
	want := "1 of 5 runs, 20 %, about 16s left\n1 of 5 runs, 40 %, about 12s left\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestOnlyATerminalIsLive(t *testing.T) {
	if Live(&bytes.Buffer{}) {
		t.Error("a buffer is no terminal")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Live(null) {
		t.Error("the null device is no terminal")
	}
}

func TestTheBarLeavesNothingRunning(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, 2, 4)
	b.Query()
	b.Run()
	b.Query() // and the rest never comes
	b.Stop()
}
