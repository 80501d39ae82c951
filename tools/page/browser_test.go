// Package page looks at the page of tarry serve and at the reports of tarry report in a browser. It is a module of its own, so that the
// product needs no browser; without Chromium its tests are skipped.
package page

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium is the program of the browser; empty where there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a page of a browser of its own, with everything that it complained about.
type tab struct {
	t       *testing.T
	ctx     context.Context
	mutex   sync.Mutex
	trouble []string
}

// browse opens a browser, which ends with the test. The test is skipped where there is none.
func browse(t *testing.T) *tab {
	t.Helper()
	path := chromium()
	if path == "" {
		t.Skip("no Chromium here: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(func() { end(); stop() })
	one := &tab{t: t, ctx: ctx}
	one.listen()
	return one
}

// another opens a further tab of the same browser.
func (b *tab) another() *tab {
	ctx, end := chromedp.NewContext(b.ctx)
	b.t.Cleanup(end)
	one := &tab{t: b.t, ctx: ctx}
	one.listen()
	return one
}

// listen starts the browser, or a tab of it, and keeps what it complains about.
func (b *tab) listen() {
	err := chromedp.Listen(b.ctx, func(event any) {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.trouble = append(b.trouble, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			if e.Entry.Level == "error" {
				b.trouble = append(b.trouble, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// complaints are what the browser complained about so far.
func (b *tab) complaints() []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return append([]string(nil), b.trouble...)
}

// patience is how long something in a page may take before a test gives it up.
const patience = 30 * time.Second

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// get evaluates an expression, of promises what they come to.
func get[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(expression, err)
	}
	return out
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if get[bool](b, expression) {
			return
		}
	}
	b.t.Fatalf("never true: %s\n%s\n%q", expression, get[string](b, "document.body.innerText.slice(0, 1500)"), b.complaints())
}

// look sets the size and the theme of the page.
func (b *tab) look(width, height int64, theme string) {
	b.t.Helper()
	media := &emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	b.do(chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		return t.Call(ctx, "Emulation.setEmulatedMedia", media, nil)
	}))
}

// front shows the tab.
func (b *tab) front() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		return t.Call(ctx, "Page.bringToFront", struct{}{}, nil)
	}))
}

// keep is a folder for pictures of what the tests see; empty: none.
var keep = os.Getenv("PAGE_PICTURES")

// picture keeps a picture of the whole page.
func (b *tab) picture(name string) {
	b.t.Helper()
	if keep == "" {
		return
	}
	width, height := get[int64](b, `innerWidth`), get[int64](b, `document.documentElement.scrollHeight`)
	b.do(chromedp.EmulateViewport(width, height)) // so that everything is in sight, and drawn
	time.Sleep(700 * time.Millisecond)
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(keep, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// program is tarry, built once.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tarry-page")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "tarry")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/tarry")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// short is a text for a message.
func short(text string) string { return strings.TrimSpace(text[:min(len(text), 600)]) }
