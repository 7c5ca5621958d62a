import { describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'
import { wholeInterface } from '../support/steps.ts'
import { stored } from '../support/stored.ts'
import { type Seen, type Walker, walk } from '../support/walk.ts'

type Workspace = Awaited<ReturnType<Instance['workspace']>>

/** Who walks: their credential, and the table that holds the name which answers show for them. */
const credentials = {
  'an API key': { of: (workspace: Workspace) => ({ key: workspace.key }), table: 'api_key', name: 'name' },
  'a session': {
    of: (workspace: Workspace) => ({ session: workspace.ownerSession }),
    table: 'account',
    name: 'username',
  },
} as const

/** Walks the whole interface in a fresh instance. */
async function walkedBy(credential: keyof typeof credentials, prefix: string): Promise<Seen[]> {
  const instance = await openInstance()
  const workspace = await instance.workspace('Night shift')
  const role = await instance.role(workspace.id, permissions)
  const { of, table, name } = credentials[credential]
  const actorName = JSON.parse((await stored(instance))[table]?.[0] ?? '{}')[name]
  const walker: Walker = ({ method, path, body, headers }) =>
    instance.call(method, `${prefix}${path}`, { ...of(workspace), headers, ...(body ? { body } : {}) })
  const seen = await walk(wholeInterface, walker, { workspace: workspace.id, role, actorName })
  expect(instance.failures).toEqual([])
  await instance.close()
  return seen
}

describe('the same walk over the whole interface', async () => {
  const first = await walkedBy('an API key', '/api')
  for (const credential of Object.keys(credentials) as (keyof typeof credentials)[]) {
    for (const prefix of ['/api', LEGACY_PREFIX]) {
      test(`is answered alike to ${credential} under ${prefix}`, async () => {
        expect(await walkedBy(credential, prefix)).toEqual(first)
      })
    }
  }
})

describe('the walk', () => {
  const worked = wholeInterface.filter(({ status = 200 }) => status === 200)

  test('comes by every operation of the document, and each works', async () => {
    const instance = await openInstance()
    const { body } = await instance.call('GET', '/openapi.json')
    await instance.close()
    const operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const met = new Set(worked.map(({ method, path }) => `${method} /api${path.split('?')[0]}`))
    expect(operations.filter((operation) => !met.has(operation))).toEqual([])
  })

  test('takes every action of every endpoint', () => {
    const taken = (endpoint: string) =>
      new Set(worked.filter(({ path }) => path === `/${endpoint}`).map(({ body }) => body?.action))
    const missing = (endpoint: string, actions: readonly string[]) =>
      actions.filter((action) => !taken(endpoint).has(action))
    const moderation = [
      ...['note', 'warn', 'kick', 'mute', 'ban', 'unmute', 'unban', 'edit', 'extend', 'comment', 'evidence'],
      ...['acknowledge', 'revoke', 'redact', 'warning', 'temp_ban', 'perm_ban', 'pardon'],
    ]
    expect(missing('moderation', moderation)).toEqual([])
    expect(missing('departments', ['delete', 'restore'])).toEqual([])
    expect(missing('workspaces', ['archive'])).toEqual([])
  })
})
