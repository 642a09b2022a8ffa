"""The options of a definition: where its data lies and in which format, among all that does not matter."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import TokenType

from connector.sql.locations import Location, location_of
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.faces import Face, engine_face, united_tables
from connector.sql.readers.readings import Range
from connector.sql.words import CLOSING, OPENING, STRINGS

_PLACES = frozenset(
    """
    LOCATION PATH URIS URI URL EXTERNAL_LOCATION FILENAME FILENAMES FILE_NAME DATAOBJECT LOCATIONS FILE_PATH DATA_LOCATION
    DATAFILES
    """.split()
)
"""Options whose value is a place."""

_FORMATS = frozenset(
    {"FORMAT", "FILE_FORMAT", "FILEFORMAT", "FILE_TYPE", "TYPE", "STOREDAS", "TABLE_FORMAT", "SOURCE_FORMAT"}
)
_PLACE_ENGINES = frozenset(
    {
        "S3",
        "S3QUEUE",
        "URL",
        "HDFS",
        "FILE",
        "GCS",
        "OSS",
        "AZUREBLOBSTORAGE",
        "ICEBERGS3",
        "DELTALAKE",
        "HUDI",
        "ICEBERG",
    }
)
"""ClickHouse table engines whose first string is a place."""

_SECRETS = frozenset({"CREDENTIALS", "CREDENTIAL", "ENCRYPTION", "TAG", "ACCESS", "SECRET", "STORAGE_OPTIONS"})
"""Options whose values are none of our business, whatever stands inside."""

_NOT_A_FORMAT = frozenset({"HIVE", "ORACLE_LOADER", "ORACLE_DATAPUMP", "ORACLE_HIVE", "JDBC", "SNOWFLAKE"})


@dataclass(slots=True)
class StorageOptions:
    """What the options say of the data's place."""

    locations: list[Location] = field(default_factory=list)
    file_format: str | None = None
    face: Face | None = None
    """What is behind a table whose engine keeps no rows."""

    def finished(self) -> list[Location]:
        for location in self.locations:
            location.file_format = location.file_format or self.file_format
        return self.locations


def read_options(cursor: Cursor, *ranges: Range) -> StorageOptions:
    """Looks through the options, also those in parentheses. The cursor stays where it is."""
    found = StorageOptions()
    back = cursor.i
    for start, end in ranges:
        cursor.i = start
        _scan(cursor, end, found)
    cursor.i = back
    return found


def _scan(cursor: Cursor, end: int, found: StorageOptions) -> None:
    directory = ""
    while cursor.i < end:
        word = _key(cursor)
        if word in _SECRETS and _value_follows(cursor):
            _skip_value(cursor)
        elif word == "DIRECTORY" and cursor.word(-1) == "DEFAULT":
            cursor.i += 1
            name = cursor.name()
            directory = name.parts[-1][0] if name is not None else ""
        elif word in _PLACES and _value_follows(cursor):
            found.locations += _places(cursor, directory)
        elif word in _FORMATS and cursor.word(-1) != "ROW":
            _format(cursor, found)
        elif word in ("STORED", "USING") and not found.file_format:
            _stored_as(cursor, found, word)
        elif word == "ENGINE":
            _engine(cursor, found)
        else:
            cursor.i += 1


def _key(cursor: Cursor) -> str:
    """The option's name; some dialects quote it."""
    if cursor.at_string() and cursor.word(1) == "=":
        return cursor.tokens[cursor.i].text.upper()
    if cursor.kind() is TokenType.IDENTIFIER and (cursor.word(1) == "=" or cursor.kind(1) in STRINGS):
        return cursor.tokens[cursor.i].text.upper()
    return cursor.word()


def _value_follows(cursor: Cursor) -> bool:
    following = cursor.kind(1)
    if following is TokenType.EQ or following is TokenType.FARROW:
        following = cursor.kind(2)
        if cursor.word(2) == "CONCAT":
            return True
    return following in STRINGS or following in OPENING or following is TokenType.PARAMETER


def _skip_value(cursor: Cursor) -> None:
    cursor.i += 1
    cursor.take_any("=", "=>")
    if cursor.group() is None:
        cursor.i += 1


def _places(cursor: Cursor, directory: str) -> list[Location]:
    key = _key(cursor)
    cursor.i += 1
    cursor.take_any("=", "=>")
    if cursor.kind() is TokenType.L_PAREN and (directory or cursor.kind(2) is TokenType.COLON):
        return _in_directories(cursor, directory)
    if cursor.take("CONCAT"):
        return _joined(cursor)
    found = cursor.locations(placed=key == "LOCATION" and cursor.word(-1) != "=")
    if not found and cursor.kind(-1) not in CLOSING:
        cursor.i += 1
    # A connection string is no place, and may hold a password wherever its driver likes.
    return [place for place in found if place.uri and not place.uri.lower().startswith("jdbc:")]


def _joined(cursor: Cursor) -> list[Location]:
    """``CONCAT('gs://b', '/x')``: a place where all parts are constant."""
    inside = cursor.group()
    if inside is None:
        return []
    parts = [cursor.tokens[start:end] for start, end in cursor.items(inside)]
    if all(len(part) == 1 and part[0].token_type in STRINGS for part in parts):
        return [location_of("".join(part[0].text for part in parts))]
    return []


def _in_directories(cursor: Cursor, directory: str) -> list[Location]:
    """Oracle: ``LOCATION ('a.dat', other_dir:'b.dat')``, files in directory objects."""
    inside = cursor.group()
    found: list[Location] = []
    for start, end in cursor.items(inside) if inside is not None else ():
        value = cursor.tokens[end - 1]
        owner = cursor.tokens[start].text if end - start > 1 else directory
        if value.token_type in STRINGS:
            uri = f"{owner}:{value.text}" if owner and "://" not in value.text else value.text
            found.append(location_of(uri))
    return found


def _format(cursor: Cursor, found: StorageOptions) -> None:
    cursor.i += 1
    cursor.take_any("=", "=>")
    cursor.take("AS")
    if cursor.kind() is TokenType.L_PAREN:
        return  # (TYPE = x …): the loop goes on inside.
    value = ""
    if cursor.at_string():
        value = cursor.string() or ""
    elif cursor.word()[:1].isalpha():
        value = cursor.tokens[cursor.i].text
        cursor.i += 1
    if value and found.file_format is None and value.upper() not in _NOT_A_FORMAT:
        found.file_format = value


def _stored_as(cursor: Cursor, found: StorageOptions, word: str) -> None:
    cursor.i += 1
    if word == "STORED" and not cursor.take("AS"):
        return
    following = cursor.word()
    if following.isidentifier() and following not in ("INPUTFORMAT", "DIRECTORIES", "INDEX", "TEMPLATE"):
        found.file_format = cursor.tokens[cursor.i].text
        cursor.i += 1


def _engine(cursor: Cursor, found: StorageOptions) -> None:
    """``ENGINE = S3('https://…', 'key', 'secret', 'CSV')``: of the strings only the first is looked at."""
    cursor.i += 1
    cursor.take("=")
    engine = cursor.word()
    cursor.i += 1
    inside = cursor.group() if cursor.kind() is TokenType.L_PAREN else None
    if engine not in _PLACE_ENGINES or inside is None:
        found.face = engine_face(cursor, engine, inside)
        if engine in ("MERGE", "MRG_MYISAM") and inside is None:
            back = cursor.i
            found.face = Face(united_tables(cursor))
            cursor.i = back
        if found.face is not None:
            found.locations += found.face.places
        return
    for start, end in cursor.items(inside):
        token = cursor.tokens[start]
        if token.token_type in STRINGS and end - start == 1:
            found.locations.append(location_of(token.text, "'", token.start, token.end + 1))
            break
        if engine == "FILE":
            found.file_format = token.text
