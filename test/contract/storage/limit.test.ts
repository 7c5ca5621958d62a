import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { setRecordBytes } from '../../support/workspace-states.ts'
import { countRows, createRequests, readCounters } from './fixture.ts'

const QUOTA = 5_000_000
/** The bytes beyond the quota that moderation may use. */
const RESERVE = 64_000_000

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ storageQuota: QUOTA })
})
afterAll(() => instance.close())

let size = 200
const newImage = () => ({ imageDataUrl: dataUrl(createPng(++size)) })
const outcome = ({ status, body }: TestResponse) => [status, body.code ?? 'ok'] as const
const REJECTED = [409, 'storage_quota_exceeded'] as const
const OK = [200, 'ok'] as const

/** A workspace with a ban and an archive whose storage is used up to the byte. */
async function createFullWorkspace(bytes = QUOTA) {
  const workspace = await instance.workspace()
  const requests = createRequests(instance, workspace)
  const record = (await requests.ban()).body.record as { id: string }
  const archiveId: string = (await requests.archive()).body.archive.id
  await requests.restore()
  const { archives } = await readCounters(instance, workspace.id)
  await setRecordBytes(instance, workspace.id, bytes - archives)
  return { ...workspace, ...requests, record, archiveId }
}

describe('once the storage of a workspace is used up', () => {
  test('every moderation action on players, and settings, are still accepted', async () => {
    const { id, moderate, ban, send, record, ownerSession, restore } = await createFullWorkspace()
    expect(outcome(await ban({ userId: '8', evidence: 'https://a.example/1' }))).toEqual(OK)
    for (const action of ['warn', 'kick', 'mute'])
      expect([action, ...outcome(await moderate({ action, userId: '9', reason: 'Spam' }))]).toEqual([
        action,
        ...OK,
      ])
    expect(outcome(await moderate({ action: 'edit', id: record.id, reason: 'Cheats' }))).toEqual(OK)
    expect(outcome(await moderate({ action: 'acknowledge', id: record.id }))).toEqual(OK)
    expect(outcome(await moderate({ action: 'unmute', userId: '9' }))).toEqual(OK)
    expect(outcome(await moderate({ action: 'unban', userId: '8' }))).toEqual(OK)
    expect(outcome(await moderate({ action: 'revoke', id: record.id, reason: 'Mistake' }))).toEqual(OK)
    expect(outcome(await moderate({ action: 'redact', id: record.id, reason: 'Privacy' }))).toEqual(OK)
    expect(outcome(await send('POST', 'departments', { name: 'Patrol' }))).toEqual(OK)
    expect(
      outcome(await send('POST', 'events', { title: 'A', scheduledFor: '2030-01-01T00:00:00Z' })),
    ).toEqual(OK)
    const renamed = await instance.request('PATCH', '/portal/api/workspace', {
      session: ownerSession,
      body: { workspaceId: id, groupName: 'Renamed' },
    })
    expect(outcome(renamed)).toEqual(OK)
    expect((await restore()).body.code).toBe('conflict')
  })

  test('images, archives, copies, imports, notes, comments and evidence are rejected, and nothing is stored', async () => {
    const { id, moderate, writeEvent, record, archive, archiveId, ownerId, restore } =
      await createFullWorkspace()
    const { imageUrl } = (await createRequests(instance, await instance.workspace()).writeEvent(newImage()))
      .body.event
    const before = await countRows(instance, id)
    const addition = { id: record.id, value: 'https://a.example/1' }
    const session = await instance.session(ownerId)
    const copy = { body: { fromArchive: archiveId, groupName: 'Copy' } }
    for (const response of [
      await moderate({ action: 'note', userId: '9', reason: 'Seen' }),
      await moderate({ action: 'comment', ...addition }),
      await moderate({ action: 'evidence', ...addition }),
      await writeEvent(newImage()),
      await writeEvent({ imageUrl }),
      await archive(),
      await restore({ id: undefined, fromArchive: archiveId }),
      await instance.request('POST', '/api/workspaces', { session, ...copy }),
    ])
      expect(outcome(response)).toEqual(REJECTED)
    expect(await countRows(instance, id)).toEqual(before)
  })

  test('the error says how much is used up, of how much, and who can change it', async () => {
    const { moderate } = await createFullWorkspace()
    const { body } = await moderate({ action: 'note', userId: '9', reason: 'Seen' })
    expect(body.error).toBe(
      'The workspace uses 5 MB of its 5 MB of storage, so images, archives, copies, imports, notes, comments and evidence are rejected; ' +
        'bans and other moderation actions are still accepted. Delete archives, or ask an operator of the instance for a higher storage quota.',
    )
  })

  test('reads, the ban check above all, work', async () => {
    const { id, key } = await createFullWorkspace(QUOTA + RESERVE)
    const { body } = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${id}&banList=true&userId=7`,
      { key },
    )
    expect(body.bans).toHaveLength(1)
  })

  test('other workspaces are not affected', async () => {
    await createFullWorkspace()
    const { moderate } = createRequests(instance, await instance.workspace())
    expect(outcome(await moderate({ action: 'note', userId: '9', reason: 'Seen' }))).toEqual(OK)
  })
})

test('the write that reaches the quota is the last one, however many are sent at once', async () => {
  const { id, moderate } = await createFullWorkspace()
  const note = (reason: string) => moderate({ action: 'note', userId: '9', reason })
  await setRecordBytes(instance, id, 0)
  const { records } = await readCounters(instance, id)
  await note('One of the same size')
  const perNote = (await readCounters(instance, id)).records - records
  const { archives } = await readCounters(instance, id)
  // Space for five notes less one byte.
  await setRecordBytes(instance, id, QUOTA - archives - 5 * perNote + 1)
  const responses = await Promise.all(Array.from({ length: 40 }, () => note('One of the same size')))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(responses.filter(({ body }) => body.code === REJECTED[1])).toHaveLength(35)
})

test('beyond the reserve, sanctions can only be ended', async () => {
  const { id, moderate, ban, record, send, ownerSession } = await createFullWorkspace(QUOTA + RESERVE - 1)
  expect(outcome(await ban({ userId: '8' }))).toEqual(OK)
  // The decision on these writes may use a count of some seconds ago; a change of the workspace ends that.
  await instance.request('PATCH', '/portal/api/workspace', {
    session: ownerSession,
    body: { workspaceId: id, groupName: 'Renamed' },
  })
  for (const response of [
    await ban({ userId: '9' }),
    await moderate({ action: 'edit', id: record.id, reason: 'Cheats' }),
    await send('POST', 'departments', { name: 'Patrol' }),
  ])
    expect(outcome(response)).toEqual(REJECTED)
  expect(outcome(await moderate({ action: 'unban', userId: '8' }))).toEqual(OK)
  expect(outcome(await moderate({ action: 'revoke', id: record.id, reason: 'Mistake' }))).toEqual(OK)
  expect(outcome(await moderate({ action: 'redact', id: record.id, reason: 'Privacy' }))).toEqual(OK)
})

test('a retry of a write that was accepted gets its response, and a rejected one is tried again', async () => {
  const { id, moderate } = await createFullWorkspace(QUOTA - 1)
  const note = (key: string) =>
    moderate({ action: 'note', userId: '9', reason: 'Seen' }, { headers: { 'idempotency-key': key } })
  const accepted = await note('first')
  expect(outcome(accepted)).toEqual(OK)
  expect(outcome(await note('second'))).toEqual(REJECTED)
  const replayed = await note('first')
  expect([replayed.status, replayed.text]).toEqual([200, accepted.text])
  await setRecordBytes(instance, id, 0)
  expect(outcome(await note('second'))).toEqual(OK)
})

test('a retry of the image that has used up the storage gets its response, and a new image is rejected', async () => {
  const { id, send } = await createFullWorkspace()
  await setRecordBytes(instance, id, 0)
  const { archives } = await readCounters(instance, id)
  await setRecordBytes(instance, id, QUOTA - archives - 1)
  const image = newImage()
  const write = (key: string) =>
    send(
      'POST',
      'events',
      { title: 'A', scheduledFor: '2030-01-01T00:00:00Z', ...image },
      { headers: { 'idempotency-key': key } },
    )
  const accepted = await write('first')
  expect(outcome(accepted)).toEqual(OK)
  expect((await write('first')).text).toBe(accepted.text)
  expect(outcome(await write('second'))).toEqual(REJECTED)
})
