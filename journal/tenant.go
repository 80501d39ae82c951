package journal

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"
)

// ErrInUse says that a study of this program writes to the store, and is not at its end. Nothing was written.
var ErrInUse = errors.New("the store is in use")

// Rooted is what a store is besides that others embed: Root returns it, also from them, so that it is known for the same.
type Rooted interface{ Root() Store }

// tenant is the one study that writes to a store, of all in this process: NewRecorder and Resume make it one. It stays so when it yields,
// until another one moves in: what it would write then is refused.
type tenant struct {
	store  any         // by which the store is known; nil: by nothing
	yields atomic.Bool // whoever comes may have the store
	// writing is held while the tenant writes, and while another one begins or replays in its place.
	writing sync.Mutex
	gone    bool // another one has moved in
}

// tenants are those of all stores. A study that nobody holds any more gives its store up.
var tenants = struct {
	sync.Mutex
	of map[any]weak.Pointer[tenant]
}{of: map[any]weak.Pointer[tenant]{}}

// lease is the entry of a tenant.
type lease struct {
	store any
	who   weak.Pointer[tenant]
}

// identity is what a store is known by: nil where two of a kind cannot be told apart.
func identity(store Appender) any {
	var known any = store
	if r, rooted := store.(Rooted); rooted {
		known = r.Root()
	}
	v := reflect.ValueOf(known)
	if !v.IsValid() {
		return nil
	}
	size := v.Type().Size()
	if v.Kind() == reflect.Pointer {
		size = v.Type().Elem().Size()
	}
	if size == 0 || !v.Comparable() {
		return nil
	}
	return known
}

// moveIn makes the caller the tenant of a store, after beginning or reading it, unless another one is and does not yield (ErrInUse). After an
// error everything is as it was before.
func moveIn(store Appender, settle func() error) (*tenant, error) {
	t := &tenant{store: identity(store)}
	if t.store == nil {
		return t, settle()
	}
	before, err := t.sign()
	if err != nil {
		return nil, err
	}
	settled := false
	defer func() {
		if !settled {
			t.withdraw(before)
		}
	}()
	if before != nil {
		before.writing.Lock() // after what it is writing
		defer before.writing.Unlock()
	}
	if err := settle(); err != nil {
		return nil, err
	}
	settled = true
	if before != nil {
		before.gone = true
	}
	return t, nil
}

// sign enters a tenant for its store and returns the one before, nil without.
func (t *tenant) sign() (before *tenant, err error) {
	tenants.Lock()
	defer tenants.Unlock()
	before = tenants.of[t.store].Value()
	if before != nil && !before.yields.Load() {
		return nil, fmt.Errorf("%w by a study of this program: wait for its end (Run.Wait), or close it first (Study.Close)", ErrInUse)
	}
	l := lease{t.store, weak.Make(t)}
	tenants.of[t.store] = l.who
	runtime.AddCleanup(t, lease.end, l)
	return before, nil
}

// withdraw gives a store back to the one before.
func (t *tenant) withdraw(before *tenant) {
	if before == nil {
		lease{t.store, weak.Make(t)}.end()
		return
	}
	tenants.Lock()
	defer tenants.Unlock()
	tenants.of[t.store] = weak.Make(before)
}

// end forgets a tenant that nobody holds.
func (l lease) end() {
	tenants.Lock()
	defer tenants.Unlock()
	if tenants.of[l.store] == l.who {
		delete(tenants.of, l.store)
	}
}

// write brings something to the store, unless another study has it.
func (t *tenant) write(bring func() error) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	if t.gone {
		return fmt.Errorf("%w: another study of this program goes on with it", ErrInUse)
	}
	return bring()
}
