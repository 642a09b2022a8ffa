"""A DAG for Airflow 2 and 3 that runs the connector every night.

Put it into the DAGs folder; the command has to be on the PATH of the workers. Passwords that lineage.yaml refers to come from the
environment of the workers or from files.
"""

from __future__ import annotations

import logging
import subprocess
from datetime import datetime, timedelta

try:
    from airflow.sdk import dag, task
except ImportError:  # Airflow 2
    from airflow.decorators import dag, task
from airflow.exceptions import AirflowException, AirflowFailException

COMMAND = ["lineage-connector", "run", "-c", "/etc/lineage/lineage.yaml"]

log = logging.getLogger(__name__)


@task(retries=3, retry_delay=timedelta(minutes=10))
def run_lineage() -> None:
    """Run the command and translate its exit code for Airflow."""
    finished = subprocess.run(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    log.info(finished.stdout)
    if finished.returncode == 1:
        log.warning("Some statements could not be analysed; they are listed above. Everything else was written.")
    elif finished.returncode == 3:
        raise AirflowException(
            "A catalog, the store or Spark could not be reached; the next attempt continues from here."
        )
    elif finished.returncode:
        raise AirflowFailException("The settings are incorrect, so retrying would not help; see the messages above.")


@dag(
    dag_id="lineage",
    schedule="15 3 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    tags=["lineage"],
)
def lineage() -> None:
    """Update the store and the catalogs with what ran since the last run."""
    run_lineage()


lineage()
