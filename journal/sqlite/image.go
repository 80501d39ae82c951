package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// viewImage connects to an image of the database in memory. One that is not whole promises what nobody has any more, and
// gets marks of its own.
func (s *Store) viewImage(whole bool) error {
	image, err := s.image(whole)
	if err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, err)
	}
	s.unview()
	if err := s.connect(inMemory); err != nil {
		return err
	}
	err = s.restore(image)
	if err == nil && !whole {
		err = renew(s.db)
	}
	if err == nil {
		_, err = s.db.Exec("PRAGMA query_only = 1")
	}
	if err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, sick(err))
	}
	if err := s.load(); err != nil {
		return err
	}
	return s.begun()
}

// image puts the database and its log together. It wants a whole log, and tries again when somebody has written meanwhile;
// or it takes what there is, without the log if that is none of this database.
func (s *Store) image(whole bool) ([]byte, error) {
	for range tries {
		before, err := s.look(true)
		if err != nil {
			return nil, err
		}
		image, err := s.pages()
		if err != nil {
			return nil, err
		}
		log, err := os.ReadFile(s.file + "-wal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		merged, c := merge(image, log)
		after, err := s.look(true)
		if err != nil {
			return nil, err
		}
		switch same := before.bond == after.bond && before.info.ModTime().Equal(after.info.ModTime()); {
		case same && before.bond.knows(c.marks):
			return merged, nil
		case same && !whole:
			return image, nil
		}
		wait(apart)
	}
	return nil, errors.New("the database changes all the time while it is read")
}

// pages are those of the database alone, as a database without a log. They are read through SQLite, see look.
func (s *Store) pages() (out []byte, err error) {
	db, err := dial(s.file, immutable, "writable_schema(1)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	c, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	err = c.Raw(func(driver any) error {
		out, err = driver.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return out, err
}

// restore fills the database in memory.
func (s *Store) restore(image []byte) error {
	c, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer c.Close()
	image[18], image[19] = 1, 1 // no log
	return c.Raw(func(driver any) error {
		return driver.(interface{ Deserialize([]byte) error }).Deserialize(image)
	})
}

// merge puts the transactions of a log into the pages of a database, as far as they are good.
func merge(image, log []byte) ([]byte, chain) {
	if len(log) < headBytes {
		return image, chain{}
	}
	c, whole := newChain(log[:headBytes])
	if !whole {
		return image, chain{}
	}
	out := bytes.Clone(image)
	for begin, at := headBytes, headBytes; at+frameBytes+c.page <= len(log); {
		f := frame(log[at : at+frameBytes+c.page])
		if !c.take(f) {
			break
		}
		at += len(f)
		if f.pages() == 0 {
			continue
		}
		length := int(f.pages()) * c.page
		out = append(out, make([]byte, max(0, length-len(out)))...)[:length]
		for ; begin < at; begin += len(f) {
			f := frame(log[begin : begin+frameBytes+c.page])
			if n := int(f.number()); n*c.page <= length {
				copy(out[(n-1)*c.page:], f[frameBytes:])
			}
		}
	}
	return out, c
}
