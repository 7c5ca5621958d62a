import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../src')
const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** The files that a file loads through static imports, directly or indirectly. */
function listLoadedFiles(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const { kind, path } of transpiler.scanImports(readFileSync(file, 'utf8'))) {
    if (kind === 'import-statement' && path.startsWith('.'))
      listLoadedFiles(join(dirname(file), path), loaded)
  }
  return loaded
}

test('importing @reeve/db loads neither the PostgreSQL engine nor the move between engines', () => {
  const loaded = [...listLoadedFiles(join(SRC, 'index.ts'))].map((file) => relative(SRC, file))
  expect(loaded).toContain('sqlite/database.ts')
  expect(loaded.filter((file) => /^(move|postgres)\//.test(file))).toEqual([])
})
