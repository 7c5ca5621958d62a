import { type Actor, groupBySize, MAX_BATCH_BYTES, type Ports, parseImageHash } from '@reeve/core'
import {
  type ArchiveImageTable,
  type ArchivePartTable,
  type ArchiveTable,
  insertAll,
  statement,
  type Transaction,
  type WorkspaceTable,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import {
  BATCH_SIZE,
  type ContentTable,
  content,
  contentTables,
  countedKinds,
  type Row,
  rowsBetweenKeys,
  sizesAfterKey,
} from './content.ts'
import { ARCHIVE_FORMAT, type ArchiveHeader, createPartWriter } from './format.ts'

const headByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(['case_number', 'audit_sequence'])
    .where('workspace_id', '=', p.workspaceId),
)
const imageByHash = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('media').selectAll().where('hash', '=', p.hash),
)
const insertArchive = statement<ArchiveTable>()((sql, p) => insertAll(sql, 'archive', p))
const insertPart = statement<ArchivePartTable>()((sql, p) => insertAll(sql, 'archive_part', p))
const insertArchiveImage = statement<ArchiveImageTable>()((sql, p) => insertAll(sql, 'archive_image', p))
const updateArchive = statement<
  Pick<ArchiveTable, 'workspace_id' | 'id' | 'size_bytes' | 'sha256' | 'counts'>
>()((sql, p) =>
  sql
    .updateTable('archive')
    .set({ size_bytes: p.size_bytes, sha256: p.sha256, counts: p.counts })
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
)

/**
 * Writes the current content of a workspace to an archive: roles, members, departments, records with their versions, endpoint
 * controls, events and their images. Not included: API keys, the audit log, usage, invitations, archives. For an image in a
 * bucket, the archive contains only its name, which is the hash of its bytes. Memory use is bounded.
 */
export async function writeArchive(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  workspace: WorkspaceTable,
): Promise<ArchiveTable> {
  const workspaceId = workspace.id
  const head = await tx.first(headByWorkspace, { workspaceId })
  const draft: ArchiveTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    group_name: workspace.group_name,
    created_at: ports.now(),
    created_by: actor.id,
    size_bytes: 0,
    sha256: '',
    counts: '{}',
  }
  await tx.run(insertArchive, draft)
  const writer = createPartWriter(async (part, bytes) => {
    await tx.run(insertPart, { workspace_id: workspaceId, archive_id: draft.id, part, bytes })
    await yieldToEventLoop()
  })
  const counts = new Map<string, number>()
  const addRow = async (kind: string, row: Row) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    await writer.add([kind, row])
  }
  const header: ArchiveHeader = {
    ...ARCHIVE_FORMAT,
    workspaceId,
    groupName: workspace.group_name,
    ownerId: workspace.owner_id,
    profileUrl: workspace.profile_url,
    createdAt: workspace.created_at,
    caseNumber: head?.case_number ?? 0,
    sequence: head?.audit_sequence ?? 0,
  }
  await writer.add(['archive', { ...header }])
  const images = new Set<string>()
  for (const table of contentTables) {
    for await (const row of readRows(tx, workspaceId, table)) {
      await addRow(content[table].kind, row)
      const image = table === 'event' ? parseImageHash(row.image_url as string | null) : null
      if (image !== null) images.add(image)
    }
  }
  for (const hash of images) {
    const image = await tx.first(imageByHash, { hash })
    if (!image) continue
    await addRow('media', { ...image, bytes: image.bytes && Buffer.from(image.bytes).toString('base64') })
    // The bytes are elsewhere, and must stay there as long as the archive.
    if (image.bytes === null)
      await tx.run(insertArchiveImage, { workspace_id: workspaceId, archive_id: draft.id, hash })
  }
  const { sizeBytes, sha256 } = await writer.finish()
  const archive: ArchiveTable = {
    ...draft,
    size_bytes: sizeBytes,
    sha256,
    counts: JSON.stringify(
      Object.fromEntries(countedKinds.map((kind) => [kind, String(counts.get(kind) ?? 0)])),
    ),
  }
  await tx.run(updateArchive, archive)
  await changeStorage(tx, workspaceId, 'archives', sizeBytes)
  return archive
}

/** Reads a table in batches that are limited in their number of rows and of bytes. */
async function* readRows(tx: Transaction, workspaceId: string, table: ContentTable): AsyncGenerator<Row> {
  const [firstKey, secondKey] = content[table].key as readonly [string, string?]
  const toKey = (row: Row) => ({
    first: String(row[firstKey]),
    second: secondKey === undefined ? '' : (row[secondKey] as string | number),
  })
  // No first key is empty, so the initial value of the second key only needs a valid type.
  let position: { after: string; afterSecond: string | number } = { after: '', afterSecond: 0 }
  for (;;) {
    const sizes = await tx.all(sizesAfterKey({ table }), { workspaceId, ...position, limit: BATCH_SIZE })
    for (const group of groupBySize(sizes, MAX_BATCH_BYTES, ({ bytes }) => bytes)) {
      const last = toKey(group.at(-1) ?? {})
      yield* await tx.all(rowsBetweenKeys({ table }), {
        workspaceId,
        ...position,
        last: last.first,
        lastSecond: last.second,
      })
      position = { after: last.first, afterSecond: last.second }
      await yieldToEventLoop()
    }
    if (sizes.length < BATCH_SIZE) return
  }
}
