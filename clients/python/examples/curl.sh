#!/bin/sh
# Minimize a function from a shell, by curl alone: tarry serve studies --http 127.0.0.1:8080 --without-tls & ./curl.sh http://127.0.0.1:8080
set -eu
study=${1:-http://127.0.0.1:8080}/v1/studies/shell
send() { curl -sS --fail-with-body --retry 5 --retry-connrefused -H 'Content-Type: application/json' "$@"; }

send -X PUT "$study" -d '{"space":{"parameters":[{"name":"x","type":"float","low":-5,"high":5}]},"options":{"budget":20,"minimize":true,"seed":1}}'
echo
for round in $(seq 20); do
  query=$(send -X POST "$study/ask?wait=30s" -H "Idempotency-Key: round-$round")
  id=$(printf %s "$query" | sed 's/.*"id":\([0-9]*\).*/\1/')
  x=$(printf %s "$query" | sed 's/.*"x":{"x":\([^}]*\)}.*/\1/')
  value=$(awk "BEGIN { print ($x - 2) ^ 2 }")
  send -X POST "$study/evaluations/$id/tell" -d "{\"value\":$value}" >/dev/null
done
send "$study/best"
