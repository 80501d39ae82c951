#!/bin/sh
# Minimizes a function of lr and layers, one query at a time: sh asktell.sh [tarry]
tarry=${1:-tarry} space=$(dirname "$0")/space.json study=$(mktemp -d)/study.db
asktell() { echo "$1" | "$tarry" asktell --space "$space" --study "$study" --seed 1 --minimize; }
for _ in 1 2 3 4 5 6 7 8 9 10; do
  set -- $(asktell '{"op":"ask"}' | sed 's/.*"id":\(.*\),"x":{"lr":\(.*\),"layers":\(.*\),"kind".*/\1 \2 \3/')
  value=$(awk "BEGIN { print (log($2) / log(10) + 2)^2 + ($3 - 3)^2 }")
  asktell "{\"op\":\"tell\",\"id\":$1,\"value\":$value}" >/dev/null
done
asktell '{"op":"best"}'
