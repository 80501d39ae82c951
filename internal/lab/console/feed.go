package console

import "context"

// Feed hands out the places of so many jobs, from 0, until ctx ends. Then it closes the channel.
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
