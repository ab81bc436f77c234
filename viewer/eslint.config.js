import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules", "src/wire/contracts.ts"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      // Typed arrays are indexed everywhere; a check at each place would hide the meaning.
      "@typescript-eslint/no-non-null-assertion": "off",
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
);
