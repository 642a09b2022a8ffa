"""Processes that a source does not have any more."""

from __future__ import annotations

from dataclasses import dataclass, field

from apache_atlas.model.instance import AtlasStruct

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.plan import Key, Plan
from connector.catalogs.atlas.replacing import NO_PURGE, remove
from connector.catalogs.ledger import Ledger
from connector.catalogs.summary import Summary

__all__ = ["Outdated", "find_outdated", "prune"]


@dataclass(slots=True)
class Outdated:
    """What a source once wrote and does not have any more."""

    remove: dict[Key, str] = field(default_factory=dict)
    """Processes that nobody else has, with their guids."""
    release: dict[Key, tuple[str, list[str]]] = field(default_factory=dict)
    """Processes that other sources have too: guid and the sources that stay."""
    gone: list[Key] = field(default_factory=list)
    """Processes that the server does not have either."""

    def __bool__(self) -> bool:
        return bool(self.remove or self.release or self.gone)

    def within(self, earlier: Outdated) -> Outdated:
        """What was outdated then and still is."""
        return Outdated(
            {key: guid for key, guid in self.remove.items() if key in earlier.remove},
            {key: found for key, found in self.release.items() if key in earlier.release or key in earlier.remove},
            [key for key in self.gone if key in earlier.gone or key in earlier.remove or key in earlier.release],
        )


def find_outdated(plan: Plan, client: AtlasClient, ledger: Ledger) -> Outdated:
    """The processes of the plan's source that the plan does not hold, by the ledger and by what the server says."""
    found = Outdated()
    claims = {key for key in ledger.claims(plan.source) if key not in plan.entities}
    others = ledger.claimed_by_others(plan.source)
    for type_name, attribute in plan.process_types.items():
        claimed = sorted(name for kind, name in claims if kind == type_name)
        entities: dict[str, AtlasStruct] = {str(each.guid): each for each in client.read(type_name, claimed)}
        if attribute is not None:
            for each in client.search(type_name, [attribute]):
                if plan.source in (each.get_attribute(attribute) or ()):
                    entities.setdefault(str(each.guid), each)
        for guid, entity in entities.items():
            key = (type_name, str(entity.get_attribute("qualifiedName")))
            if key in plan.entities:
                continue
            sources = (entity.get_attribute(attribute) or []) if attribute else []
            rest = sorted(set(sources) - {plan.source})
            if rest or key in others:
                found.release[key] = (guid, rest)
            else:
                found.remove[key] = guid
    seen = {*found.remove, *found.release}
    found.gone = sorted(key for key in claims if key[0] in plan.process_types and key not in seen)
    return found


def prune(outdated: Outdated, plan: Plan, client: AtlasClient, ledger: Ledger, summary: Summary) -> None:
    """Remove what is outdated. Column lineage goes with its process."""
    for (type_name, name), (_, rest) in outdated.release.items():
        attribute = plan.process_types[type_name]
        if attribute is not None:
            client.set_attributes(type_name, name, {attribute: rest})
        summary.of(type_name).updated += 1
    if outdated.remove:
        may_purge = client.may_purge()
        remove(client, outdated.remove.values(), purge=may_purge)
        if not may_purge and NO_PURGE not in summary.notes:
            summary.notes.append(NO_PURGE)
        for type_name, _ in outdated.remove:
            summary.of(type_name).removed += 1
    keys = [*outdated.remove, *outdated.release, *outdated.gone]
    ledger.forget(outdated.remove)
    ledger.disclaim(keys, plan.source)
