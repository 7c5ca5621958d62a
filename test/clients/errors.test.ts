import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  ConflictError,
  ConnectionError,
  errorClasses,
  ForbiddenError,
  InvalidRequestError,
  InvalidResponseError,
  MissingWorkspaceIdError,
  NotFoundError,
  Reeve,
  ReeveError,
  UnauthorizedError,
  VersionMismatchError,
} from '@reeve/client'
import { errorCodes } from '@reeve/core'
import { type ReeveServer, startReeve } from './fixture.ts'

const UNKNOWN_ID = '0198c0de-dead-7000-8000-00000000dead'

let server: ReeveServer
let reeve: Reeve
beforeAll(async () => {
  server = await startReeve()
  reeve = new Reeve(server.options)
}, 60_000)
afterAll(() => server.stop())

/** The error of a request. */
const catchError = (request: Promise<unknown>): Promise<ReeveError> =>
  request.then(
    () => {
      throw new Error('the request succeeded')
    },
    (error) => error,
  )

/** `not_found` → `NotFoundError`. */
const toClassName = (code: string): string =>
  `${code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  )

test('every error code of the server has a class of its own, which is named after it', () => {
  expect(Object.keys(errorClasses).sort()).toEqual(Object.keys(errorCodes).sort())
  for (const [code, ErrorClass] of Object.entries(errorClasses)) {
    const error = new ErrorClass('x', code, 400)
    expect([code, error.name, error instanceof ReeveError]).toEqual([code, toClassName(code), true])
  }
  expect(new Set(Object.values(errorClasses)).size).toBe(Object.keys(errorCodes).length)
})

describe('an error of a real server', () => {
  test('has the class of its code, the status, the reason and the ID of the request', async () => {
    const error = await catchError(new Reeve({ ...server.options, key: 'rve_unknown' }).moderation.listBans())
    expect(error).toBeInstanceOf(UnauthorizedError)
    expect(error).toMatchObject({ code: 'unauthorized', status: 401, reason: 'invalid_key' })
    expect(error.requestId).toMatch(/^[\w-]{8,}$/)
    expect(error.message).toBe('Unknown API key; check that you copied all of it.')
  })

  test('names every invalid field', async () => {
    const error = await catchError(
      reeve.moderation.ban({ userId: 'not an ID', reason: 'x', durationSeconds: 'soon' }),
    )
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error.details.map(({ field }) => field).sort()).toEqual(['durationSeconds', 'userId'])
  })

  test('tells conflicts, changed versions, missing records, other workspaces and a missing workspace apart', async () => {
    const { workspaceId: _, ...options } = server.options
    const department = await reeve.departments.create({ name: 'Support' })
    await reeve.departments.update({ id: department.id, color: '#123456' })
    const stale = { ifMatch: department.version }
    for (const [request, ErrorClass] of [
      [() => reeve.moderation.unban({ userId: 1 }), ConflictError],
      [() => reeve.departments.update({ id: department.id, name: 'Help' }, stale), VersionMismatchError],
      [() => reeve.moderation.get({ id: UNKNOWN_ID }), NotFoundError],
      [() => reeve.moderation.listBans({ workspaceId: UNKNOWN_ID }), ForbiddenError],
      [() => new Reeve(options).moderation.listBans(), MissingWorkspaceIdError],
    ] as const)
      expect(await catchError(request())).toBeInstanceOf(ErrorClass)
  })
})

describe('a response that is not one of Reeve', () => {
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      url.includes('/moved/')
        ? Response.redirect('https://reeve.example.com/')
        : new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
  })
  afterAll(() => other.stop(true))

  test('is an error, and never an empty ban list', async () => {
    const error = await catchError(new Reeve({ ...server.options, url: other.url }).moderation.listBans())
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error.message).toBe(`The response of ${other.url.origin} is not one of Reeve (status 200).`)
  })

  test.each([
    ['JSON of another program', () => Response.json({ status: 'maintenance' })],
    ['a list', () => Response.json([])],
    ['a 204', () => new Response(null, { status: 204 })],
    ['a 304 that was not asked for', () => new Response(null, { status: 304 })],
  ])('is an error for reads, writes and checks, and never a success: %s', async (_, respond) => {
    const client = new Reeve({ ...server.options, fetch: async () => respond() })
    const { workspaceId } = server
    const message = `The response of ${server.url} is not one of Reeve (status ${respond().status}).`
    for (const request of [
      () => client.check([261]),
      () => client.moderation.findBan(261),
      () => client.moderation.ban({ userId: 1, reason: 'x' }),
      () => client.moderation.warn({ userId: 1, reason: 'x' }),
      () => client.departments.list(),
      () => client.departments.create({ name: 'Support' }),
      () => client.appeals.get({ code: 'x' }),
      () => client.changes.list({ since: '0', epoch: 'x' }),
      () => client.follow().ready,
      () => client.http.GET('/api/departments', { params: { query: { workspaceId } } }),
    ]) {
      const error = await catchError(request())
      expect(error).toBeInstanceOf(InvalidResponseError)
      expect(error.message).toBe(message)
    }
  })

  test('to a request with If-None-Match can be a 304', async () => {
    const client = new Reeve({ ...server.options, fetch: async () => new Response(null, { status: 304 }) })
    const { response } = await client.http.GET('/api/moderation', {
      params: { query: { workspaceId: server.workspaceId } },
      headers: { 'if-none-match': '"1"' },
    })
    expect(response.status).toBe(304)
  })

  test('is an error that names the URL of a redirect, which is not followed', async () => {
    const client = new Reeve({ ...server.options, url: `${other.url}moved` })
    const error = await catchError(client.moderation.ban({ userId: 1, reason: 'x' }))
    expect(error.message).toBe(
      `${other.url.origin} redirects to https://reeve.example.com/: set \`url\` to the URL of the instance itself.`,
    )
  })

  test('is a connection error if there is none', async () => {
    const client = new Reeve({ ...server.options, url: 'http://127.0.0.1:1', retries: 0 })
    const error = await catchError(client.moderation.listBans())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      status: 0,
      code: 'connection_failed',
      message: 'Cannot reach http://127.0.0.1:1.',
    })
  })
})

test('invalid options and numbers that have lost digits are rejected before a request is sent', async () => {
  for (const [changed, message] of [
    [{ url: 'reeve.example.com' }, 'url: must be the URL of an instance, such as https://reeve.example.com.'],
    [{ url: 'https://reeve.example.com/api' }, 'url: must be the URL of the instance, without /api.'],
    [
      { url: 'https://me:secret@reeve.example.com' },
      'url: must not contain credentials, a query or a fragment.',
    ],
    [{ key: '' }, 'key: must be an API key, such as rve_…, without spaces.'],
  ] as const)
    expect(() => new Reeve({ ...server.options, ...changed })).toThrow(new TypeError(message))
  await expect(reeve.moderation.ban({ userId: 2 ** 60, reason: 'x' })).rejects.toThrow(
    'userId: 1152921504606847000 is too large for a number and has lost digits; pass a string or a bigint.',
  )
})

const LINK = { userId: 1, confidence: 'low', reason: 'x' } as const

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  [1.5, '1.5'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [' ', 'an empty text'],
])(
  'what is no ID of a player, such as %p, is rejected instead of finding or banning somebody else',
  async (value, found) => {
    await reeve.moderation.ban({ userId: 261, reason: 'Exploiting' })
    const userId = value as number
    const follower = reeve.follow()
    await follower.ready
    const { moderation, links, batches } = reeve
    const calls: [string, () => unknown][] = [
      ['userId', () => moderation.findBan(userId)],
      ['userId', () => moderation.ban({ userId, reason: 'x' })],
      ['userId', () => moderation.unban({ userId })],
      ['linkedUserId', () => links.create({ ...LINK, linkedUserId: userId })],
      ['userIds', () => reeve.check([261, userId])],
      ['userIds', () => batches.start({ action: 'note', userIds: [261, userId], reason: 'x' })],
      ['userId', () => follower.isBanned(userId)],
      ['userId', () => follower.find('mute', userId)],
    ]
    for (const [name, call] of calls)
      await expect((async () => call())()).rejects.toThrow(
        new TypeError(`${name}: must be the ID of a player, not ${found}.`),
      )
    follower.stop()
  },
)

test('a list is rejected where one player is asked about, although one of its players is banned', async () => {
  await reeve.moderation.ban({ userId: 261, reason: 'Exploiting' })
  await expect(reeve.moderation.findBan('1,261')).rejects.toThrow(
    new TypeError('userId: must be the ID of one player, not 1,261.'),
  )
})
