/**
 * Creates the data folder of the present version that later versions must open: `bun test/data-folders/create.ts`, once for
 * each released version. Writes the compressed database, its marker, and the responses of its reads.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@reeve/api/version'
import { PASSWORD } from '../support/instance.ts'
import { runReeve } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Access, createContent, readContent, startFolder } from './content.ts'

const folder = temporaryFolder()
try {
  const { out, err, exitCode } = await runReeve(
    [
      ...['init', '--username', 'robin', '--password-stdin', '--json'],
      ...['--group-name', 'Night Owls', '--key-name', 'k'],
    ],
    { dataDir: folder.data, stdin: PASSWORD },
  )
  if (exitCode !== 0) throw new Error(err)
  const { workspaceId, apiKey } = JSON.parse(out) as Access
  const access: Access = { workspaceId, apiKey }
  const server = await startFolder(folder.data)
  const reads = await createContent(server, access)
    .then(() => readContent(server, access))
    .finally(server.stop)

  const target = join(import.meta.dir, VERSION)
  mkdirSync(target, { recursive: true })
  writeFileSync(
    join(target, 'reeve.db.zst'),
    Bun.zstdCompressSync(readFileSync(join(folder.data, 'reeve.db')), { level: 19 }),
  )
  writeFileSync(join(target, 'instance.json'), readFileSync(join(folder.data, 'instance.json')))
  writeFileSync(join(target, 'reads.json'), `${JSON.stringify({ access, reads }, null, 2)}\n`)
  console.log(`Wrote ${target}`)
} finally {
  folder.remove()
}
