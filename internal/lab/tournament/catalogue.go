package tournament

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// WriteCells prints what there is to choose from, problems and conditions, and the cells that were chosen.
func WriteCells(w io.Writer, cells []Cell) error {
	problems, missing, err := Problems("")
	if err != nil {
		return err
	}
	t := console.NewTable()
	t.AppendHeader(table.Row{"problem", "family", "half", "what it is"})
	for _, p := range problems {
		t.AppendRow(table.Row{p.Name, p.Family, p.Half, p.Describe})
	}
	for _, name := range missing {
		t.AppendRow(table.Row{name, Lists, "", "measured configurations of support vector machines; needs -data"})
	}
	fmt.Fprintln(w, t.Render())
	for _, kinds := range []struct {
		head string
		list []Kind
	}{{"noise, in units of the standard deviation of the values", Noises}, {"delays, in ticks", Delays}} {
		t := console.NewTable()
		t.AppendHeader(table.Row{"name", kinds.head})
		for _, k := range kinds.list {
			t.AppendRow(table.Row{k.Name, k.Describe})
		}
		fmt.Fprintln(w, t.Render())
	}
	t = console.NewTable()
	t.AppendHeader(table.Row{"cell", "half"})
	for _, c := range cells {
		t.AppendRow(table.Row{c.Name(), c.Problem.Half})
	}
	_, err = fmt.Fprintf(w, "%s\n%s.\n", t.Render(), console.Plural(len(cells), "cell"))
	return err
}
