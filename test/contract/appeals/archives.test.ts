import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const workspaces = async (session: string, body: object) => {
  const response = await instance.request('POST', '/api/workspaces', { session, body })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** A workspace with an open appeal, and an archive from after it. */
async function openArchived() {
  const desk = await openAppeals(instance)
  await desk.configure({ questions: ['Why?'], cooldownDays: 7 })
  const record = await desk.ban()
  const { body } = await desk.submit(record.appealCode, { answers: ['Because'] })
  await desk.staff('message', desk.judge.session, { id: body.appeal.id, text: 'Internal' })
  const { archive } = await workspaces(desk.ownerSession, { id: desk.workspaceId, action: 'archive' })
  await workspaces(desk.ownerSession, { id: desk.workspaceId, action: 'restore' })
  return { ...desk, record, appealId: body.appeal.id as string, archiveId: archive.id as string }
}

test('a copy of a workspace has its appeals and settings, and codes of its own', async () => {
  const { archiveId, appealId, ownerSession, read, record, show } = await openArchived()
  const { workspace } = await workspaces(ownerSession, { fromArchive: archiveId, groupName: 'Copy' })
  const get = async (path: string, query = '') =>
    (await instance.request('GET', `${path}?workspaceId=${workspace.id}${query}`, { session: ownerSession }))
      .body
  const copied = await get('/portal/api/appeals/appeal', `&id=${appealId}`)
  const original = await show(appealId, ownerSession)
  expect(copied.messages.map(({ text }: { text: string }) => text)).toEqual([
    'It was my brother.',
    'Internal',
  ])
  expect(copied.answers).toEqual(original.answers)
  expect((await get('/portal/api/appeals/settings')).settings).toMatchObject({ cooldownDays: '7' })
  const ban = (await get('/api/moderation', `&id=${record.id}`)).record
  expect(ban.appealCode).toMatch(/^\w{5}-\w{5}$/)
  expect(ban.appealCode).not.toBe(record.appealCode)
  expect((await read(record.appealCode)).body.ban.appealCode).toBe(record.appealCode)
  const key = await instance.key(workspace.id, ['appeals.submit'])
  const path = `/api/appeals?workspaceId=${workspace.id}&code=${ban.appealCode}`
  expect((await instance.request('GET', path, { key })).body.appeal.state).toBe('submitted')
})

test('a roll-back keeps the appeals of bans that stay, and deletes those of bans that it deletes', async () => {
  const {
    archiveId,
    appealId,
    ban,
    configure,
    judge,
    list,
    ownerSession,
    read,
    record,
    staff,
    submit,
    workspaceId,
  } = await openArchived()
  await configure({ cooldownDays: 1 })
  await staff('decide', judge.session, { id: appealId, decision: 'accepted' })
  const later = await ban({ userId: '8' })
  await submit(later.appealCode, { answers: ['x'] })
  await workspaces(ownerSession, { id: workspaceId, action: 'archive' })
  await workspaces(ownerSession, { id: workspaceId, fromArchive: archiveId })
  const restored = (await read(record.appealCode)).body
  expect([restored.ban.status, restored.appeal.state]).toEqual(['active', 'accepted'])
  expect((await read(later.appealCode)).status).toBe(404)
  expect(await list('&state=all', ownerSession)).toMatchObject([{ id: appealId }])
  const settings = `/portal/api/appeals/settings?workspaceId=${workspaceId}`
  expect(
    (await instance.request('GET', settings, { session: ownerSession })).body.settings.cooldownDays,
  ).toBe('7')
})
