import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { recountStorage } from '@reeve/metering'
import { applyRetention, deleteOldImports } from '@reeve/moderation'
import { deleteOldDeliveries } from '@reeve/webhooks'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { defaultEngine, idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { DAY, openAppeals } from '../appeals/fixture.ts'
import { openBatchFixture } from '../moderation/batch-fixture.ts'
import { openErasureFixture } from '../moderation/erasure-fixture.ts'
import { createImportRequests } from '../moderation/import-fixture.ts'
import { COUNTED_TEXTS, countRows, expectExactCounters, readCounters } from './fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
afterEach(() => expect(instance.unexpectedErrors).toEqual([]))

/** Tables that count by the size of what they belong to. */
const COUNTED_BY_SIZE: Readonly<Record<string, string>> = {
  archive: 'size_bytes',
  archive_part: 'archive.size_bytes',
  evidence_file: 'size_bytes',
  evidence_part: 'evidence_file.size_bytes',
  import: 'size_bytes while has_parts is 1',
  import_part: 'import.size_bytes',
  event: 'media.size_bytes of its image, and its changes in audit',
}

/** Every change is a row of the audit log that counts at least its texts. */
const BY_AUDIT = 'its changes in audit, which count'
/** A few columns without texts of callers. */
const BY_RECORD = 'rows of fixed size for a record, which counts'
const BY_TIME = 'rows of fixed size for an hour or a day, whatever is stored'

/** Tables that do not count, with what bounds them. */
const BOUNDED: Readonly<Record<string, string>> = {
  activity: BY_TIME,
  activity_by_actor: BY_TIME,
  activity_progress: 'one row',
  api_key: BY_AUDIT,
  appeal_settings: 'one row',
  appealed_ban: BY_RECORD,
  approval: BY_RECORD,
  archive_evidence: 'rows of fixed size for an archive, which counts',
  archive_image: 'rows of fixed size for an archive, which counts',
  assignment: BY_RECORD,
  batch: BY_AUDIT,
  claim: '50 claims of a member (MAX_CLAIMS)',
  delivery_cursor: 'one row',
  department: BY_AUDIT,
  department_member: '500 members of a department (MAX_MEMBERS)',
  endpoint_control: 'one row for an endpoint',
  erasure: BY_AUDIT,
  former_member: BY_AUDIT,
  invitation: '100 invitations (MAX_INVITATIONS)',
  ladder: BY_AUDIT,
  member: BY_AUDIT,
  member_player: '10 players of a member (MAX_PLAYERS)',
  member_role: BY_AUDIT,
  mention: BY_RECORD,
  pinned_note: BY_AUDIT,
  player_link: BY_AUDIT,
  player_name: '50 names of a player (MAX_NAMES_PER_PLAYER), each of a record, which counts',
  reason_count: BY_RECORD,
  recent_ban: BY_RECORD,
  record_count: BY_TIME,
  redaction: BY_AUDIT,
  response_time: BY_RECORD,
  retention: 'one row',
  retention_run: 'one row',
  role: BY_AUDIT,
  rule_version: BY_AUDIT,
  saved_view: '50 views of a member (MAX_SAVED_VIEWS)',
  template: BY_AUDIT,
  usage: BY_TIME,
  webhook: BY_AUDIT,
  workspace_head: 'one row',
  workspace_job: BY_AUDIT,
  workspace_job_row: 'changes of one roll-back, deleted when it ends: those of an archive, which counts',
}

test('every table with rows of a workspace counts as storage, or something named bounds it', async () => {
  const rows = await instance.storage.query<{ name: string }>(
    defaultEngine === 'PostgreSQL'
      ? `select table_name as name from information_schema.columns where table_schema = current_schema() and column_name = 'workspace_id'`
      : `select m.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'workspace_id'`,
  )
  const classified = [...Object.keys(COUNTED_TEXTS), ...Object.keys(COUNTED_BY_SIZE), ...Object.keys(BOUNDED)]
  expect(classified.toSorted()).toEqual([...new Set(classified)].toSorted())
  const stored = rows.map(({ name }) => name).filter((name) => !(name in OF_THE_INSTANCE))
  expect(stored.toSorted()).toEqual(classified.toSorted())
})

/** Tables that name a workspace but do not belong to it. */
const OF_THE_INSTANCE: Readonly<Record<string, string>> = {
  deleted_workspace: 'what is left of one that is gone',
  workspace_report: '20 open reports of an account (MAX_OPEN_REPORTS)',
}

const recount = () => recountStorage(instance.db, instance.ports, { signal: AbortSignal.timeout(60_000) })

/** Counts the rows of a workspace anew, from counters that are all wrong. */
async function expectExactRecount(workspaceId: string): Promise<void> {
  const expected = await countRows(instance, workspaceId)
  await instance.storage.query(
    `update workspace_head set record_bytes = 7, storage_counted_at = 0 where workspace_id = ${idLiteral(workspaceId)}`,
  )
  await recount()
  expect(await readCounters(instance, workspaceId)).toEqual(expected)
}

test('messages of appeals count until retention deletes the appeal with its record', async () => {
  const appeals = await openAppeals(instance)
  const { workspaceId, judge, key } = appeals
  const { appealCode } = await appeals.ban()
  await expectExactCounters(instance, workspaceId)
  const before = await readCounters(instance, workspaceId)
  await appeals.submit(appealCode, { message: 'ä'.repeat(2000) })
  const [{ id }] = await appeals.list()
  await appeals.send({ code: appealCode, action: 'reply', message: 'r'.repeat(2000) })
  await appeals.staff('message', judge.session, { id, text: 's'.repeat(2000) })
  const after = await expectExactCounters(instance, workspaceId)
  expect(after.records).toBeGreaterThan(before.records + 8000)
  await appeals.staff('decide', judge.session, { id, decision: 'accepted', message: 'd'.repeat(1000) })
  await expectExactCounters(instance, workspaceId)
  await expectExactRecount(workspaceId)
  const configured = await instance.request('POST', '/api/moderation/retention', {
    key,
    body: { workspaceId, banDays: '30' },
  })
  expect(configured.status).toBe(200)
  instance.clock.advance(40 * DAY)
  await applyRetention(instance.db, instance.ports, AbortSignal.timeout(60_000))
  expect((await countRows(instance, workspaceId)).records).toBeLessThan(after.records - 7000)
  await expectExactCounters(instance, workspaceId)
})

test('events that were sent to webhooks count, with the responses, until they are deleted', async () => {
  const workspace = await instance.workspace()
  const webhook = createWebhookCaller(instance, workspace)
  const deliveries = openDeliveries(instance)
  const receiver = startReceiver(() => new Response('x'.repeat(3000)))
  await webhook.create(receiver.url, 'record.created')
  await webhook.moderate({ action: 'note', userId: '1', reason: 'n'.repeat(900) })
  await deliveries.sendAllDue()
  receiver.stop()
  const { records } = await expectExactCounters(instance, workspace.id)
  await expectExactRecount(workspace.id)
  instance.clock.advance(31 * DAY)
  await deleteOldDeliveries(instance.db, instance.ports)
  expect((await expectExactCounters(instance, workspace.id)).records).toBeLessThan(records - 3900)
})

test('what an import lists about entries counts until its report is deleted', async () => {
  const { importText } = createImportRequests(() => instance)
  const file = `userId,occurredAt,sourceId\n${'7,never,x\n'.repeat(450)}`
  const { workspace, result } = await importText('csv', 'a.csv', file)
  expect(result.unreadable).toBe('450')
  await deleteOldImports(instance.db, instance.ports, AbortSignal.timeout(60_000))
  const { records } = await expectExactCounters(instance, workspace.id)
  await expectExactRecount(workspace.id)
  instance.clock.advance(31 * DAY)
  await deleteOldImports(instance.db, instance.ports, AbortSignal.timeout(60_000))
  expect((await expectExactCounters(instance, workspace.id)).records).toBeLessThan(records - 450 * 256)
})

test('the targets of batches count, and why they failed', async () => {
  const { id, runBatch } = await openBatchFixture(instance)
  const before = await expectExactCounters(instance, id)
  const userIds = Array.from({ length: 50 }, (_, index) => String(index + 1)).join()
  const { batch } = await runBatch({ action: 'unban', userIds, reason: 'Mistake' })
  expect(batch.failed).toBe('50')
  const after = await expectExactCounters(instance, id)
  expect(after.records).toBeGreaterThan(before.records + 50 * 256)
  await expectExactRecount(id)
})

test('an erasure has the storage counted anew', async () => {
  const fixture = await openErasureFixture(instance)
  await fixture.act({ action: 'note', userId: '261', reason: 'Seen' })
  await fixture.erase('261', 'erase')
  await recount()
  await expectExactCounters(instance, fixture.id)
})
