import { createHash } from 'node:crypto'
import { hashText } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { rebuildVersion } from '../records/versions.ts'
import type { ImportedColumns } from './entry.ts'
import type { ForeignRecord, ParsedItem } from './formats/format.ts'
import type { ImportContext } from './importer.ts'
import { findImported } from './lifts.ts'

/**
 * The ids of entries in files without ids: the player, the action and the time. Entries of a file that share all three although they differ get
 * an id of their own each, which does not depend on their order.
 */

/** Hashes of the ids that entries of a file share although they differ. */
export type SharedIds = ReadonlySet<number>

/** Pairs of 32-bit numbers, in 8 bytes each: a file can have millions. */
function createPairs() {
  let numbers = new Uint32Array(1024)
  let length = 0
  return {
    add(first: number, second: number): void {
      if (length === numbers.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(numbers)
        numbers = larger
      }
      // The second is the lower half of 64 bits.
      numbers[length] = second
      numbers[length + 1] = first
      length += 2
    },

    /** The first numbers that have several different second ones. */
    findAmbiguous(): Set<number> {
      new BigUint64Array(numbers.buffer, 0, length / 2).sort()
      const found = new Set<number>()
      for (let at = 2; at < length; at += 2) {
        const first = numbers[at + 1] ?? 0
        if (first === numbers[at - 1] && numbers[at] !== numbers[at - 2]) found.add(first)
      }
      return found
    },
  }
}

/** Reads a file for the ids that its entries share. @param limit the entries that are read at most */
export async function findSharedIds(items: AsyncIterable<ParsedItem>, limit: number): Promise<SharedIds> {
  const pairs = createPairs()
  let count = 0
  for await (const item of items) {
    count += 1
    if (count > limit) break
    if ('record' in item && item.record.content !== null)
      pairs.add(hashText(item.record.sourceId), hashText(item.record.content))
  }
  return pairs.findAmbiguous()
}

/** The id of an entry among those of its source: the one with which it is stored, if it was imported before. */
export async function findSourceId(
  context: ImportContext,
  { sourceId, content }: ForeignRecord,
  columns: ImportedColumns,
  sharedIds: SharedIds,
): Promise<string> {
  if (content === null) return sourceId
  const { db, row } = context
  const ownId = `${sourceId}#${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
  // In an earlier file, others had the same id.
  if (await findImported(db, row, { source_id: ownId })) return ownId
  if (!sharedIds.has(hashText(sourceId))) return sourceId
  const imported = await findImported(db, row, { source_id: sourceId })
  return imported && (await hasSameContent(context, imported, columns)) ? sourceId : ownId
}

/** Whether a record is what an entry became. What was changed in Reeve since does not count. */
async function hasSameContent(
  { db }: ImportContext,
  imported: RecordTable,
  columns: ImportedColumns,
): Promise<boolean> {
  const first = imported.version === 1 ? imported : await rebuildVersion(db, imported, 1)
  const isSame = (column: keyof ImportedColumns) => first[column] === columns[column]
  const hasSameTexts = imported.redacted_at !== null || (isSame('reason') && isSame('evidence'))
  return hasSameTexts && isSame('severity') && isSame('duration_seconds') && isSame('original_moderator')
}
