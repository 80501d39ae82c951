package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/cluster"
)

// initiated gives a command the flags that make the folder of a cluster, in place of what it does otherwise.
func initiated(cmd *cobra.Command) *cobra.Command {
	var dir string
	var hosts []string
	f := cmd.Flags()
	f.StringVar(&dir, "init", "", "make `FOLDER` with a certificate authority, certificates for the server, an admin and a worker, and "+cluster.ConfigName)
	f.StringSliceVar(&hosts, "host", nil, "`NAMES` and addresses under which workers find the server, with --init")
	run, arguments := cmd.RunE, cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("init") {
			return arguments(cmd, args)
		}
		if len(args) > 0 {
			return fmt.Errorf("%q is one argument too many: want tarry serve --init FOLDER [--host NAMES]", args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case cmd.Flags().Changed("init"):
			return initiate(cmd, dir, hosts)
		case len(hosts) > 0:
			return usage(fmt.Errorf("--host %s: want --init FOLDER with it", strings.Join(hosts, ",")))
		}
		return run(cmd, args)
	}
	return cmd
}

func initiate(cmd *cobra.Command, dir string, hosts []string) error {
	if dir == "" {
		return usage(errors.New("--init: want a folder"))
	}
	if err := cluster.Init(dir, hosts); err != nil {
		return certifying(err)
	}
	host := "localhost"
	if len(hosts) > 0 {
		host = hosts[0]
	}
	in := func(name string) string { return argument(filepath.Join(dir, name)) }
	_, err := fmt.Fprintf(cmd.OutOrStdout(), `%s has an authority, certificates for the server, an admin and a worker, and %s. Keep ca.key to yourself: who has it is
whoever he likes. Next:

  tarry serve %s
  tarry work --server tls://%s:4222 --ca %s --cert %s --key %s -- ./train.sh --lr {lr}
  tarry certify %s --role worker --name gpu-1

Another machine that works needs these three files, or those of a certificate of its own.
`, dir, cluster.ConfigName, argument(dir), host, in("ca.pem"), in("worker.pem"), in("worker.key"), argument(dir))
	return failure(err)
}

// certifying is an error of making certificates: of whoever called the program where a value or a file is wrong.
func certifying(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return failure(err)
	}
	return writing(err)
}
