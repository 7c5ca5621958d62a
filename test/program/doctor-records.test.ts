import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../support/clock.ts'
import { type EngineName, idLiteral } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { runDoctorOn } from './doctor-findings.ts'

const DAY = 86_400_000
const TIMEOUT_MS = 60_000

/** What somebody could change in the row of a ban, and what the doctor reports. */
const edits = {
  reason: "reason = 'Cleared'",
  userId: "user_id = '999'",
  userUsername: "user_username = 'Nobody'",
  expiresAt: 'expires_at = expires_at - 3600000',
  severity: "severity = 'low'",
  status: "in_force = 0, ended = 'revoked'",
  in_force: 'in_force = 0',
  evidence: `evidence = '["x"]', evidence_count = 1`,
  caseNumber: 'case_number = 900',
  createdAt: 'created_at = created_at - 86400000',
  revokedAt: 'revoked_at = created_at',
  sequence: 'sequence = sequence + 500',
} as const

describe.each<EngineName>(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let instance: Instance
  let clock: ReturnType<typeof createTestClock>
  beforeAll(async () => {
    clock = createTestClock(Date.now() - 10 * DAY)
    instance = await openInstance({ engine, clock })
  }, TIMEOUT_MS)
  afterAll(() => instance.close())

  const runDoctor = () => runDoctorOn(instance)

  async function openWorkspace() {
    const workspace = await instance.workspace()
    const moderate = async (body: Readonly<Record<string, string>>) => {
      const response = await instance.request('POST', '/api/moderation', {
        key: workspace.key,
        body: { workspaceId: workspace.id, ...body },
      })
      expect(response.status, response.text).toBe(200)
      return response.body.record as { id: string; caseNumber: string }
    }
    const inWorkspace = `workspace_id = ${idLiteral(workspace.id, engine)}`
    return {
      ...workspace,
      moderate,
      ban: (userId: string) =>
        moderate({
          action: 'ban',
          userId,
          userUsername: 'Robin',
          reason: 'Exploits',
          durationSeconds: '86400',
        }),
      inWorkspace,
      recordWhere: (id: string, column = 'id') => `${inWorkspace} and ${column} = ${idLiteral(id, engine)}`,
    }
  }

  test(
    'records that were edited, deleted or inserted by hand are named, and no others',
    async () => {
      const { moderate, ban, recordWhere, inWorkspace, id: workspaceId } = await openWorkspace()
      for (const action of ['ban', 'mute', 'warn', 'note', 'kick'])
        await moderate({ action, userId: '1', reason: 'Untouched' })
      expect((await runDoctor()).find('records')).toMatchObject({ verdict: 'ok' })

      const sql = (statement: string) => instance.storage.query(statement)
      const expected: { id: string; kind: string; fields: readonly string[] }[] = []
      for (const [index, [field, change]] of Object.entries(edits).entries()) {
        const { id } = await ban(String(100 + index))
        await sql(`update record set ${change} where ${recordWhere(id)}`)
        expected.push({ id, kind: 'changed', fields: [field] })
      }
      const edited = await ban('200')
      await moderate({ action: 'edit', id: edited.id, reason: 'Better said' })
      await sql(
        `update record_version set snapshot = replace(snapshot, 'Exploits', 'Kindness') where ${recordWhere(edited.id, 'record_id')}`,
      )
      expected.push({ id: edited.id, kind: 'changed', fields: ['reason (version 1)'] })
      const lost = await ban('201')
      await moderate({ action: 'comment', id: lost.id, value: 'Seen' })
      await sql(`delete from record_version where ${recordWhere(lost.id, 'record_id')}`)
      expected.push({ id: lost.id, kind: 'changed', fields: ['version 1'] })
      const lifted = await ban('202')
      await moderate({ action: 'unban', id: lifted.id, reason: 'Appealed' })
      await sql(
        `update record set in_force = 1, ended = null, revoked_at = null where ${recordWhere(lifted.id)}`,
      )
      expected.push({ id: lifted.id, kind: 'changed', fields: ['status', 'revokedAt'] })
      const broken = await ban('203')
      await sql(`update record set comments = 'x' where ${recordWhere(broken.id)}`)
      const deleted = await ban('204')
      await sql(`delete from record where ${recordWhere(deleted.id)}`)
      expected.push({ id: deleted.id, kind: 'missing', fields: [] })
      const columns = (await instance.storage.listColumns())
        .filter(({ table }) => table === 'record')
        .map(({ column }) => column)
      const inserted = Bun.randomUUIDv7()
      const values = columns.map(
        (column) =>
          ({ id: idLiteral(inserted, engine), case_number: '901', user_id: "'998'" })[column] ?? column,
      )
      await sql(
        `insert into record (${columns.join()}) select ${values.join()} from record where ${recordWhere(lost.id)}`,
      )
      expected.push({ id: inserted, kind: 'unknown', fields: [] })

      const doctor = await runDoctor()
      const finding = doctor.find('records')
      expect({ exitCode: doctor.exitCode, verdict: finding.verdict }).toEqual({
        exitCode: 1,
        verdict: 'fault',
      })
      const reported = new Map(finding.records?.map((record) => [record.id, record]))
      for (const difference of expected) {
        const { id, kind, fields } = reported.get(difference.id) ?? {}
        expect({ id, kind, fields }).toEqual(difference)
        expect(finding.found).toContain(difference.id)
      }
      expect(reported.get(broken.id)?.fields[0]).toStartWith('unreadable: ')
      expect(finding.found).toContain(`case ${deleted.caseNumber} of workspace ${workspaceId}`)
      expect(reported.size).toBe(expected.length + 1)
      expect(finding.advice).toContain('restore a backup')
      await sql(`delete from record_version where ${inWorkspace}`)
    },
    TIMEOUT_MS,
  )

  test(
    'records and audit log rows that are dated in the future are named, also when later changes have the right time',
    async () => {
      const { moderate, ban, id: workspaceId } = await openWorkspace()
      const normal = await ban('300')
      expect((await runDoctor()).find('dates')).toMatchObject({ verdict: 'ok' })
      clock.advance(12 * DAY)
      const future = await ban('301')
      clock.advance(-12 * DAY)
      await moderate({ action: 'warn', userId: '302', reason: 'Later' })
      const doctor = await runDoctor()
      const finding = doctor.find('dates')
      expect({ exitCode: doctor.exitCode, verdict: finding.verdict }).toEqual({
        exitCode: 1,
        verdict: 'fault',
      })
      expect(finding.found).toContain('1 record and 1 audit log row are dated after the current time')
      expect(finding.found).toContain(
        `case ${future.caseNumber} of workspace ${workspaceId} (record ${future.id})`,
      )
      expect(finding.found).toContain(`of chain ${workspaceId}`)
      expect(finding.found).not.toContain(normal.id)
      expect(finding.advice).toContain('clock')
      expect(doctor.find('clock')).toMatchObject({ verdict: 'ok' })
      expect(doctor.find('records').found).not.toContain(future.id)
    },
    TIMEOUT_MS,
  )

  test(
    'storage counters that differ from what is stored are named, unless the server is to count them again',
    async () => {
      const { ban, id: workspaceId, inWorkspace } = await openWorkspace()
      await ban('400')
      const setHead = (change: string) =>
        instance.storage.query(`update workspace_head set ${change} where ${inWorkspace}`)
      await setHead('storage_counted_at = 1')
      expect((await runDoctor()).find('storage')).toMatchObject({ verdict: 'ok' })
      await setHead('record_bytes = record_bytes + 5000000, archive_bytes = archive_bytes - 2000000')
      const { verdict, found, advice } = (await runDoctor()).find('storage')
      expect(verdict).toBe('warning')
      expect(found).toStartWith('2 storage counters differ')
      expect(found).toContain(`records of workspace ${workspaceId}: 5 MB counted`)
      expect(found).toContain(`archives of workspace ${workspaceId}: −2 MB counted, 0 bytes stored`)
      expect(advice).toContain('once a day')
      await setHead('storage_counted_at = 0')
      expect((await runDoctor()).find('storage')).toMatchObject({ verdict: 'ok' })
    },
    TIMEOUT_MS,
  )
})
