"""Texts that are kept contain no credentials, and every place in them stays what it is."""

from __future__ import annotations

import pytest

from connector.sql.dialects import get_dialect
from connector.sql.identity import blank_credentials


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("snowflake", "copy into t from 's3://b/x' credentials = (aws_key_id = 'AK' aws_secret_key = 'hunter2')"),
        ("redshift", "copy t from 's3://b/x' access_key_id 'AK' secret_access_key 'hunter2'"),
        ("oracle", "create user u identified by hunter2"),
        ("snowflake", "create stage s url = 'azure://x/y' credentials = (azure_sas_token = 'sig=hunter2')"),
    ],
)
def test_credentials_are_overwritten(dialect: str, text: str) -> None:
    blank = blank_credentials(text, get_dialect(dialect))
    assert "hunter2" not in blank
    assert len(blank) == len(text)
    assert [a for a, b in zip(text, blank, strict=True) if a != b and b != "?"] == []


@pytest.mark.parametrize(
    "text", ["select token, key from t where password_hash is null", "insert into o select 'x'", "'open"]
)
def test_other_text_stays(text: str) -> None:
    assert blank_credentials(text, get_dialect("snowflake")) == text
