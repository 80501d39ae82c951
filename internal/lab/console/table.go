package console

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable is an empty table in the style of the house.
func NewTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	return t
}

// RightFrom aligns the columns first … last, from 1, to the right.
func RightFrom(first, last int) []table.ColumnConfig {
	var out []table.ColumnConfig
	for i := first; i <= last; i++ {
		out = append(out, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	return out
}
