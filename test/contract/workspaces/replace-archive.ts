import { statement } from '@reeve/db'
import type { Instance } from '../../support/instance.ts'

const replaceParts = statement<{ id: string; bytes: Uint8Array }>()((sql, p) =>
  sql.updateTable('archive_part').set({ bytes: p.bytes }).where('archive_id', '=', p.id),
)
const replaceHash = statement<{ id: string; sha256: string }>()((sql, p) =>
  sql.updateTable('archive').set({ sha256: p.sha256 }).where('id', '=', p.id),
)
const deleteOtherParts = statement<{ id: string }>()((sql, p) =>
  sql.deleteFrom('archive_part').where('archive_id', '=', p.id).where('part', '>', 0),
)

/** Replaces the content of an archive, but not its checksum. */
export const damageArchive = (instance: Instance, id: string): Promise<unknown> =>
  instance.db.write((tx) => tx.run(replaceParts, { id, bytes: Buffer.from('spoilt') }))

/** Replaces the lines of an archive, with their checksum. */
export async function replaceArchive(instance: Instance, id: string, lines: string): Promise<void> {
  const bytes = Bun.zstdCompressSync(Buffer.from(lines))
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  await instance.db.write(async (tx) => {
    await tx.run(deleteOtherParts, { id })
    await tx.run(replaceParts, { id, bytes })
    await tx.run(replaceHash, { id, sha256 })
  })
}
