// Tests of the static page. `cargo xtask test` builds it and names its folder in NPUZZLE_PAGE.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const folder = process.env.NPUZZLE_PAGE ?? new URL('../../../target/page', import.meta.url).pathname;
const MAX_COMPRESSED_BYTES = 2.5e6;

/** The paths of all files of a folder. */
async function filesOf(path) {
  const entries = await readdir(path, { withFileTypes: true });
  const lists = entries.map((entry) => (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]));
  return (await Promise.all(lists)).flat();
}

test('the page is small', async () => {
  const files = await Promise.all((await filesOf(folder)).map((file) => readFile(file)));
  const size = files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  assert.ok(size <= MAX_COMPRESSED_BYTES, `${size} bytes compressed`);
});

test('the page loads its files by relative addresses, so that any path works', async () => {
  for (const file of await filesOf(folder)) {
    if (!/\.(html|js|css)$/.test(file)) continue;
    const found = (await readFile(file, 'utf8')).match(/(?:src|href)="\/[^"]*"|url\(\/[^)]*\)|(?:from|import|fetch)\s*\(?['`]\/[^'`]*/g);
    assert.equal(found, null, file);
  }
});
