#!/usr/bin/env bash
# The run as a Spark application. Master, memory and executors are set here; lineage.yaml does not need a spark section.
#
#   examples/schedule/spark_submit.sh -c lineage.yaml                      on this machine
#   MASTER=yarn examples/schedule/spark_submit.sh -c lineage.yaml          on a cluster, with the driver here
#
# Executors without the connector get it from an archive. Make it once, where the connector is installed:
#   lineage-connector pack -o environment.tar.gz
# and pass it with ARCHIVE=environment.tar.gz. The driver runs here, where it can access the store and the files of lineage.yaml.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
options=(--master "${MASTER:-local[*]}" --name lineage-connector --deploy-mode client)
if [[ -n "${ARCHIVE:-}" ]]; then
    options+=(--archives "$ARCHIVE#environment" --conf spark.pyspark.python=./environment/bin/python)
    options+=(--conf "spark.pyspark.driver.python=${PYTHON:-python3}")  # the driver's own is not in the archive
fi
exec "${SPARK_SUBMIT:-spark-submit}" "${options[@]}" "$here/lineage_job.py" run "$@"
