package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/cluster"
)

// certificate is the command line of certify.
type certificate struct {
	role, name    string
	days          int
	lasts         bool // whether days were given
	revoke, renew string
	hosts         []string
}

func newCertify() *cobra.Command {
	var c certificate
	cmd := &cobra.Command{
		Use:   "certify FOLDER (--role ROLE --name NAME | --renew NAME | --revoke NAME)",
		Short: "Make, renew and revoke the certificates of a cluster",
		Long: `Make a certificate for a client, renew one, or revoke one, with the authority of a folder that tarry serve --init made. A client gets two files,
FOLDER/NAME.pem and FOLDER/NAME.key; on its machine it needs these and FOLDER/ca.pem. Files that are there are not overwritten.

The role says what the client may do: admin everything; worker evaluate, over NATS and HTTP; asker make studies, ask and tell, over HTTP; viewer
look on, over HTTP. With the role server the certificate is that of another server, a standby or a NATS server, under the names of --host.

--renew exchanges the certificate for one that holds from now on, as long as the one before unless --days says otherwise, with the same key; the
one before holds until its end. Where that was revoked there is a new key as well, and both files are needed anew. The server's own is
called server, and --host gives it more names. Servers and workers take the new file by themselves.

--revoke ends all certificates of a name, or the one with a serial number, by a line in FOLDER/revoked.txt. A server that reads this file
disconnects who shows them, and goes on. NATS servers of your own do not read it: docs/standby.md says what keeps somebody out there.
` + exitCodes,
		Example: `  tarry serve --init cluster --host tune.example.org
  tarry certify cluster --role worker --name gpu-1 --days 90
  tarry certify cluster --role server --name standby --host b.example.org
  tarry certify cluster --renew gpu-1
  tarry certify cluster --renew server --host tarry.example.org
  tarry certify cluster --revoke gpu-1`,
		Args: exactly("FOLDER"), DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.lasts = cmd.Flags().Changed("days")
			done, err := c.do(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), done)
			return failure(err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.role, "role", "", "`ROLE` of the client: admin, worker, asker or viewer; or server")
	f.StringVar(&c.name, "name", "", "`NAME` of the client: letters, digits, - and _")
	f.IntVar(&c.days, "days", 365, "`DAYS` that the certificate holds; by default one that is renewed holds as long as the one before, and one of a server 730")
	f.StringVar(&c.renew, "renew", "", "`NAME` of the client whose certificate is renewed, or server")
	f.StringVar(&c.revoke, "revoke", "", "`NAME` whose certificates hold no more, or the serial number of one")
	f.StringSliceVar(&c.hosts, "host", nil, "`NAMES` and addresses that the certificate of a server is for besides")
	completed(cmd)
	cmd.ValidArgsFunction = oneFolder
	return cmd
}

// do does the one of the three that the flags ask for, and says what was done.
func (c *certificate) do(dir string) (done string, err error) {
	asked := 0
	for _, given := range []bool{c.role != "" || c.name != "", c.renew != "", c.revoke != ""} {
		if given {
			asked++
		}
	}
	if asked != 1 {
		return "", usage(errors.New("want one of --role with --name, --renew and --revoke"))
	}
	if c.days < 1 || c.days > 3650 {
		return "", usage(fmt.Errorf("--days %d: want 1 ≤ days ≤ 3650", c.days))
	}
	if len(c.hosts) > 0 && c.renew == "" && c.role != serverRole {
		return "", usage(fmt.Errorf("--host %s: want --renew server or --role server with it", c.hosts[0]))
	}
	if c.lasts && c.revoke != "" {
		return "", usage(fmt.Errorf("--days %d: want --role or --renew with it, since a revocation is for good", c.days))
	}
	validity := time.Duration(0)
	if c.lasts {
		validity = time.Duration(c.days) * day
	}
	switch {
	case c.revoke != "":
		serials, err := cluster.Revoke(dir, c.revoke)
		if err == nil && len(serials) == 0 {
			return c.revoke + " was revoked before", nil
		}
		return fmt.Sprintf("%s is revoked: %d of its certificates hold no more", c.revoke, len(serials)), certifying(err)
	case c.renew != "":
		again, err := cluster.Renew(dir, c.renew, validity, c.hosts...)
		if err != nil {
			return "", certifying(err)
		}
		cert, held := filepath.Join(dir, c.renew+".pem"), daysUntil(again.Until)
		if again.Key {
			return fmt.Sprintf("%s and %s are new, and hold %d days: the certificate before is revoked, and its key is used no more", cert, filepath.Join(dir, c.renew+".key"), held), nil
		}
		return fmt.Sprintf("%s is new, and holds %d days; the one before holds until its end", cert, held), nil
	case c.role == serverRole:
		if !c.lasts {
			c.days *= 2
		}
		return c.issued(dir), certifying(cluster.IssueServer(dir, c.name, validity, c.hosts...))
	default:
		return c.issued(dir), certifying(cluster.Issue(dir, c.role, c.name, validity))
	}
}

// serverRole is what the role of another server is called.
const serverRole = "server"

const day = 24 * time.Hour

// daysUntil is how many days there are until a time.
func daysUntil(end time.Time) int { return int(time.Until(end).Round(day) / day) }

// issued says which files a certificate and its key are.
func (c *certificate) issued(dir string) string {
	return fmt.Sprintf("%s and %s hold %d days; with %s they are all that %s needs", filepath.Join(dir, c.name+".pem"), filepath.Join(dir, c.name+".key"), c.days,
		filepath.Join(dir, "ca.pem"), c.name)
}
