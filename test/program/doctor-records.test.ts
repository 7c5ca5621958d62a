import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../support/clock.ts'
import { type EngineName, idLiteral } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { runReeve } from '../support/program.ts'

const DAY = 86_400_000
const TIMEOUT_MS = 60_000

interface ReportedFinding {
  readonly check: string
  readonly verdict: string
  readonly found: string
  readonly advice: string | null
  readonly records?: readonly {
    readonly id: string
    readonly kind: string
    readonly caseNumber: number
    readonly fields: readonly string[]
  }[]
}

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

  /** Runs the doctor on the storage of the instance, which a server has open. */
  async function runDoctor() {
    const { dataDir, databaseUrl } = instance.storage
    const env = databaseUrl === null ? {} : { REEVE_DATABASE_URL: databaseUrl }
    const { exitCode, out, err } = await runReeve(['doctor', '--json'], { dataDir, env })
    expect(err).toBe('')
    const { findings } = JSON.parse(out) as { findings: ReportedFinding[] }
    return {
      exitCode,
      find(check: string): ReportedFinding {
        const found = findings.find((finding) => finding.check === check)
        if (!found) throw new Error(`there is no finding ${check}: ${out}`)
        return found
      },
    }
  }

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

  test(
    'roles, departments and events that were edited, deleted or inserted by hand are named',
    async () => {
      const { ownerSession, key, id: workspaceId, recordWhere, inWorkspace } = await openWorkspace()
      const create = async (path: string, body: Readonly<Record<string, string>>): Promise<string> => {
        const credentials = path.startsWith('/portal') ? { session: ownerSession } : { key }
        const response = await instance.request('POST', path, {
          ...credentials,
          body: { workspaceId, ...body },
        })
        expect(response.status, response.text).toBe(200)
        return Object.values<{ id: string }>(response.body)[0]?.id ?? ''
      }
      const role = await create('/portal/api/roles', {
        name: 'Helper',
        rank: '10',
        permissions: 'moderation.view',
      })
      const department = await create('/api/departments', { name: 'Press', color: '#abc' })
      const event = await create('/api/events', { title: 'Patrol', scheduledFor: '2030-01-01T00:00:00Z' })
      const deleted = await create('/api/events', { title: 'Gone', scheduledFor: '2030-01-01T00:00:00Z' })
      expect((await runDoctor()).find('resources')).toMatchObject({ verdict: 'ok' })

      const sql = (statement: string) => instance.storage.query(statement)
      await sql(`update role set permissions = '["moderation.ban"]', rank = 90 where ${recordWhere(role)}`)
      await sql(`update department set name = 'Nobody' where ${recordWhere(department)}`)
      await sql(`update event set published = 1 - published where ${recordWhere(event)}`)
      await sql(`delete from event where ${recordWhere(deleted)}`)
      const inserted = Bun.randomUUIDv7()
      const columns = (await instance.storage.listColumns()).filter(({ table }) => table === 'role')
      const values = columns.map(
        ({ column }) =>
          ({ id: idLiteral(inserted, engine), name: "'Twin'", name_key: "'twin'" })[column] ?? column,
      )
      await sql(
        `insert into role (${columns.map(({ column }) => column).join()}) select ${values.join()} from role where ${recordWhere(role)}`,
      )
      const doctor = await runDoctor()
      const { verdict, found, advice } = doctor.find('resources')
      expect({ exitCode: doctor.exitCode, verdict }).toEqual({ exitCode: 1, verdict: 'fault' })
      expect(found).toContain(`role ${role} of workspace ${workspaceId}: rank, permissions`)
      expect(found).toContain(`department ${department} of workspace ${workspaceId}: name`)
      expect(found).toContain(`event ${event} of workspace ${workspaceId}: published`)
      expect(found).toContain(`event ${deleted} of workspace ${workspaceId}: missing`)
      expect(found).toContain(`role ${inserted} of workspace ${workspaceId}: not in the audit log`)
      expect(found.split(';')).toHaveLength(5)
      expect(advice).toContain('audit log')
      for (const table of ['role', 'department', 'event'])
        await sql(
          `delete from ${table} where ${inWorkspace} and id in (${[role, department, event, inserted].map((one) => idLiteral(one, engine)).join()})`,
        )
    },
    TIMEOUT_MS,
  )
})
