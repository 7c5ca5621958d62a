import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** The content of evidence files. Records can be deleted before it, and parts before and after their file, so they have no references. */
export async function createEvidenceTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'evidence_file',
    `workspace_id id!, id id!, record_id id, size_bytes int!, sha256 hash!, is_external int32!, created_at int!,
     deleted_at int, pending text`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'evidence_file_by_record', 'evidence_file', ['workspace_id', 'record_id'])
  await createIndex(tools, 'evidence_file_external', 'evidence_file', ['id'], { where: 'is_external = 1' })
  await createTable(
    tools,
    'evidence_part',
    'workspace_id id!, file_id id!, part int32!, bytes blob!',
    ['workspace_id', 'file_id', 'part'],
    { references: [toWorkspace] },
  )
  await createTable(tools, 'evidence_object', 'id id!, created_at int!', ['id'])
  await createTable(
    tools,
    'archive_evidence',
    'workspace_id id!, archive_id id!, file_id id!',
    ['workspace_id', 'archive_id', 'file_id'],
    {
      references: [
        {
          columns: ['workspace_id', 'archive_id'],
          to: 'archive',
          keys: ['workspace_id', 'id'],
          isDeletedTogether: true,
        },
      ],
    },
  )
  await createIndex(tools, 'archive_evidence_by_file', 'archive_evidence', ['file_id'])
}
