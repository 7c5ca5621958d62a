import { wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { nullableString } from '@reeve/http'

const timeExample = wire.time.example

/** The fields of a record that another tool has created. */
export const importedFields = {
  occurredAt: nullableString('Of an imported record: when it happened', timeExample),
  originalModerator: nullableString(
    'Of an imported record: who acted, as the other tool names them',
    'Notch',
  ),
  source: nullableString('Where an imported record comes from', 'litebans'),
  sourceId: nullableString('Its id there', 'bans:812'),
}

type ImportedColumns = Pick<RecordTable, 'occurred_at' | 'original_moderator' | 'source' | 'source_id'>

export const presentImportedFields = (row: ImportedColumns) => ({
  occurredAt: wire.writeNullableTime(row.occurred_at),
  originalModerator: row.original_moderator,
  source: row.source,
  sourceId: row.source_id,
})
