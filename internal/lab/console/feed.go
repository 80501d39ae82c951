package console

import (
	"context"
)

// Feed hands out the places of the jobs until ctx ends.
func Feed(ctx context.Context, next chan<- int, count int) {
	defer close(next)
	for i := range count {
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}
