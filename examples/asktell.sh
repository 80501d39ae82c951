#!/bin/sh
# Minimizes a function of lr and layers, one query at a time: sh asktell.sh [tarry]
study=$(mktemp -d)/study.db
asktell() { echo "$1" | "${tarry:-tarry}" asktell --space "$(dirname "$0")/space.json" --study "$study" --seed 1 --minimize; }
tarry=$1
for _ in 1 2 3 4 5 6 7 8 9 10; do
  query=$(asktell '{"op":"ask"}')
  field() { echo "$query" | sed "s/.*\"$1\":\([^,}]*\).*/\1/"; }
  value=$(awk "BEGIN { print (log($(field lr)) / log(10) + 2)^2 + ($(field layers) - 3)^2 }")
  asktell "{\"op\":\"tell\",\"id\":$(field id),\"value\":$value}" >/dev/null
done
asktell '{"op":"best"}'
