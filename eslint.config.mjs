// Checks the page's JavaScript; `make lint` installs what it needs into .cache/node.

import { createRequire } from "node:module";

const require = createRequire(new URL(".cache/node/", import.meta.url));
const js = require("@eslint/js");
const globals = require("globals");

export default [
  { ignores: ["**/vendor/**"] },
  {
    ...js.configs.recommended,
    files: ["connector/export/page/assets/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "consistent-return": "error",
      eqeqeq: "error",
      "no-control-regex": "off", // characters that cannot be seen are looked for on purpose
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property,
          message: "Text of the data becomes text nodes, never markup: use element() and replaceContent().",
        })),
      ],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
