# Bare `make` prints this list.
.PHONY: help check test race swarm bench costs claims soak kills chaos openblas fuzz golden cover demo

help: ## print this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "%-10s %s\n", $$1, $$2}'

check: ## format, vet, static analysis, house rules, tests with the race detector: what CI runs
	.ci/run

test: ## tests without the race detector, under which what repeats is smaller: all seeds, worlds and cases
	go test ./...

race: ## tests of the concurrent rooms, several times, on one and four processors
	go test -race -count 2 -cpu 1,4 . ./actors/... ./workers/... ./sim/... ./cmd/... ./internal/lab/comparison ./internal/lab/soak ./internal/lab/tuning

swarm: ## ten thousand random worlds in the simulator, and as many in both engine and simulator
	go test ./sim -run TestSwarm -swarm 10000 -timeout 60m -v
	go test ./actors -run TestTheEngineIsTheSimulator -parity 10000 -timeout 60m -v

bench: ## benchmarks of every room; with -short added, as in CI, without the large sizes
	go test -run '^$$' -bench . -benchmem ./...

costs: ## seconds per suggestion and per fit, and how good searches and fits are; ten minutes
	go run ./cmd/demo bench
	go test ./policies ./loop -run '^$$' -bench 'Search$$|Fit$$' -benchtime 1x -timeout 1h

claims: ## figures of README and docs measured again, old beside new; what takes over ten minutes: -slow
	go run ./cmd/demo claims

soak: ## a million hostile answers; half an hour on two cores
	go run ./cmd/demo soak

kills: ## kill -9 a tuning of a shell script a hundred times, and as often with timeouts close to its time; a server of HTTP under load; leaders, standbys and servers of a replicated journal; half an hour
	go test ./cmd/tarry -run 'TestKilledAgainAndAgain|TestAServerThatIsKilled' -kills 100 -v -timeout 60m
	go test ./journal/jetstream -run 'Kill|StoodStill' -kills 100 -clusters -v -timeout 120m

chaos: ## kill and stop workers, servers, standbys and NATS servers two hundred times, cut and freeze the network between; ten minutes
	go test ./remote -run TestNothingIsLostInChaos -misfortunes 200 -v -timeout 60m
	go test ./cmd/tarry -run TestNothingIsLostInTheRealWorld -misfortunes 200 -v -timeout 120m

openblas: ## tests and costs with OpenBLAS, where the library is installed
	CGO_LDFLAGS=-lopenblas OPENBLAS_NUM_THREADS=1 go test -tags openblas ./surrogate ./acquisition ./loop
	CGO_LDFLAGS=-lopenblas OPENBLAS_NUM_THREADS=1 go run -tags openblas ./cmd/demo bench -n 200,1000,2000

fuzz: ## a minute of fuzzing for the loop and for each parser
	go test ./loop -run '^$$' -fuzz '^FuzzStudy$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./loop -run '^$$' -fuzz '^FuzzRestore$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./delay -run '^$$' -fuzz '^FuzzParseLaw$$' -fuzztime 60s
	go test ./delay -run '^$$' -fuzz '^FuzzParseFaults$$' -fuzztime 60s
	go test ./internal/lab/data -run '^$$' -fuzz '^FuzzParseCSV$$' -fuzztime 60s
	go test ./internal/lab/data -run '^$$' -fuzz '^FuzzParseCurves$$' -fuzztime 60s
	go test ./internal/lab/data -run '^$$' -fuzz '^FuzzParseTable$$' -fuzztime 60s
	go test ./internal/lab/data -run '^$$' -fuzz '^FuzzParseTask$$' -fuzztime 60s
	go test ./internal/lab/data -run '^$$' -fuzz '^FuzzImages$$' -fuzztime 60s
	go test ./internal/spacefile -run '^$$' -fuzz '^FuzzParse$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/asktell -run '^$$' -fuzz '^FuzzServe$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/serve -run '^$$' -fuzz '^FuzzBody$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/serve -run '^$$' -fuzz '^FuzzWish$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/serve -run '^$$' -fuzz '^FuzzPath$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/serve -run '^$$' -fuzz '^FuzzRoles$$' -fuzztime 60s
	go test ./internal/command -run '^$$' -fuzz '^FuzzParseOutput$$' -fuzztime 60s
	go test ./internal/state -run '^$$' -fuzz '^FuzzRead$$' -fuzztime 60s
	go test ./journal -run '^$$' -fuzz '^FuzzDecodeEvent$$' -fuzztime 60s
	go test ./journal -run '^$$' -fuzz '^FuzzDecodeHeader$$' -fuzztime 60s
	go test ./remote -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime 60s
	go test ./remote -run '^$$' -fuzz '^FuzzReadStudy$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/cluster -run '^$$' -fuzz '^FuzzParseConfig$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./internal/cluster -run '^$$' -fuzz '^FuzzParseRevocations$$' -fuzztime 60s -fuzzminimizetime 5x
	go test ./journal/jetstream -run '^$$' -fuzz '^FuzzParse$$' -fuzztime 60s -fuzzminimizetime 5x

golden: ## rewrite the recorded reactions; read the difference
	go test ./loop -run TestScripts -rewrite

cover: ## coverage by room
	go test -cover ./...

demo: ## tune a real classifier live, and draw the picture
	go run ./cmd/demo
