#!/usr/bin/env bash
# The quickstart from start to finish: generate the scripts of a warehouse and a month of its query log, run the pipeline on
# Spark, and query the store.
# `make demo` installs the command first. If the command is on the PATH, you can run this script on its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command="${BIN:+$BIN/}lineage-connector"
python="${BIN:+$BIN/}python"
target="${TARGET:-build/quickstart}"

say() {
    printf '\n==> %s\n\n' "$1"
}

say "Generating the scripts of a warehouse and a query log"
rm -rf "$target"
"$python" examples/quickstart/generate.py "$target" --rows "${ROWS:-20000}"

say "Running the job in $target/lineage.yaml: sources, Spark, store"
# The log contains a few truncated statements. They are reported, and the exit code is 1.
"$command" run -c "$target/lineage.yaml" || [[ $? == 1 ]]

say "What would a change to landing.web_orders affect?"
"$command" downstream landing.web_orders --store "$target/lineage.db" --depth 2

say "How is the growth in the monthly report computed?"
"$command" upstream mart.monthly_department.growth --columns --store "$target/lineage.db" --depth 2

say "Which tables feed the management view?"
"$command" upstream report.v_management --store "$target/lineage.db" --depth 2

say "Open the complete lineage in a browser:"
printf '%s\n' "$(cd "$target" && pwd)/lineage.html"
