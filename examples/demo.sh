#!/usr/bin/env bash
# The quickstart from beginning to end: makes a warehouse's scripts and a month of its query log, runs the pipeline on
# Spark, and asks the store what it found.
# `make demo` installs the command first; with the command on the PATH this script runs by itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command="${BIN:+$BIN/}lineage-connector"
python="${BIN:+$BIN/}python"
target="${TARGET:-build/quickstart}"

say() {
    printf '\n==> %s\n\n' "$1"
}

say "Making the scripts of a warehouse and a query log"
rm -rf "$target"
"$python" examples/quickstart/generate.py "$target" --rows "${ROWS:-20000}"

say "Running the job of $target/lineage.yaml: sources, Spark, store"
# The log holds a few statements whose text was cut off. They are reported, and the exit code 1 says so.
"$command" run -c "$target/lineage.yaml" || [[ $? == 1 ]]

say "What would a change of landing.web_orders touch?"
"$command" downstream landing.web_orders --store "$target/lineage.db" --depth 2

say "What is the growth in the monthly report made of?"
"$command" upstream mart.monthly_department.growth --columns --store "$target/lineage.db" --depth 2

say "Which tables feed the view that management looks at?"
"$command" upstream report.v_management --store "$target/lineage.db" --depth 2

say "The picture of all of it, for a browser:"
printf '%s\n' "$(cd "$target" && pwd)/lineage.html"
