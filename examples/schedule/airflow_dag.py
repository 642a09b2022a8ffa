"""A DAG for Airflow 2 and 3 that runs the connector once a night.

Put it into the folder of DAGs; the command has to be on the PATH of the workers. Passwords that lineage.yaml refers to come
from the workers' environment or from files.
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
    """Run it, and turn its exit code into what Airflow should do."""
    finished = subprocess.run(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    log.info(finished.stdout)
    if finished.returncode == 1:
        log.warning("Some statements could not be analysed; they are listed above. Everything else is done.")
    elif finished.returncode == 3:
        raise AirflowException("A catalog or the store did not answer; the next attempt goes on from here.")
    elif finished.returncode:
        raise AirflowFailException("The settings are wrong, and trying again would not help: see above.")


@dag(
    dag_id="lineage",
    schedule="15 3 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    tags=["lineage"],
)
def lineage() -> None:
    """What ran since the last time, to the store and the catalogs."""
    run_lineage()


lineage()
