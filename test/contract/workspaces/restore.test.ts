import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { callsIn, everyAnswer, expectWholeAudit, filled, keysOf, sealed, type Workspace } from './world.ts'

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

describe('a new workspace from an archive', () => {
  test('answers every read as the workspace did when it was archived', async () => {
    const workspace = await filled(instance)
    const before = await everyAnswer(instance, workspace.id, workspace)
    const archive = await sealed(instance, workspace)
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
    expect(await everyAnswer(instance, body.workspace.id, workspace)).toEqual(before)
    expect(Object.keys(before).length).toBeGreaterThan(40)
    await expectWholeAudit(instance)
  })

  test('tells in the archive how much of what it holds', async () => {
    const { counts } = await sealed(instance, await filled(instance))
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
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
    const before = await everyAnswer(instance, workspace.id, workspace)
    const { body } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id })
    const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
    const { moderate, department } = callsIn(instance, copy)
    const { records } = (
      await instance.call('GET', `/api/moderation?workspaceId=${copy.id}`, { key: copy.key })
    ).body
    await moderate({ action: 'comment', id: records[0].id, value: 'Only here' })
    await moderate({ action: 'unban', userId: '6' })
    await department({ name: 'Only here' })
    expect(await everyAnswer(instance, workspace.id, workspace)).toEqual(before)
  })

  test('goes on counting cases and changes where the archive left off', async () => {
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
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
    await expectWholeAudit(instance)
  })

  test('has no API key: none survives into a copy', async () => {
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
    const { body } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id })
    expect(await instance.db.read.all(keysOf, { workspaceId: body.workspace.id })).toEqual([])
    const answer = await instance.call('GET', `/api/departments?workspaceId=${body.workspace.id}`, workspace)
    expect(answer.body.reason).toBe('wrong_workspace')
  })

  test('belongs to the account that restores it; the owner of before keeps no authority they did not have by a role', async () => {
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
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
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
    const key = await instance.key(workspace.id, ['workspace.restore', 'workspace.create'])
    const { body, text } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, { key })
    expect(body.workspace?.ownerId, text).toBe(workspace.ownerId)
  })

  test('can be made again and again of the same archive, also when the workspace is in use again', async () => {
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
    const { workspaces } = callsIn(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const ids = new Set<string>()
    for (let round = 0; round < 3; round++) {
      ids.add((await workspaces({ fromArchive: archive.id, action: 'restore' })).body.workspace.id)
    }
    expect(ids.size).toBe(3)
  })
})

describe('a redaction is for good', () => {
  test('no restore brings back what was redacted after the archive was sealed', async () => {
    const workspace = await filled(instance)
    const { moderate, workspaces } = callsIn(instance, workspace)
    const secret = 'Lives at 12 Harbour Road'
    const ban = await moderate({ action: 'ban', userId: '90', reason: secret, evidence: secret })
    await moderate({ action: 'comment', id: ban.id, value: secret })
    await moderate({ action: 'edit', id: ban.id, reason: `${secret}!` })
    await moderate({ action: 'unban', userId: '90', reason: secret })
    const archive = await sealed(instance, workspace)
    expect(JSON.stringify(await everyAnswer(instance, workspace.id, workspace))).toContain(secret)
    await workspaces({ id: workspace.id, archive: false })
    await moderate({ action: 'redact', id: ban.id, reason: 'Asked for' })
    await sealed(instance, workspace)
    const as = { session: workspace.ownerSession }
    const copy = (await workspaces({ fromArchive: archive.id }, as)).body.workspace
    await workspaces({ id: workspace.id, fromArchive: archive.id }, as)
    for (const id of [copy.id, workspace.id]) {
      const answers = JSON.stringify(await everyAnswer(instance, id, workspace))
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
    const workspace = await filled(instance)
    const { id } = await sealed(instance, workspace)
    await instance.db.write((tx) => tx.run(replaceParts, { id, bytes: Buffer.from('spoilt') }))
    const failures = instance.failures.length
    await expectRefused(workspace, id, '500 internal_error', 'damaged')
    expect(instance.failures).toHaveLength(failures + 2)
  })

  test('because another version of Reeve made it is told so', async () => {
    const workspace = await filled(instance)
    const { id } = await sealed(instance, workspace)
    const bytes = Bun.zstdCompressSync(Buffer.from('["archive",{"format":"reeve-archive","version":2}]\n'))
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    await instance.db.write(async (tx) => {
      await tx.run(replaceParts, { id, bytes })
      await tx.run(replaceHash, { id, sha256 })
    })
    await expectRefused(workspace, id, '409 conflict', 'cannot read the format')
  })
})
