package serve

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// Who comes again without having heard of an event must know from where: the stream begins with the number.
func TestAStreamOfEventsSaysFromWhereItBegins(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	s.want(200, "", "", "POST", lr+"/ask", "")
	server := httptest.NewServer(s.Server)
	defer server.Close()
	for after, want := range map[string]string{"": "id: 2", "?after=0": "id: 0", "?after=1": "id: 1"} {
		answer := must.Get(http.Get(server.URL + lr + "/events" + after))(t)
		lines := bufio.NewScanner(answer.Body)
		lines.Scan()
		if lines.Text() != want {
			t.Errorf("%q begins with %q, want %q", after, lines.Text(), want)
		}
		answer.Body.Close()
	}
}
