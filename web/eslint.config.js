import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import config from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules/', 'dist/', 'public/'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig: config },
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'smart'],
      'svelte/no-navigation-without-resolve': 'off', // that is SvelteKit's
      'svelte/prefer-svelte-reactivity': 'off', // what no page shows need not be reactive
    },
  },
);
