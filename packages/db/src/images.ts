import type { Transaction } from './database.ts'
import { statement } from './statement.ts'
import type { MediaTable } from './tables/index.ts'
import { insertAll } from './whole-row.ts'

// The statements take no lock, so that images do not make workspaces wait for each other: the row of table `unused_image` is the lock.

const insertImage = statement<MediaTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'media', p).onConflict((conflict) => conflict.doNothing()),
)
const storedImage = statement<{ hash: string }>({ isLookup: true, isCommutative: true })((sql, p) =>
  sql
    .selectFrom('media')
    .select((eb) => eb('bytes', 'is', null).as('is_external'))
    .where('hash', '=', p.hash),
)
const deleteUnusedMark = statement<{ hash: string }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('unused_image').where('hash', '=', p.hash),
)
const setBytes = statement<Pick<MediaTable, 'hash' | 'bytes'>>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('media')
    .set({ bytes: p.bytes, size_bytes: null })
    .where('hash', '=', p.hash)
    .where('bytes', 'is', null),
)

/**
 * Marks an image as used, in the transaction that refers to it. Cleanup, which deletes the mark before it deletes the image, either
 * finds the mark gone, or this transaction finds the image gone.
 * @returns whether it was marked as unused
 */
export const markImageUsed = async (tx: Transaction, hash: string): Promise<boolean> =>
  (await tx.run(deleteUnusedMark, { hash })) > 0

/**
 * Stores an image unless it is stored already: its key is the hash of its content.
 * @param getBytes called only if they are stored; null if they are in the external store
 */
export async function storeImageRow(
  tx: Transaction,
  row: Omit<MediaTable, 'bytes'>,
  getBytes: () => MediaTable['bytes'],
): Promise<void> {
  const { hash } = row
  const wasUnused = await markImageUsed(tx, hash)
  const stored = await tx.first(storedImage, { hash })
  if (!stored) await tx.run(insertImage, { ...row, bytes: getBytes() })
  if (!stored?.is_external || !wasUnused) return
  // Cleanup may just have deleted it from the external store.
  const bytes = getBytes()
  if (bytes !== null) await tx.run(setBytes, { hash, bytes })
}
