# Bare `make` prints this list.
.PHONY: help check test race swarm bench fuzz golden cover demo

help: ## print this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "%-10s %s\n", $$1, $$2}'

check: ## format, vet, static analysis, house rules, tests with the race detector: what CI runs
	.ci/run

test: ## tests, without the race detector
	go test ./...

race: ## tests of the concurrent rooms, several times, on one and four processors
	go test -race -count 2 -cpu 1,4 . ./actors/... ./workers/... ./sim/... ./cmd/...

swarm: ## ten thousand random worlds in the simulator, and as many in both engine and simulator
	go test ./sim -run TestSwarm -swarm 10000 -timeout 60m -v
	go test ./actors -run TestTheEngineIsTheSimulator -parity 10000 -timeout 60m -v

bench: ## benchmarks of every room
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## a minute of fuzzing for each parser
	go test ./workers -run '^$$' -fuzz FuzzParseLaw -fuzztime 60s
	go test ./workers -run '^$$' -fuzz FuzzParseFaults -fuzztime 60s
	go test ./internal/data -run '^$$' -fuzz FuzzParseCSV -fuzztime 60s

golden: ## rewrite the recorded reactions; read the difference
	go test ./loop -run TestScripts -rewrite

cover: ## coverage by room
	go test -cover ./...

demo: ## tune a real classifier live, and draw the picture
	go run ./cmd/demo
