import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { createRandomPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import {
  archiveWorkspace,
  createFilledWorkspace,
  createWorkspaceRequests,
  expectIntactAuditChain,
  listKeyIds,
  type Workspace,
} from './fixture.ts'
import { readEverything } from './read-everything.ts'
import { damageArchive, replaceArchive } from './replace-archive.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const dropMedia = statement()((sql) => sql.deleteFrom('media'))

describe('a new workspace from an archive', () => {
  test('returns the same response to every read as the workspace when it was archived', async () => {
    const workspace = await createFilledWorkspace(instance)
    const before = await readEverything(instance, workspace.id, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    const credentials = { session: workspace.ownerSession }
    const { body, text } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      credentials,
    )
    expect(body.workspace, text).toMatchObject({
      groupName: 'Harbour staff',
      ownerId: workspace.ownerId,
      status: 'active',
      version: '1',
    })
    expect(body.workspace.id).not.toBe(workspace.id)
    expect(await readEverything(instance, body.workspace.id, workspace)).toEqual(before)
    expect(Object.keys(before).length).toBeGreaterThan(40)
    await expectIntactAuditChain(instance)
  })

  test('has large images byte for byte, whatever their length, also if they have been deleted since', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { setEndpointControl, writeEvent, workspaces } = createWorkspaceRequests(instance, workspace)
    await setEndpointControl('events', 'on')
    // Base64 encodes three bytes at a time, and the larger ones are read in pieces. Random bytes contain every byte that separates lines.
    for (const size of [60_000, 200_002, 300_002]) {
      const imageDataUrl = dataUrl(createRandomPng(size))
      await writeEvent({ title: `Large ${size}`, scheduledFor: '2040-01-01T18:00:00.000Z', imageDataUrl })
    }
    const readImages = async () => (await readStoredRows(instance)).media
    const before = await readImages()
    const archive = await archiveWorkspace(instance, workspace)
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    await workspaces({ fromArchive: archive.id }, { session: workspace.ownerSession })
    const restored = await readImages()
    expect(restored).toHaveLength(5)
    for (const row of restored ?? []) expect(before).toContainEqual(row)
  }, 60_000)

  test('is counted in the archive', async () => {
    const { counts } = await archiveWorkspace(instance, await createFilledWorkspace(instance))
    expect(counts).toEqual({
      members: '3',
      roles: '4',
      departments: '3',
      records: '10',
      recordVersions: expect.stringMatching(/^[1-9]\d*$/),
      evidenceFiles: '0',
      events: '5',
      media: '2',
    })
  })

  test('is independent: changes in one do not affect the other', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const before = await readEverything(instance, workspace.id, workspace)
    const { body } = await createWorkspaceRequests(instance, workspace).workspaces({
      fromArchive: archive.id,
    })
    const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
    const { moderate, writeDepartment } = createWorkspaceRequests(instance, copy)
    const { records } = (
      await instance.request('GET', `/api/moderation?workspaceId=${copy.id}`, { key: copy.key })
    ).body
    await moderate({ action: 'comment', id: records[0].id, value: 'Only here' })
    await moderate({ action: 'unban', userId: '6' })
    await writeDepartment({ name: 'Only here' })
    expect(await readEverything(instance, workspace.id, workspace)).toEqual(before)
  })

  test('continues the case numbers and the change counter of the archive', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const { body } = await createWorkspaceRequests(instance, workspace).workspaces({
      fromArchive: archive.id,
      groupName: 'Next',
    })
    expect(body.workspace.groupName).toBe('Next')
    const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
    const { records } = (
      await instance.request('GET', `/api/moderation?workspaceId=${copy.id}`, { key: copy.key })
    ).body
    const record = (await createWorkspaceRequests(instance, copy).moderate({
      action: 'ban',
      userId: '77',
      reason: 'Next',
    })) as unknown as { caseNumber: string; sequence: string }
    const highest = (field: string) =>
      Math.max(...records.map((entry: Record<string, string>) => Number(entry[field])))
    expect(Number(record.caseNumber)).toBe(highest('caseNumber') + 1)
    expect(Number(record.sequence)).toBeGreaterThan(highest('sequence'))
    await expectIntactAuditChain(instance)
  })

  test('has no API keys', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const { body } = await createWorkspaceRequests(instance, workspace).workspaces({
      fromArchive: archive.id,
    })
    expect(await instance.db.read.all(listKeyIds, { workspaceId: body.workspace.id })).toEqual([])
    const response = await instance.request(
      'GET',
      `/api/departments?workspaceId=${body.workspace.id}`,
      workspace,
    )
    expect(response.body.reason).toBe('wrong_workspace')
  })

  test('belongs to the account that restores it; the former owner keeps only the permissions of their roles', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const admin = await instance.member(workspace.id, permissions, 50)
    const { body, text } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      admin,
    )
    expect(body.workspace, text).toMatchObject({ ownerId: admin.accountId, createdBy: admin.accountId })
    const search = `workspaceId=${body.workspace.id}&limit=200`
    const { members } = (await instance.request('GET', `/portal/api/members?${search}`, admin)).body
    expect(
      members
        .filter((entry: { isOwner: string }) => entry.isOwner === 'true')
        .map((entry: { accountId: string }) => entry.accountId),
    ).toEqual([admin.accountId])
    const old = members.find((entry: { accountId: string }) => entry.accountId === workspace.ownerId)
    expect(old.roles).toEqual([])
    const rejectedResponse = await instance.request(
      'GET',
      `/api/departments?workspaceId=${body.workspace.id}`,
      {
        session: workspace.ownerSession,
      },
    )
    expect(rejectedResponse.body.reason).toBe('missing_permission')
  })

  test('created with a key belongs to the owner of its workspace', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const key = await instance.key(workspace.id, ['workspace.restore', 'workspace.create'])
    const { body, text } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      { key },
    )
    expect(body.workspace?.ownerId, text).toBe(workspace.ownerId)
  })

  test('can be created repeatedly from the same archive, also when the workspace is active again', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const ids = new Set<string>()
    for (let round = 0; round < 3; round++) {
      ids.add((await workspaces({ fromArchive: archive.id, action: 'restore' })).body.workspace.id)
    }
    expect(ids.size).toBe(3)
  })
})

describe('a redaction is permanent', () => {
  test('no restore brings back texts redacted after the archive was created', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { moderate, workspaces } = createWorkspaceRequests(instance, workspace)
    const secret = 'Lives at 12 Harbour Road'
    const ban = await moderate({ action: 'ban', userId: '90', reason: secret, evidence: secret })
    await moderate({ action: 'comment', id: ban.id, value: secret })
    await moderate({ action: 'edit', id: ban.id, reason: `${secret}!` })
    await moderate({ action: 'unban', userId: '90', reason: secret })
    const archive = await archiveWorkspace(instance, workspace)
    expect(JSON.stringify(await readEverything(instance, workspace.id, workspace))).toContain(secret)
    await workspaces({ id: workspace.id, archive: false })
    await moderate({ action: 'redact', id: ban.id, reason: 'Asked for' })
    await archiveWorkspace(instance, workspace)
    const credentials = { session: workspace.ownerSession }
    const copy = (await workspaces({ fromArchive: archive.id }, credentials)).body.workspace
    await workspaces({ id: workspace.id, fromArchive: archive.id }, credentials)
    for (const id of [copy.id, workspace.id]) {
      const responsesText = JSON.stringify(await readEverything(instance, id, workspace))
      expect(responsesText).not.toContain(secret)
      const { record } = (
        await instance.request('GET', `/api/moderation?workspaceId=${id}&id=${ban.id}`, credentials)
      ).body
      expect(record).toMatchObject({ status: 'revoked', reason: null, redactedAt: expect.any(String) })
    }
  })

  test('also if the record was removed by a roll-back in between', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { moderate, workspaces } = createWorkspaceRequests(instance, workspace)
    const credentials = { session: workspace.ownerSession }
    const secret = 'Lives at 13 Harbour Road'
    const before = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const note = await moderate({ action: 'note', userId: '91', reason: secret })
    await moderate({ action: 'edit', id: note.id, reason: `${secret}!` })
    const withTexts = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    await moderate({ action: 'redact', id: note.id, reason: 'Asked for' })
    await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, fromArchive: before.id }, credentials)
    await archiveWorkspace(instance, workspace)
    const copy = (await workspaces({ fromArchive: withTexts.id }, credentials)).body.workspace
    await workspaces({ id: workspace.id, fromArchive: withTexts.id }, credentials)
    for (const id of [copy.id, workspace.id]) {
      const responsesText = JSON.stringify(await readEverything(instance, id, workspace))
      expect(responsesText).not.toContain(secret)
      expect(responsesText).toContain(note.id)
    }
  })
})

describe('an archive that cannot be used', () => {
  /** The job of every way to use the archive fails with the same error, and nothing else is changed. */
  async function expectFailure(workspace: Workspace, fromArchive: string, error: string) {
    const { workspace_job: _, ...before } = await readStoredRows(instance)
    for (const id of [undefined, workspace.id]) {
      const { status } = await createWorkspaceRequests(instance, workspace).workspaces({
        fromArchive,
        ...(id && { id }),
      })
      expect(status).toBe(200)
      const job = await readLastJob(instance, workspace)
      expect([job.kind, job.state]).toEqual([id ? 'roll_back' : 'copy', 'failed'])
      expect(job.error).toContain(error)
    }
    const { workspace_job: __, ...after } = await readStoredRows(instance)
    expect(after).toEqual(before)
  }

  test('because it is damaged fails with an error that is also logged', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { id } = await archiveWorkspace(instance, workspace)
    await damageArchive(instance, id)
    const failures = instance.unexpectedErrors.length
    await expectFailure(workspace, id, 'damaged')
    expect(instance.unexpectedErrors).toHaveLength(failures + 2)
  })

  test('because another version of Reeve created it fails with an error', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { id } = await archiveWorkspace(instance, workspace)
    await replaceArchive(instance, id, '["archive",{"format":"reeve-archive","version":2}]\n')
    await expectFailure(workspace, id, 'cannot read the format')
  })
})
