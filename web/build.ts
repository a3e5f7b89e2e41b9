/** What the build adds to what Vite writes: the service worker, and everything once more, compressed. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformWithOxc, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('src/sw.ts', import.meta.url));
const WORTHWHILE = /\.(js|css|html|svg|json|webmanifest)$/;
const SMALL = 1024;

export function finish(): Plugin {
  return {
    name: 'qlub:finish',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (!dir) return;
        await writeFile(join(dir, 'sw.js'), await worker(dir));
        for (const path of await files(dir)) await compress(join(dir, path));
      },
    },
  };
}

/** The service worker, which knows all files and is another one as soon as one of them is. */
async function worker(dir: string): Promise<string> {
  const shelf = (await files(dir)).filter((path) => !path.endsWith('.map'));
  const version = createHash('sha256');
  for (const path of shelf) version.update(path).update(await readFile(join(dir, path)));
  const addresses = shelf.map((path) => (path === 'index.html' ? '/' : `/${path}`));
  const { code } = await transformWithOxc(await readFile(WORKER, 'utf8'), WORKER);
  return [
    `const VERSION = ${JSON.stringify(version.digest('hex').slice(0, 16))};`,
    `const SHELF = ${JSON.stringify(addresses)};`,
    code.replace(/^export \{\s*\};$/m, ''), // a worker of every browser is a script, not a module
  ].join('\n');
}

async function compress(path: string): Promise<void> {
  if (!WORTHWHILE.test(path)) return;
  const data = await readFile(path);
  if (data.length > SMALL) await writeFile(`${path}.gz`, gzipSync(data, { level: 9 }));
}

/** The files of a folder and all below it, in an order that is always the same. */
async function files(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}
