"""A script with secrets and literals in every kind of place, to look for them in whatever is made of it."""

from __future__ import annotations

SECRET = "Hunter2-xyzzy"
"""A credential, which no output contains."""

LITERALS = ("4555-0000-1111", "4666000011112222", "quiet remark", "Hunter3word")
"""Literals and comments, which leave the machine with no output but those that hold the scripts themselves."""

SCRIPT = f"""
insert into core.s select 1 /* {LITERALS[2]} */, x from raw.t where card = '{LITERALS[0]}';
create view core.v as
  select case when card = '{LITERALS[0]}' /* {LITERALS[2]} */ then x else {LITERALS[1]} end, concat(x, '{LITERALS[0]}')
  from raw.t join raw.u on raw.u.id = raw.t.id and raw.u.card = '{LITERALS[0]}';
create table core.w as select * from core.v;
create table core.p as
  select * from (select amt, card from raw.t) pivot (sum(amt) for card in ('{LITERALS[0]}', '{LITERALS[3]}'));
copy into core.t from 's3://bucket/in.csv' credentials = (aws_key_id = 'AKIA{SECRET}' aws_secret_key = '{SECRET}');
"""

READ = ("core.s", "core.v", "core.w", "core.p", "core.t", "raw.t", "raw.u", "raw.t.card")
"""Names of this script that an output can be asked about."""


def leaks(text: str, *, holds_scripts: bool = False) -> list[str]:
    """What a text contains that it must not."""
    assert text
    return [word for word in (SECRET, *(() if holds_scripts else LITERALS)) if word in text]
