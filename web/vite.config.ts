import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { finish } from './build.ts';

export default defineConfig({
  plugins: [svelte(), finish()],
  build: {
    outDir: '../src/qlub/club/pages',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content policy allows no data in scripts and styles
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': { target: process.env.QLUB_DEV ?? 'http://127.0.0.1:8077', ws: true } },
  },
  test: { include: ['src/**/*.test.ts'] },
});
