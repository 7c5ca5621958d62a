import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ mfa: 'required' })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const outcome = ({ status, body }: TestResponse) => [status, body.reason]
const readMissing = async (session: string) =>
  (await instance.request('GET', '/portal/api/me', { session })).body.missingSecondFactor

describe('an instance that requires a second factor', () => {
  test('rejects sessions without one, except to add it and to manage the own account', async () => {
    const { id, ownerSession: session } = await instance.workspace()
    const operator = await instance.session(await instance.account(undefined, true))
    for (const [path, as] of [
      [`/api/departments?workspaceId=${id}`, session],
      [`/portal/api/members?workspaceId=${id}`, session],
      ['/admin/api/instance', operator],
    ] as const)
      expect([path, ...outcome(await instance.request('GET', path, { session: as }))]).toEqual([
        path,
        403,
        'second_factor_required',
      ])
    const create = await instance.request('POST', '/api/workspaces', { session, body: { groupName: 'More' } })
    expect(outcome(create)).toEqual([403, 'second_factor_required'])
    for (const path of ['/portal/api/me', '/portal/api/factors', '/portal/api/sessions'])
      expect([path, (await instance.request('GET', path, { session })).status]).toEqual([path, 200])
    expect(await readMissing(session)).toBe('add')
  })

  test('accepts the session in which it was added, and another one once it was verified there', async () => {
    const { id, ownerId, ownerSession: session } = await instance.workspace()
    const other = await instance.session(ownerId)
    const read = (as: string) =>
      instance.request('GET', `/portal/api/members?workspaceId=${id}`, { session: as })
    const app = await enrolAuthenticator(instance, session)
    expect((await read(session)).status).toBe(200)
    expect(await readMissing(session)).toBe('none')
    expect(outcome(await read(other))).toEqual([403, 'second_factor_required'])
    expect(await readMissing(other)).toBe('verify')
    const body = { code: app.showCode() }
    await instance.request('POST', '/portal/api/verification', { session: other, body })
    expect((await read(other)).status).toBe(200)
  })

  test('shows images of drafts only to sessions with one; those of published events are public', async () => {
    const { id, ownerSession: session, key } = await instance.workspace()
    const send = async (method: string, body: object) =>
      (await instance.request(method, `/api/events?workspaceId=${id}`, { key, body })).body.event
    const scheduledFor = new Date(instance.clock.now() + 3_600_000).toISOString()
    const [draft, published] = await Promise.all(
      [100, 101].map((size) =>
        send('POST', { title: 'Event', scheduledFor, imageDataUrl: dataUrl(createPng(size)) }),
      ),
    )
    await send('PATCH', { id: published.id, published: 'true' })
    const see = async (event: { imageUrl: string }) =>
      (await instance.request('GET', new URL(event.imageUrl).pathname, { session })).status
    expect([await see(draft), await see(published)]).toEqual([404, 200])
    await enrolAuthenticator(instance, session)
    expect([await see(draft), await see(published)]).toEqual([200, 200])
  })

  test('accepts API keys as before', async () => {
    const { id, key } = await instance.workspace()
    expect((await instance.request('GET', `/api/departments?workspaceId=${id}`, { key })).status).toBe(200)
  })
})
