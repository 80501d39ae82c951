package check

import "strings"

// maxMeant is the length in bytes of the longest word that is compared: what is longer is no misspelt name.
const maxMeant = 200

// Meant returns the name that was probably meant by a misspelt word, the first of equally near ones; empty when none is
// near: a third of the letters may be wrong, in short words one. Upper and lower case are the same.
func Meant(written string, names []string) string {
	if written == "" || len(written) > maxMeant {
		return ""
	}
	meant, distance := "", 0
	for _, name := range names {
		if len(name) > maxMeant {
			continue
		}
		d := editDistance([]rune(strings.ToLower(written)), []rune(strings.ToLower(name)))
		if limit := (max(len(written), len(name)) + 2) / 3; d <= limit && (meant == "" || d < distance) {
			meant, distance = name, d
		}
	}
	return meant
}

// editDistance returns how many letters must be inserted, removed, replaced or swapped with their neighbor to make b of
// a, no letter being edited twice (optimal string alignment). It costs O(len(a) len(b)).
func editDistance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
