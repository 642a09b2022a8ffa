#!/usr/bin/env bash
# Analyses the example warehouse, keeps every level as XML and JSON in build/demo, shows the tables' lineage, loads it
# into a store and asks the store.
# `make demo` installs the command first; with the command on the PATH this script runs by itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command="${BIN:+$BIN/}lineage-connector"
source=examples/warehouse
target="${TARGET:-build/demo}"
mkdir -p "$target"

analyze() {
    "$command" analyze --dialect snowflake --default-database retail --cluster demo "$@"
}

printf '\n==> Analysing the %s scripts of %s, a small retail warehouse on Snowflake\n' \
    "$(find "$source" -name '*.sql' | wc -l | tr -d ' ')" "$source"
for level in complete column table; do
    for format in xml json; do
        analyze "$source" --level "$level" --format "$format" --out "$target/warehouse.$level.$format"
    done
done
analyze "$source" --level column --format csv --out "$target/warehouse.column.csv"

printf '\n==> Which tables feed which\n\n'
analyze "$source" --level table --no-impact

printf '\n==> Where the columns of one report come from\n\n'
analyze "$source/12_report_monthly.sql" --level column --no-impact

printf '\n==> Loading the lineage into the store %s\n\n' "$target/lineage.db"
"$command" load "$source" --dialect snowflake --default-database retail --cluster demo --store "$target/lineage.db"

printf '\n==> What a change of raw.orders would touch\n\n'
"$command" downstream raw.orders --store "$target/lineage.db"

printf '\n==> What the margin of the monthly report is made of\n\n'
"$command" upstream retail.mart.monthly_department.margin_rate --columns --store "$target/lineage.db"

printf '\n==> Written\n\n'
wc -c "$target"/* | awk '$2 != "total" { printf "%9d bytes  %s\n", $1, $2 }'
