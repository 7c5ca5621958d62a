import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { endSessionById } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

let instance: Instance
let operator: { id: string; session: string }
let robin: { id: string; session: string }
beforeEach(async () => {
  instance = await openInstance()
  const operatorId = await instance.account('sam', true)
  operator = { id: operatorId, session: await instance.session(operatorId) }
  const robinId = await instance.account('robin')
  robin = { id: robinId, session: await instance.session(robinId) }
})
afterEach(() => instance.close())

const readLog = async (query = '', session = operator.session) =>
  instance.request('GET', `/admin/api/audit${query}`, { session })

const readActivity = async (session: string, query = '') =>
  (await instance.request('GET', `/portal/api/security-activity${query}`, { session })).body

const signIn = (username: string, from: string, cookie?: string) =>
  instance.request('POST', '/portal/api/sign-in', {
    body: { username, password: PASSWORD },
    from,
    headers: { 'sec-fetch-site': 'same-origin', ...(cookie !== undefined && { cookie }) },
  })

interface Entry {
  readonly action: string
  readonly targetId: string
  readonly actorName: string
  readonly byYou: string
  readonly address: string | null
  readonly changes: { readonly after: { readonly isNewDevice?: boolean } } | null
}

describe('the audit log of the instance', () => {
  test('shows operators who changed accounts, newest first, and only to them', async () => {
    await instance.request('PATCH', '/admin/api/accounts', {
      session: operator.session,
      body: { id: robin.id, disabled: 'true' },
    })
    const { status, body } = await readLog()
    expect(status).toBe(200)
    expect(body.entries[0]).toMatchObject({
      action: 'accounts.disable',
      actorName: 'sam',
      targetKind: 'account',
      targetId: robin.id,
      targetName: 'robin',
      changes: { before: { username: 'robin', disabled: false } },
    })
    const other = await instance.account('alex')
    expect((await readLog('', await instance.session(other))).status).toBe(403)
    expect((await instance.request('GET', '/admin/api/audit')).status).toBe(401)
  })

  test('can be filtered like that of a workspace, and downloaded', async () => {
    await signIn('robin', '192.0.2.7')
    await signIn('sam', '192.0.2.8')
    const { entries } = (await readLog(`?action=accounts.sign_in&targetId=${robin.id}`)).body
    expect(entries).toMatchObject([{ action: 'accounts.sign_in', actorId: robin.id, address: '192.0.2.7' }])
    const byActor = (await readLog(`?actorId=${operator.id}`)).body.entries as Entry[]
    expect(new Set(byActor.map(({ actorName }) => actorName))).toEqual(new Set(['sam']))
    const from = new Date(instance.clock.now() + 1000).toISOString()
    expect((await readLog(`?from=${from}`)).body.entries).toEqual([])
    expect((await readLog('?workspaceId=x')).status).toBe(400)
    const csv = await instance.request('GET', '/admin/api/audit.csv?action=accounts.sign_in', {
      session: operator.session,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(csv.headers.get('content-type')).toStartWith('text/csv')
    expect(csv.text.trimEnd().split('\n')).toHaveLength(3)
  })

  test('is read page by page', async () => {
    const first = (await readLog('?limit=1')).body
    const second = (await readLog(`?limit=1&cursor=${first.nextCursor}`)).body
    expect(first.entries).toHaveLength(1)
    expect(Number(second.entries[0].sequence)).toBe(Number(first.entries[0].sequence) - 1)
  })
})

describe('security activity', () => {
  test('shows an account what it did and what was done to it, and nothing about others', async () => {
    await signIn('robin', '192.0.2.7')
    await signIn('sam', '192.0.2.8')
    await instance.request('PATCH', '/admin/api/accounts', {
      session: operator.session,
      body: { id: robin.id, isOperator: 'true' },
      from: '192.0.2.8',
    })
    const { entries } = (await readActivity(robin.session)) as { entries: Entry[] }
    expect(
      entries.map(({ action, actorName, byYou, address }) => ({ action, actorName, byYou, address })),
    ).toEqual([
      // The address of an operator is not for others.
      { action: 'accounts.make_operator', actorName: 'sam', byYou: 'false', address: null },
      { action: 'accounts.sign_in', actorName: 'robin', byYou: 'true', address: '192.0.2.7' },
      { action: 'accounts.create', actorName: 'test', byYou: 'false', address: null },
    ])
    const others = (await readActivity(operator.session)) as { entries: Entry[] }
    expect(others.entries.map(({ action }) => action)).toEqual([
      'accounts.make_operator',
      'accounts.sign_in',
      'accounts.create',
    ])
  })

  test('contains failed sign-ins, password links, new passwords and resets of second factors, with who did them', async () => {
    await enrolAuthenticator(instance, robin.session)
    await instance.request('POST', '/portal/api/sign-in', {
      body: { username: 'robin', password: 'not the password' },
      from: '192.0.2.9',
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    const asOperator = (path: string) =>
      instance.request('POST', path, { session: operator.session, body: { id: robin.id }, from: '192.0.2.8' })
    const { link } = (await asOperator('/admin/api/accounts/link')).body
    expect((await asOperator('/admin/api/accounts/factors/reset')).status).toBe(200)
    const { status } = await instance.request('POST', '/portal/api/password-link/password', {
      body: { token: link.token, password: 'chosen with the link' },
      from: '192.0.2.7',
    })
    expect(status).toBe(200)
    const { entries } = (await readActivity(await instance.session(robin.id))) as { entries: Entry[] }
    const shown = entries.map(({ action, actorName, byYou, address }) => [action, actorName, byYou, address])
    expect(shown).toEqual(
      expect.arrayContaining([
        ['accounts.sign_in_failed', 'nobody', 'false', '192.0.2.9'],
        ['accounts.create_password_link', 'sam', 'false', null],
        ['accounts.reset_factors', 'sam', 'false', null],
        ['accounts.set_password', 'robin', 'true', '192.0.2.7'],
      ]),
    )
  })

  test('contains a session that somebody else has ended, and the log says whose it was', async () => {
    const actor = { ...anonymousActor, kind: 'system', id: 'cli', name: 'command line' } as const
    const { sessions } = (await instance.request('GET', '/portal/api/sessions', { session: robin.session }))
      .body
    await instance.db.write((tx) => endSessionById(tx, instance.ports, actor, sessions[0].id, robin.id))
    const ended = { action: 'accounts.end_session', actorName: 'command line', byYou: 'false' }
    const { entries } = await readActivity(await instance.session(robin.id))
    expect(entries[0]).toMatchObject(ended)
    expect((await readLog()).body.entries[0]).toMatchObject({
      targetName: 'robin',
      changes: { before: { sessionId: sessions[0].id } },
    })
  })

  test('says which sign-ins came from a browser in which the account had not signed in', async () => {
    const first = await signIn('robin', '192.0.2.7')
    const device = /reeve_device=[^;]+/.exec(first.headers.getSetCookie().join())?.[0] ?? ''
    await signIn('robin', '192.0.2.7', device)
    await signIn('robin', '192.0.2.10')
    // A browser of somebody else is a new one for this account.
    const others = /reeve_device=[^;]+/.exec((await signIn('sam', '192.0.2.8')).headers.getSetCookie().join())
    await signIn('robin', '192.0.2.8', others?.[0])
    const { entries } = (await readActivity(robin.session)) as { entries: Entry[] }
    const signIns = entries.filter(({ action }) => action === 'accounts.sign_in')
    expect(signIns.map(({ changes, address }) => [address, changes?.after.isNewDevice])).toEqual([
      ['192.0.2.8', true],
      ['192.0.2.10', true],
      ['192.0.2.7', false],
      ['192.0.2.7', true],
    ])
  })

  test('contains sessions that the account ended', async () => {
    const { sessions } = (await instance.request('GET', '/portal/api/sessions', { session: robin.session }))
      .body
    await instance.request('DELETE', `/portal/api/sessions?id=${sessions[0].id}`, {
      session: await instance.session(robin.id),
    })
    const { entries } = await readActivity(await instance.session(robin.id))
    expect(entries[0]).toMatchObject({ action: 'accounts.end_session', targetKind: 'session', byYou: 'true' })
  })

  test('is read page by page, with a session only', async () => {
    for (let count = 0; count < 3; count++) await signIn('robin', '192.0.2.7')
    const first = await readActivity(robin.session, '?limit=2')
    expect(first.entries).toHaveLength(2)
    const second = await readActivity(robin.session, `?limit=2&cursor=${first.nextCursor}`)
    expect(second.entries.map(({ action }: Entry) => action)).toEqual(['accounts.sign_in', 'accounts.create'])
    expect((await instance.request('GET', '/portal/api/security-activity')).status).toBe(401)
  })
})
