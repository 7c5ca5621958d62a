import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readBuildInfo } from './build-info.ts'

const dist = join(import.meta.dir, '../../dist')
const binary = join(dist, 'reeve')
mkdirSync(dist, { recursive: true })

const { commit, time } = readBuildInfo(import.meta.dir, process.env)

// Built under another name and renamed atomically, so that a server running the old binary is not disturbed.
const staged = `${binary}.new`
await Bun.build({
  entrypoints: [join(import.meta.dir, 'src/main.ts')],
  target: 'bun',
  format: 'esm',
  // Bytecode avoids parsing at startup. Identifiers are not minified, because Elysia reads the source of handlers.
  bytecode: true,
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: {
    'process.env.NODE_ENV': '"production"',
    BUILD_COMMIT: JSON.stringify(commit),
    BUILD_TIME: JSON.stringify(time),
  },
  compile: { outfile: staged },
})
chmodSync(staged, 0o755)
renameSync(staged, binary)
