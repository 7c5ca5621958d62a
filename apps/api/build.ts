import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dir, '../../dist')
const binary = join(dist, 'reeve')
mkdirSync(dist, { recursive: true })

// Built beside and put in its place in one step: a server that runs the old one goes on undisturbed.
const staged = `${binary}.new`
await Bun.build({
  entrypoints: [join(import.meta.dir, 'src/main.ts')],
  target: 'bun',
  format: 'esm',
  // Compiled ahead, so that a start does not parse; the framework reads the source of handlers, so names stay.
  bytecode: true,
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: { 'process.env.NODE_ENV': '"production"' },
  compile: { outfile: staged },
})
chmodSync(staged, 0o755)
renameSync(staged, binary)
