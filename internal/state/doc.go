// Package state lets one list of the fields of a state serve its bytes, its restoration, its digest and its comparison. Each
// structure of the state has one method, or function, that names each of its fields once; a Visitor that goes over the list
// knows what to do with them:
//
//	type queue struct {
//		next    int
//		waiting []job
//		longest int // follows from waiting
//	}
//
//	func (q *queue) visit(v *state.Visitor) {
//		state.Number(v, "next", &q.next)
//		state.List(v, "waiting", &q.waiting, (*job).visit)
//		v.Rebuilt("from those that wait", "longest")
//	}
//
//	bytes := state.Bytes(nil, q.visit)              // write
//	err := state.Read(bytes, other.visit)           // read: now other.longest must be made
//	sum := state.Digest(q.visit)                    // hash
//	where := state.Difference(q.visit, other.visit) // compare: "waiting[3].at: 5s, 6s", or ""
//
// A field whose bytes are written but which tells no two states apart is visited through Unhashed, and one that is not written
// at all is named by Rebuilt or Anew, each with the reason. So a test that goes over all fields finds one that the list does
// not name (Marks).
//
// Whole numbers take as many bytes as they need, floats their eight, and nothing in the bytes names a field: what is written
// first is read first. Bytes from elsewhere make an error, never a panic, and no more memory than a multiple of their length.
// The package is pure.
package state
