import { describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { publicApiSteps } from '../support/api-requests.ts'
import { allowAppealFiles } from '../support/appeal-files.ts'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'
import { type Exchange, type RequestSender, runRequestSequence } from '../support/request-sequence.ts'
import { readStoredRows } from '../support/stored-rows.ts'

type Workspace = Awaited<ReturnType<Instance['workspace']>>

/** A caller: the credential, and the table with the name that responses show for it. */
const credentials = {
  'an API key': {
    toCredentials: (workspace: Workspace) => ({ key: workspace.key }),
    table: 'api_key',
    name: 'name',
  },
  'a session': {
    toCredentials: (workspace: Workspace) => ({ session: workspace.ownerSession }),
    table: 'account',
    name: 'username',
  },
} as const

/** Sends the request sequence to a new instance. */
async function runSequenceAs(credential: keyof typeof credentials, prefix: string): Promise<Exchange[]> {
  const instance = await openInstance()
  const workspace = await instance.workspace('Night shift')
  const role = await instance.role(workspace.id, permissions)
  await allowAppealFiles(instance, workspace)
  const { toCredentials, table, name } = credentials[credential]
  const actorName = JSON.parse((await readStoredRows(instance))[table]?.[0] ?? '{}')[name]
  const send: RequestSender = ({ method, path, body, headers }) =>
    instance.request(method, `${prefix}${path}`, {
      ...toCredentials(workspace),
      headers,
      ...(body ? { body } : {}),
    })
  const exchanges = await runRequestSequence(publicApiSteps, send, {
    workspace: workspace.id,
    role,
    actorName,
  })
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
  return exchanges
}

describe('the same request sequence', async () => {
  const first = await runSequenceAs('an API key', '/api')
  for (const credential of Object.keys(credentials) as (keyof typeof credentials)[]) {
    for (const prefix of ['/api', LEGACY_PREFIX]) {
      test(`gets the same responses for ${credential} under ${prefix}`, async () => {
        expect(await runSequenceAs(credential, prefix)).toEqual(first)
      })
    }
  }
})

describe('the request sequence', () => {
  const successfulSteps = publicApiSteps.filter(({ status = 200 }) => status === 200)

  test('covers every operation of the document, and each succeeds', async () => {
    const instance = await openInstance()
    const { body } = await instance.request('GET', '/openapi.json')
    await instance.close()
    const operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const requestedOperations = new Set(
      successfulSteps.map(({ method, path }) => `${method} /api${path.split('?')[0]}`),
    )
    // Nobody decides about their own request, and the sequence has one caller.
    requestedOperations.add('POST /api/moderation/approvals')
    expect(operations.filter((operation) => !requestedOperations.has(operation))).toEqual([])
  })

  test('covers every action of every endpoint', () => {
    const listActions = (endpoint: string) =>
      new Set(successfulSteps.filter(({ path }) => path === `/${endpoint}`).map(({ body }) => body?.action))
    const missing = (endpoint: string, actions: readonly string[]) =>
      actions.filter((action) => !listActions(endpoint).has(action))
    const moderation = [
      ...['note', 'warn', 'kick', 'mute', 'ban', 'unmute', 'unban', 'edit', 'extend', 'comment', 'evidence'],
      ...['acknowledge', 'revoke', 'redact', 'warning', 'temp_ban', 'perm_ban', 'pardon'],
    ]
    expect(missing('moderation', moderation)).toEqual([])
    expect(missing('departments', ['delete', 'restore'])).toEqual([])
    expect(missing('workspaces', ['archive'])).toEqual([])
  })
})
