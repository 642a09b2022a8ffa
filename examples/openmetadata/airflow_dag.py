"""A DAG for Airflow 2 and 3 that runs the workflow next to it every night.

Put both files into the DAGs folder. The ingestion package pins the versions of many libraries, so install it in an environment
of its own on the workers; the DAG only calls its command. The token comes from an Airflow variable and is passed to the command
through the environment.
"""

from __future__ import annotations

import logging
import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

try:
    from airflow.sdk import Variable, dag, task
except ImportError:  # Airflow 2
    from airflow.decorators import dag, task
    from airflow.models import Variable
from airflow.exceptions import AirflowException

FOLDER = Path(__file__).parent
"""The folder of the workflow and of the settings that it refers to."""
COMMAND = ["/opt/openmetadata-ingestion/bin/metadata", "ingest", "-c", str(FOLDER / "workflow.yaml")]

log = logging.getLogger(__name__)


@task(retries=2, retry_delay=timedelta(minutes=10), execution_timeout=timedelta(hours=2))
def write_lineage() -> None:
    """Run the workflow. It exits with a non-zero code if any edge failed; running it again is safe."""
    environment = {
        **os.environ,
        "OPENMETADATA_URL": Variable.get("openmetadata_url"),
        "OPENMETADATA_TOKEN": Variable.get("openmetadata_token"),
    }
    with subprocess.Popen(
        COMMAND,
        cwd=FOLDER,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        for line in running.stdout or ():
            log.info(line.rstrip())
    if running.returncode:
        raise AirflowException("Some of the lineage was not written; the table of failures above says what and why.")


@dag(
    dag_id="lineage_to_openmetadata",
    schedule="45 3 * * *",  # after the metadata ingestion, so that new tables are known
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    tags=["lineage", "openmetadata"],
)
def lineage_to_openmetadata() -> None:
    """Write the lineage of SQL files, views and the query log to OpenMetadata."""
    write_lineage()


lineage_to_openmetadata()
