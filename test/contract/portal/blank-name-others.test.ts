import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests } from '../moderation/import-fixture.ts'
import { type Fields, findChanged, NAME, openWorkspace } from './blank-name-fixture.ts'

setDefaultTimeout(60_000)

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('blanking the name of a deleted account leaves alone', () => {
  test('the persons of that name whom an API key has acted for, and those of an imported file', async () => {
    const { appeals, id, addMember, post } = await openWorkspace(instance)
    const { session, deleteAccount, blank } = await addMember()
    const forPlayer = async (body: Fields) => {
      const { status, body: response } = await instance.request('POST', '/api/moderation', {
        key: appeals.key,
        body: { workspaceId: id, actorUsername: NAME, ...body },
      })
      expect(status).toBe(200)
      return response.record
    }
    const { id: banId } = await forPlayer({ action: 'ban', userId: '7', reason: 'Spam' })
    await forPlayer({ action: 'comment', id: banId, value: 'Noted' })
    await forPlayer({ action: 'unban', userId: '7', reason: 'Mistake' })
    const { importText } = createImportRequests(() => instance)
    const csv = `userId,occurredAt,reason,sourceId,moderator\n8,2020-01-05,Old,a,${NAME}\n`
    const { result } = await importText('csv', 'old.csv', csv, {
      workspace: { id, ownerSession: session } as never,
    })
    expect(result).toMatchObject({ created: '1' })
    await post('/api/moderation', { action: 'warn', userId: '9', reason: 'Spam' }, session)
    await deleteAccount()
    expect(await findChanged(instance, id)).toEqual([])
    await blank()
    expect(await findChanged(instance, id)).toEqual([])
    const read = async (query: string) =>
      (await instance.request('GET', `/api/moderation?workspaceId=${id}&${query}`, { key: appeals.key })).body
    expect(await read(`id=${banId}`)).toMatchObject({
      record: {
        actorUsername: NAME,
        revokedByUsername: NAME,
        comments: [{ authorUsername: NAME }],
      },
    })
    expect((await read('userId=8')).records).toMatchObject([{ actorUsername: NAME }])
    expect((await read('userId=9')).records).toMatchObject([{ actorUsername: null }])
  })

  test('the entries of somebody who has the name now, and of a host who is a guest', async () => {
    const { appeals, id, addMember, post, get } = await openWorkspace(instance)
    const invite = () => post('/portal/api/invitations', { username: NAME })
    const { invitation } = await invite()
    const invited = `/portal/api/invitations?workspaceId=${id}&id=${invitation.id}`
    await instance.request('DELETE', invited, { session: appeals.ownerSession })
    const former = await addMember()
    const event = {
      title: 'Training',
      scheduledFor: new Date(instance.clock.now() + 3_600_000).toISOString(),
    }
    await post('/api/events', { ...event, trainingHost: NAME })
    await post('/api/events', { ...event, hostAccountId: former.accountId })
    const { event: later } = await post('/api/events', { ...event, trainingHost: NAME })
    const isHostedBy = { workspaceId: id, id: later.id, hostAccountId: former.accountId }
    await instance.request('PATCH', '/api/events', { session: appeals.ownerSession, body: isHostedBy })
    const moderate = (body: Fields, { session }: { session: string }) =>
      post('/api/moderation', body, session)
    const { record } = await moderate({ action: 'ban', userId: '7', reason: 'Spam' }, former)
    await moderate({ action: 'comment', id: record.id, value: 'First' }, former)
    await former.deleteAccount()
    instance.clock.advance(1000)
    await invite()
    const present = await addMember()
    await moderate({ action: 'comment', id: record.id, value: 'Second' }, present)
    await moderate({ action: 'unban', userId: '7', reason: 'Mistake' }, present)
    await post('/portal/api/assignments', { recordId: record.id, accountId: present.accountId })
    expect(await findChanged(instance, id)).toEqual([])
    await former.blank()
    expect(await findChanged(instance, id)).toEqual([])
    const read = await get('/api/moderation', `${id}&id=${record.id}`)
    const authors = (comments: Fields[]) => comments.map(({ authorUsername }) => authorUsername)
    expect(read.record).toMatchObject({ actorUsername: null, revokedByUsername: NAME })
    expect(authors(read.record.comments)).toEqual(['', NAME])
    expect(authors(read.versions.at(-1).comments)).toEqual(['', NAME])
    const { events } = await get('/api/events')
    expect(events.map(({ trainingHost }: Fields) => trainingHost).sort()).toEqual([NAME, null, null])
    const { entries } = await get('/portal/api/audit')
    const logged = (targetKind: string) =>
      entries.filter((entry: Fields) => entry.targetKind === targetKind).map(({ changes }: Fields) => changes)
    expect(logged('record')[0]).toMatchObject({ after: { revokedByUsername: NAME } })
    expect(logged('assignment')).toMatchObject([{ after: { username: NAME } }])
    expect(logged('invitation')).toMatchObject([
      { after: { username: NAME } },
      { before: { username: null } },
      { after: { username: null } },
    ])
  })
})
