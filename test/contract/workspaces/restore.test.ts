import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import fc from 'fast-check'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { callsIn, everyAnswer, fill, type Workspace } from './world.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const replaceParts = statement<{ id: string; bytes: Uint8Array }>()((sql, p) =>
  sql.updateTable('archive_part').set({ bytes: p.bytes }).where('archive_id', '=', p.id),
)
const replaceHash = statement<{ id: string; sha256: string }>()((sql, p) =>
  sql.updateTable('archive').set({ sha256: p.sha256 }).where('id', '=', p.id),
)
const dropMedia = statement()((sql) => sql.deleteFrom('media'))
const keysOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('api_key').select('id').where('workspace_id', '=', p.workspaceId),
)
const handOver = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql.updateTable('workspace').set({ owner_id: p.accountId }).where('id', '=', p.workspaceId),
)
const handOverRole = statement<{ workspaceId: string; accountId: string; roleId: string }>()((sql, p) =>
  sql
    .updateTable('member_role')
    .set({ account_id: p.accountId })
    .where('workspace_id', '=', p.workspaceId)
    .where('role_id', '=', p.roleId),
)

async function filled(): Promise<Workspace> {
  const workspace = await instance.workspace('Harbour staff')
  await fill(instance, workspace)
  return workspace
}

async function archived(workspace: Workspace) {
  const { body, status, text } = await callsIn(instance, workspace).workspaces({
    id: workspace.id,
    archive: true,
  })
  expect(status, text).toBe(200)
  return body.archive as { id: string; counts: Record<string, string> }
}

const answersIn = (id: string, { ownerSession }: Workspace) => everyAnswer(instance, id, ownerSession)

/** The chain of every workspace is whole. */
async function expectWholeAudit() {
  expect((await verifyAudit(instance.db.read)).faults).toEqual([])
}

describe('a new workspace from an archive', () => {
  test('answers every read as the workspace did when it was archived', async () => {
    const workspace = await filled()
    const before = await answersIn(workspace.id, workspace)
    const archive = await archived(workspace)
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    const as = { session: workspace.ownerSession }
    const { body, text } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, as)
    expect(body.workspace, text).toMatchObject({
      groupName: 'Harbour staff',
      ownerId: workspace.ownerId,
      status: 'active',
      version: '1',
    })
    expect(body.workspace.id).not.toBe(workspace.id)
    expect(await answersIn(body.workspace.id, workspace)).toEqual(before)
    expect(Object.keys(before).length).toBeGreaterThan(40)
    await expectWholeAudit()
  })

  test('tells in the archive how much of what it holds', async () => {
    const { counts } = await archived(await filled())
    expect(counts).toEqual({
      members: '3',
      roles: '4',
      departments: '3',
      records: '10',
      recordVersions: expect.stringMatching(/^[1-9]\d*$/),
      events: '5',
      media: '2',
    })
  })

  test('lives on its own: what is changed in one is not changed in the other', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const before = await answersIn(workspace.id, workspace)
    const { body } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id })
    const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
    const { moderate, department } = callsIn(instance, copy)
    const { records } = (
      await instance.call('GET', `/api/moderation?workspaceId=${copy.id}`, { key: copy.key })
    ).body
    await moderate({ action: 'comment', id: records[0].id, value: 'Only here' })
    await moderate({ action: 'unban', userId: '6' })
    await department({ name: 'Only here' })
    expect(await answersIn(workspace.id, workspace)).toEqual(before)
  })

  test('goes on counting cases and changes where the archive left off', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const { body } = await callsIn(instance, workspace).workspaces({
      fromArchive: archive.id,
      groupName: 'Next',
    })
    expect(body.workspace.groupName).toBe('Next')
    const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
    const { records } = (
      await instance.call('GET', `/api/moderation?workspaceId=${copy.id}`, { key: copy.key })
    ).body
    const made = (await callsIn(instance, copy).moderate({
      action: 'ban',
      userId: '77',
      reason: 'Next',
    })) as unknown as { caseNumber: string; sequence: string }
    const highest = (field: string) =>
      Math.max(...records.map((one: Record<string, string>) => Number(one[field])))
    expect(Number(made.caseNumber)).toBe(highest('caseNumber') + 1)
    expect(Number(made.sequence)).toBeGreaterThan(highest('sequence'))
    await expectWholeAudit()
  })

  test('has no API key: none survives into a copy', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const { body } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id })
    expect(await instance.db.read.all(keysOf, { workspaceId: body.workspace.id })).toEqual([])
    const answer = await instance.call('GET', `/api/departments?workspaceId=${body.workspace.id}`, workspace)
    expect(answer.body.reason).toBe('wrong_workspace')
  })

  test('belongs to the account that restores it; the owner of before keeps no authority they did not have by a role', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const admin = await instance.member(workspace.id, permissions, 50)
    const { body, text } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, admin)
    expect(body.workspace, text).toMatchObject({ ownerId: admin.accountId, createdBy: admin.accountId })
    const search = `workspaceId=${body.workspace.id}&limit=200`
    const { members } = (await instance.call('GET', `/portal/api/members?${search}`, admin)).body
    expect(
      members
        .filter((one: { isOwner: string }) => one.isOwner === 'true')
        .map((one: { accountId: string }) => one.accountId),
    ).toEqual([admin.accountId])
    const old = members.find((one: { accountId: string }) => one.accountId === workspace.ownerId)
    expect(old.roles).toEqual([])
    const refused = await instance.call('GET', `/api/departments?workspaceId=${body.workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect(refused.body.reason).toBe('missing_permission')
  })

  test('by a key belongs to the owner of its workspace', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const key = await instance.key(workspace.id, ['workspace.restore', 'workspace.create'])
    const { body, text } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, { key })
    expect(body.workspace?.ownerId, text).toBe(workspace.ownerId)
  })

  test('can be made again and again of the same archive, also when the workspace is in use again', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const { workspaces } = callsIn(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const ids = new Set<string>()
    for (let round = 0; round < 3; round++) {
      ids.add((await workspaces({ fromArchive: archive.id, action: 'restore' })).body.workspace.id)
    }
    expect(ids.size).toBe(3)
  })
})

describe('rolling a workspace back', () => {
  /** Changes a bit of everything. */
  async function change(workspace: Workspace) {
    const calls = callsIn(instance, workspace)
    const as = { key: workspace.key }
    const at = `workspaceId=${workspace.id}&limit=200`
    const { events } = (await instance.call('GET', `/api/events?${at}`, as)).body
    const { departments } = (await instance.call('GET', `/api/departments?${at}`, as)).body
    const { records } = (await instance.call('GET', `/api/moderation?${at}`, as)).body
    await calls.control('events', 'on')
    await calls.control('departments', 'on')
    await calls.control('workspaces', 'on')
    await calls.dropEvent(events[0].id)
    await calls.event({ id: events[1].id, title: 'Other' }, 'PATCH')
    await calls.department({ id: departments[0].id, action: 'delete' })
    await calls.department({ name: departments[0].name })
    await calls.staff(departments[1].id, [workspace.ownerId], workspace.ownerId)
    await calls.moderate({ action: 'unban', userId: '6' })
    await calls.moderate({ action: 'ban', userId: '6', reason: 'Again' })
    await calls.moderate({ action: 'ban', userId: '4', reason: 'Again' })
    await calls.moderate({ action: 'comment', id: records[0].id, value: 'Later' })
    const { roleId } = await instance.member(workspace.id, ['departments.manage'], 3)
    await calls.grant(roleId, [])
    const { members } = (
      await instance.call('GET', `/portal/api/members?${at}`, { session: workspace.ownerSession })
    ).body
    const other = members.find((one: { accountId: string }) => one.accountId !== workspace.ownerId)
    await calls.dismiss(other.accountId)
    await calls.workspaces({ id: workspace.id, groupName: 'Renamed since' })
  }

  test('answers every read as when it was archived, and what it held meanwhile is sealed', async () => {
    const workspace = await filled()
    const { workspaces } = callsIn(instance, workspace)
    const before = await answersIn(workspace.id, workspace)
    const archive = await archived(workspace)
    await workspaces({ id: workspace.id, archive: false })
    await change(workspace)
    const meanwhile = await answersIn(workspace.id, workspace)
    expect(meanwhile).not.toEqual(before)
    await archived(workspace)

    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(body.workspace, text).toMatchObject({
      id: workspace.id,
      groupName: 'Harbour staff',
      status: 'active',
      ownerId: workspace.ownerId,
    })
    expect(await answersIn(workspace.id, workspace)).toEqual(before)
    await expectWholeAudit()

    // And forward again, by the archive that was sealed on the way.
    await archived(workspace)
    const forward = await workspaces({ id: workspace.id, fromArchive: body.archive.id, groupName: 'Forward' })
    expect(forward.body.workspace, forward.text).toMatchObject({ groupName: 'Forward', status: 'active' })
    expect(await answersIn(workspace.id, workspace)).toEqual(meanwhile)
    await expectWholeAudit()
  })

  test('keeps the API keys, and goes on counting cases and changes', async () => {
    const workspace = await filled()
    const { workspaces, moderate } = callsIn(instance, workspace)
    const archive = await archived(workspace)
    await workspaces({ id: workspace.id, archive: false })
    const last = (await moderate({ action: 'note', userId: '9', reason: 'Last' })) as unknown as Record<
      string,
      string
    >
    const keys = await instance.db.read.all(keysOf, { workspaceId: workspace.id })
    await archived(workspace)
    await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(await instance.db.read.all(keysOf, { workspaceId: workspace.id })).toEqual(keys)
    const next = (await moderate({ action: 'note', userId: '9', reason: 'Next' })) as unknown as Record<
      string,
      string
    >
    expect(Number(next.caseNumber)).toBe(Number(last.caseNumber) + 1)
    expect(Number(next.sequence)).toBeGreaterThan(Number(last.sequence))
  })

  test('leaves the ownership where it is', async () => {
    const workspace = await filled()
    const { workspaces } = callsIn(instance, workspace)
    const archive = await archived(workspace)
    const heir = await instance.member(workspace.id, [], 1)
    await instance.db.write(async (tx) => {
      await tx.run(handOver, { workspaceId: workspace.id, accountId: heir.accountId })
      await tx.run(handOverRole, {
        workspaceId: workspace.id,
        accountId: heir.accountId,
        roleId: workspace.ownerRoleId,
      })
    })
    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id }, heir)
    expect(body.workspace?.ownerId, text).toBe(heir.accountId)
    const read = (session: string) =>
      instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, { session })
    expect((await read(heir.session)).status).toBe(200)
    expect((await read(workspace.ownerSession)).body.reason).toBe('missing_permission')
  })

  test('gives nobody more than the caller may grant', async () => {
    const workspace = await filled()
    const { workspaces, grant } = callsIn(instance, workspace)
    const set: Permission[] = ['workspace.restore', 'workspace.archive', 'moderation.redact']
    const admin = await instance.member(workspace.id, set, 30)
    const archive = await archived(workspace)
    await workspaces({ id: workspace.id, archive: false })
    await grant(admin.roleId, ['workspace.restore', 'workspace.archive'])
    await archived(workspace)
    const before = await stored(instance)
    const refused = await workspaces({ id: workspace.id, fromArchive: archive.id }, admin)
    expect([refused.status, refused.body.reason, refused.body.permission]).toEqual([
      403,
      'missing_permission',
      'moderation.redact',
    ])
    expect(await stored(instance)).toEqual(before)
    const key = await instance.key(workspace.id, set, { rank: 30 })
    expect((await workspaces({ id: workspace.id, fromArchive: archive.id }, { key })).status).toBe(200)
  })

  test('brings nobody back at or above the rank of the caller', async () => {
    const workspace = await filled()
    const { workspaces, dismiss } = callsIn(instance, workspace)
    const peer = await instance.member(workspace.id, [], 30)
    const archive = await archived(workspace)
    await dismiss(peer.accountId)
    const key = await instance.key(workspace.id, permissions, { rank: 30 })
    const refused = await workspaces({ id: workspace.id, fromArchive: archive.id }, { key })
    expect([refused.status, refused.body.reason]).toEqual([403, 'insufficient_rank'])
    const owner = { session: workspace.ownerSession }
    expect((await workspaces({ id: workspace.id, fromArchive: archive.id }, owner)).status).toBe(200)
  })

  test('of another workspace is not found, also for an owner of both', async () => {
    const workspace = await filled()
    const archive = await archived(workspace)
    const as = { session: workspace.ownerSession }
    const { workspaces } = callsIn(instance, workspace)
    const other = (await workspaces({ groupName: 'Other' }, as)).body.workspace
    await workspaces({ id: other.id, archive: true }, as)
    const answer = await workspaces({ id: other.id, fromArchive: archive.id }, as)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})

describe('a redaction is for good', () => {
  test('no restore brings back what was redacted after the archive was sealed', async () => {
    const workspace = await filled()
    const { moderate, workspaces } = callsIn(instance, workspace)
    const secret = 'Lives at 12 Harbour Road'
    const ban = await moderate({ action: 'ban', userId: '90', reason: secret, evidence: secret })
    await moderate({ action: 'comment', id: ban.id, value: secret })
    await moderate({ action: 'edit', id: ban.id, reason: `${secret}!` })
    await moderate({ action: 'unban', userId: '90', reason: secret })
    const archive = await archived(workspace)
    expect(JSON.stringify(await answersIn(workspace.id, workspace))).toContain(secret)
    await workspaces({ id: workspace.id, archive: false })
    await moderate({ action: 'redact', id: ban.id, reason: 'Asked for' })
    await archived(workspace)
    const as = { session: workspace.ownerSession }
    const copy = (await workspaces({ fromArchive: archive.id }, as)).body.workspace
    await workspaces({ id: workspace.id, fromArchive: archive.id }, as)
    for (const id of [copy.id, workspace.id]) {
      const answers = JSON.stringify(await answersIn(id, workspace))
      expect(answers).not.toContain(secret)
      const { record } = (await instance.call('GET', `/api/moderation?workspaceId=${id}&id=${ban.id}`, as))
        .body
      expect(record).toMatchObject({ status: 'revoked', reason: null, redactedAt: expect.any(String) })
    }
  })
})

describe('an archive that cannot be used', () => {
  /** Every way to use it is refused alike, and nothing is changed. */
  async function expectRefused(workspace: Workspace, fromArchive: string, outcome: string, words: string) {
    const before = await stored(instance)
    for (const id of [undefined, workspace.id]) {
      const { status, body } = await callsIn(instance, workspace).workspaces({
        fromArchive,
        ...(id && { id }),
      })
      expect(`${status} ${body.code}`).toBe(outcome)
      expect(body.error).toContain(words)
    }
    expect(await stored(instance)).toEqual(before)
  }

  test('because it is damaged is told so, to the operator too', async () => {
    const workspace = await filled()
    const { id } = await archived(workspace)
    await instance.db.write((tx) => tx.run(replaceParts, { id, bytes: Buffer.from('spoilt') }))
    const failures = instance.failures.length
    await expectRefused(workspace, id, '500 internal_error', 'damaged')
    expect(instance.failures).toHaveLength(failures + 2)
  })

  test('because another version of Reeve made it is told so', async () => {
    const workspace = await filled()
    const { id } = await archived(workspace)
    const bytes = Bun.zstdCompressSync(Buffer.from('["archive",{"format":"reeve-archive","version":2}]\n'))
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    await instance.db.write(async (tx) => {
      await tx.run(replaceParts, { id, bytes })
      await tx.run(replaceHash, { id, sha256 })
    })
    await expectRefused(workspace, id, '409 conflict', 'cannot read the format')
  })
})

test('whatever a workspace went through, its copy and its roll-back answer every read the same', async () => {
  const actions = [
    'note',
    'warn',
    'mute',
    'ban',
    'unban',
    'unmute',
    'edit',
    'comment',
    'revoke',
    'extend',
    'redact',
  ]
  const steps = fc.array(
    fc.record({
      action: fc.constantFrom(...actions),
      userId: fc.constantFrom('1', '2', '3'),
      pick: fc.nat(30),
      text: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      durationSeconds: fc.constantFrom('60', '3600', 'permanent'),
    }),
    { minLength: 10, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, steps, async (earlier, later) => {
      const workspace = await instance.workspace()
      const { workspaces } = callsIn(instance, workspace)
      const ids: string[] = []
      const walk = async (walked: typeof earlier) => {
        for (const { action, userId, pick, text, durationSeconds } of walked) {
          const restrains = action === 'mute' || action === 'ban'
          const lifts = action === 'unban' || action === 'unmute'
          const adds = restrains || action === 'note' || action === 'warn'
          const value = action === 'extend' ? '120' : text
          // Some of these are refused, by a rule or by the state: that is part of what a workspace goes through.
          const { body } = await instance.call('POST', '/api/moderation', {
            key: workspace.key,
            body: {
              workspaceId: workspace.id,
              action,
              ...(adds || lifts ? { userId } : { id: ids[pick % Math.max(1, ids.length)] ?? 'none' }),
              ...(adds || ['edit', 'revoke', 'redact'].includes(action) ? { reason: text } : {}),
              ...(restrains ? { durationSeconds } : {}),
              ...(action === 'comment' || action === 'extend' ? { value } : {}),
            },
          })
          if (adds && body.record) ids.push(body.record.id)
          instance.clock.advance(pick * 1000)
        }
      }
      await walk(earlier)
      const archive = await archived(workspace)
      const before = await answersIn(workspace.id, workspace)
      const as = { session: workspace.ownerSession }
      const copy = (await workspaces({ fromArchive: archive.id }, as)).body.workspace
      expect(await answersIn(copy.id, workspace)).toEqual(before)
      await workspaces({ id: workspace.id, archive: false })
      // What is redacted later is blank after the roll-back, and that is tested above.
      await walk(later.filter(({ action }) => action !== 'redact'))
      await archived(workspace)
      await workspaces({ id: workspace.id, fromArchive: archive.id })
      expect(await answersIn(workspace.id, workspace)).toEqual(await answersIn(copy.id, workspace))
      await expectWholeAudit()
    }),
    { numRuns: 8 },
  )
}, 60_000)
