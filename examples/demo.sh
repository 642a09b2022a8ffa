#!/usr/bin/env bash
# Analyses the example warehouse, keeps every level as XML and JSON in build/demo, and shows the tables' lineage.
# `make demo` installs the command first; with the command on the PATH this script runs by itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command="${BIN:+$BIN/}lineage-connector"
source=examples/warehouse
target="${TARGET:-build/demo}"
mkdir -p "$target"

analyze() {
    "$command" analyze "$source" --dialect snowflake --default-database retail --cluster demo "$@"
}

printf '\n==> Analysing the %s scripts of %s, a small retail warehouse on Snowflake\n' \
    "$(find "$source" -name '*.sql' | wc -l | tr -d ' ')" "$source"
for level in complete column table; do
    for format in xml json; do
        analyze --level "$level" --format "$format" --out "$target/warehouse.$level.$format"
    done
done
analyze --level column --format csv --out "$target/warehouse.column.csv"

printf '\n==> Which tables feed which\n\n'
analyze --level table --format text --no-impact

printf '\n==> Where the columns of one report come from\n\n'
analyze --level column --format csv --no-impact | awk -F';' 'NR == 1 || /monthly_department/'

printf '\n==> Written\n\n'
wc -c "$target"/* | awk '$2 != "total" { printf "%9d bytes  %s\n", $1, $2 }'
