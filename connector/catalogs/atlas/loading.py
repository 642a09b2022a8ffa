"""The whole way from lineage to Atlas, for the command line and for scheduled runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.mapping import Mapping as CatalogMapping
from connector.catalogs.atlas.mapping import load_mapping
from connector.catalogs.atlas.plan import Plan
from connector.catalogs.atlas.prune import Outdated, find_outdated, prune
from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.atlas.statements import Planner, Seen
from connector.catalogs.atlas.typedefs import TypeSystem
from connector.catalogs.atlas.upsert import upsert
from connector.catalogs.atlas.validation import check_mapping, types_of_mapping
from connector.catalogs.dead_letters import DeadLetters
from connector.catalogs.ledger import Ledger
from connector.catalogs.located import Located
from connector.catalogs.locking import only_writer
from connector.catalogs.progress import Progress
from connector.catalogs.summary import Summary
from connector.errors import ConfigurationError
from connector.lineage import Lineage

__all__ = ["CheckedMapping", "checked_mapping", "make_plan", "push"]


@dataclass(frozen=True, slots=True)
class CheckedMapping:
    """A mapping that fits the types in its files."""

    mapping: CatalogMapping
    located: Located

    def check_against(self, client: AtlasClient) -> None:
        """The same question to the server, whose types may be others than those in the files."""
        where = f"types of {client.url}"
        try:
            check_mapping(self.mapping, self.located, TypeSystem([client.typedefs()]), where_types=where)
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}\nThe connector's own types are created by: typedefs apply") from None


def checked_mapping(name: str) -> CheckedMapping:
    """Read a mapping and hold it against its types; mistakes come with file and line."""
    mapping, located = load_mapping(name)
    check_mapping(mapping, located, types_of_mapping(mapping, located))
    return CheckedMapping(mapping, located)


def make_plan(
    lineages: Iterable[Lineage], mapping: CatalogMapping, source: str, seen: Mapping[str, Seen] | None = None
) -> Plan:
    """What the catalog should hold for these models together."""
    planner = Planner(mapping, source)
    for lineage in lineages:
        planner.add(lineage.model, seen=seen)
    return planner.plan()


def push(
    lineages: Iterable[Lineage],
    settings: AtlasSettings,
    *,
    source: str,
    seen: Mapping[str, Seen] | None = None,
    verify: bool = False,
    prune_if: Callable[[Outdated], bool] | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Write lineage to Atlas.

    `source` names the input: what another source has written is never pruned. `prune_if` is shown the processes that the
    source does not have any more and says whether they are removed; without it nothing is removed.
    """
    checked = checked_mapping(settings.mapping)
    plan = make_plan(lineages, checked.mapping, source, seen)
    letters = DeadLetters(settings.dead_letter_file)
    with settings.connect() as client, only_writer(client.url), Ledger(settings.state, client.url) as ledger:
        checked.check_against(client)
        try:
            summary = upsert(
                plan,
                client,
                ledger,
                limits=settings.limits,
                verify=verify,
                progress=progress,
                dead_letters=letters,
            )
        finally:
            letters.close()
        if prune_if is not None and not summary.failures:
            outdated = find_outdated(plan, client, ledger)
            if outdated and prune_if(outdated):
                prune(outdated, plan, client, ledger, summary)
    return summary
