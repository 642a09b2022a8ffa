"""The page's modules become one script in which each of them keeps a scope of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from connector.export.page import assemble
from connector.export.page.assemble import ModuleError, bundle, ordered_modules

ASSETS = Path(assemble.__file__).parent / "assets"


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def run(page, script: str):
    return page.evaluate(
        "source => { const said = []; new Function('say', source)((word) => said.push(word)); return said; }", script
    )


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_a_module_runs_behind_those_that_it_imports(tmp_path, page):
    main = written(
        tmp_path,
        main='import { greeting } from "./words.js";\nimport { Person } from "./people.js";\nsay(new Person().greeted());\n',
        people='import { greeting } from "./words.js";\n\nexport class Person {\n  greeted() {\n    return greeting("Ada");\n  }\n}\n',
        words='const MARK = "!";\n\nexport function greeting(name) {\n  return `Hello ${name}${MARK}`;\n}\n',
    )
    assert [module.path.name for module in ordered_modules(main)] == ["words.js", "people.js", "main.js"]
    assert run(page, bundle(main)) == ["Hello Ada!"]


def test_what_a_module_does_not_export_is_its_own(tmp_path, page):
    main = written(
        tmp_path,
        main='import { one } from "./one.js";\nimport { two } from "./two.js";\nconst own = "main";\nsay(own + one() + two());\n',
        one='const own = "one";\nexport const one = () => own;\n',
        two='const own = "two";\nexport async function three() {}\nexport const two = () => own;\n',
    )
    assert run(page, bundle(main)) == ["mainonetwo"]


def test_a_list_of_exports_gives_names_outside(tmp_path, page):
    main = written(
        tmp_path,
        main='import { Long } from "./small.js";\nsay(Long);\n',
        small='var a="long",b=1;export{a as Long,b};\n',
    )
    assert run(page, bundle(main)) == ["long"]


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            {"main": 'import { a } from "./a.js";\n', "a": 'import { b } from "./b.js";\nexport const a = b;\n', "b": 'import { a } from "./a.js";\nexport const b = a;\n'},
            r"in a circle: a\.js → b\.js → a\.js",
        ),
        ({"main": 'import { lost } from "./a.js";\n', "a": "export const found = 1;\n"}, r"a\.js does not export lost, imported by main\.js"),
        (
            {"main": 'import { a } from "./a.js";\nimport { b } from "./b.js";\n', "a": "export const a = 1;\n", "b": "export const a = 2;\nexport const b = 3;\n"},
            r"a is exported by a\.js and by b\.js",
        ),
        ({"main": 'import everything from "./a.js";\n', "a": ""}, r"main\.js: this form of import or export is not read: import everything"),
        ({"main": "export default 1;\n"}, r"not read: export default"),
    ],
)  # fmt: skip
def test_modules_that_cannot_be_put_together_are_refused(tmp_path, modules, message):
    with pytest.raises(ModuleError, match=message):
        bundle(written(tmp_path, **modules))


def test_every_module_of_the_page_is_used_and_short_enough_to_read():
    entries = (ASSETS / "js" / "start.js", ASSETS / "worker" / "worker.js")
    used = {module.path for entry in entries for module in ordered_modules(entry)}
    files = [*(ASSETS / "js").glob("*.js"), *(ASSETS / "worker").glob("*.js"), *(ASSETS / "vendor").glob("*.js")]
    assert used == {file.resolve() for file in files}
    for file in files:
        assert len(file.read_text(encoding="utf-8").splitlines()) < 500, file.name


def test_lint_checks_every_module_of_the_page():
    """`make lint` runs eslint and tsc over the folders that the page is made of."""
    root = Path(__file__).parents[3]
    config = (root / "tsconfig.json").read_text(encoding="utf-8")
    assert '"checkJs": true' in config
    assert '"strict": true' in config
    assert "strictNullChecks" not in config  # `strict` has them on
    assert "noImplicitAny" not in config
    assert '"connector/export/page/assets/js"' in config
    assert "connector/export/page/assets/**/*.js" in (root / "eslint.config.mjs").read_text(encoding="utf-8")
    make = shutil.which("make")
    assert make is not None
    planned = subprocess.run([make, "--dry-run", "lint"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert "eslint" in planned
    assert "tsc --project tsconfig.json" in planned


def test_comments_are_left_out_and_code_beside_them_is_not(tmp_path, page):
    main = written(
        tmp_path,
        main="""/**
 * Of no use to a browser.
 */
/** @type {string} */ const kept = "https://example.org"; // beside code
  // on a line of its own
say(/** @type {any} */ (kept));
/** The last. */
say("/* text */");
""",
    )
    script = bundle(main)
    assert run(page, script) == ["https://example.org", "/* text */"]
    assert "Of no use" not in script
    assert "on a line of its own" not in script
