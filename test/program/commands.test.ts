import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { PASSWORD } from '../support/instance.ts'
import { type Running, serve } from '../support/program.ts'
import { INIT, jsonOf, runIn } from './commands.ts'

interface Initialised {
  readonly userId: string
  readonly workspaceId: string
  readonly roleId: string
  readonly apiKey: string
}

for (const state of ['stopped', 'running'] as const) {
  describe(`on a ${state} instance`, () => {
    let folder: TemporaryFolder
    let running: Running | undefined
    let made: Initialised

    const run = (args: string[], stdin?: string) => runIn(folder, args, stdin)
    const runJson = async <T>(args: string[], stdin?: string): Promise<T> =>
      jsonOf<T>(await run([...args, '--json'], stdin))

    /** Makes a call with the server that runs, or with one that is started for it. */
    async function call(path: string, key: string, init: RequestInit = {}) {
      const server = running ?? (await serve({ dataDir: folder.data }))
      const answer = await fetch(new URL(path, server.url), {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      const body = (await answer.json()) as Record<string, unknown>
      if (!running) await server.stop()
      return { status: answer.status, body }
    }

    beforeAll(async () => {
      folder = temporaryFolder()
      if (state === 'running') running = await serve({ dataDir: folder.data })
      made = await runJson<Initialised>(INIT, `${PASSWORD}\n`)
    })
    afterAll(async () => {
      await running?.stop()
      folder.remove()
    })

    test('init makes an operator, a workspace, its owner role, and a key with every permission', async () => {
      expect(Object.keys(made)).toEqual(['userId', 'workspaceId', 'roleId', 'apiKey'])
      const { accounts } = await runJson<{ accounts: object[] }>(['user', 'list'])
      expect(accounts).toMatchObject([{ id: made.userId, username: 'robin', operator: 'true' }])
      const { workspaces } = await runJson<{ workspaces: object[] }>(['workspace', 'list'])
      expect(workspaces).toMatchObject([
        {
          id: made.workspaceId,
          groupName: 'Night Owls',
          owner: 'robin',
          ownerId: made.userId,
          status: 'active',
        },
      ])
      const { apiKeys } = await runJson<{ apiKeys: { permissions: string }[] }>([
        'key',
        'list',
        '--workspace',
        made.workspaceId,
      ])
      expect(apiKeys.map((key) => JSON.parse(key.permissions))).toEqual([permissions])
      const roles = await call(`/api/_workspace-permissions?workspaceId=${made.workspaceId}`, made.apiKey)
      expect(roles.status).toBe(200)
      expect(JSON.stringify(roles.body)).toContain(made.roleId)
    })

    test('init is refused once there is an account, and says what to do instead', async () => {
      const { exitCode, out, err } = await run(INIT, PASSWORD)
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
      expect(err).toContain('set up already')
      expect(err).toContain('reeve user create')
    })

    test('a user is made, listed, and given another password', async () => {
      const { userId } = await runJson<{ userId: string }>(
        ['user', 'create', '--username', 'Ada', '--password-stdin'],
        PASSWORD,
      )
      const { accounts } = await runJson<{ accounts: { id: string; operator: string }[] }>(['user', 'list'])
      expect(accounts.find(({ id }) => id === userId)?.operator).toBe('false')
      const again = await run(['user', 'create', '--username', 'ADA', '--password-stdin'], PASSWORD)
      expect(again).toMatchObject({ exitCode: 1, err: 'There is an account named ADA already.\n' })
      await runJson(
        ['user', 'reset-password', '--username', 'ada', '--password-stdin'],
        'quite another secret',
      )
      const none = await run(['user', 'reset-password', '--username', 'eve', '--password-stdin'], PASSWORD)
      expect(none.exitCode).toBe(1)
      expect(none.err).toContain('reeve user list')
    })

    test('a bad password is refused by what it came by, and is in no message', async () => {
      const { exitCode, err } = await run(
        ['user', 'create', '--username', 'x', '--password-stdin'],
        'zyx-short',
      )
      expect(exitCode).toBe(2)
      expect(err).toStartWith('The password must be 10 to 200 characters.')
      expect(err).not.toContain('zyx')
    })

    test('a key does what it was made for, and is refused from the moment it is revoked', async () => {
      const workspace = ['--workspace', made.workspaceId]
      const { keyId, apiKey } = await runJson<{ keyId: string; apiKey: string }>([
        ...['key', 'create', ...workspace, '--name', 'bot', '--permissions', 'departments.view'],
        ...['--expires-at', '2999-01-01T00:00:00Z', '--allowed-addresses', '127.0.0.1'],
      ])
      const list = `/api/departments?workspaceId=${made.workspaceId}`
      expect((await call(list, apiKey)).status).toBe(200)
      const write = { method: 'POST', body: JSON.stringify({ workspaceId: made.workspaceId, name: 'x' }) }
      expect((await call('/api/departments', apiKey, write)).status).toBe(403)
      await runJson(['key', 'revoke', ...workspace, '--id', keyId])
      expect(await call(list, apiKey)).toMatchObject({ status: 401, body: { reason: 'key_revoked' } })
      const again = await run(['key', 'revoke', ...workspace, '--id', keyId])
      expect(again).toMatchObject({ exitCode: 1, err: 'This key is revoked already.\n' })
      const none = await run(['key', 'revoke', ...workspace, '--id', 'nothing'])
      expect(none.exitCode).toBe(1)
      expect(none.err).toContain('reeve key list')
    })

    test('a quota holds from the next call on, and is taken away again', async () => {
      const set = (calls: string) =>
        runJson(['quota', 'set', '--workspace', made.workspaceId, '--calls', calls])
      const write = {
        method: 'POST',
        body: JSON.stringify({ workspaceId: made.workspaceId, name: crypto.randomUUID() }),
      }
      await set('0')
      expect(await call('/api/departments', made.apiKey, write)).toMatchObject({
        status: 429,
        body: { code: 'quota_exceeded' },
      })
      await set('none')
      expect((await call('/api/departments', made.apiKey, write)).status).toBe(200)
    })

    test('an endpoint is switched off with a message, and on again', async () => {
      const set = (...more: string[]) =>
        runJson(['control', 'set', '--workspace', made.workspaceId, '--endpoint', 'departments', ...more])
      const list = `/api/departments?workspaceId=${made.workspaceId}`
      await set('--mode', 'off', '--message', 'Back at six.')
      expect(await call(list, made.apiKey)).toMatchObject({
        status: 403,
        body: { error: 'Back at six.', reason: 'endpoint_disabled' },
      })
      await set('--mode', 'on')
      expect((await call(list, made.apiKey)).status).toBe(200)
      const locked = await run([
        ...['control', 'set', '--workspace', made.workspaceId],
        ...['--endpoint', 'endpoint-controls', '--mode', 'off'],
      ])
      expect(locked.exitCode).toBe(2)
      expect(locked.err).toContain('--endpoint always stays on')
    })

    test('a workspace that is not there is told, with where to look', async () => {
      for (const args of [
        ['key', 'list'],
        ['key', 'create', '--name', 'x', '--permissions', 'all'],
        ['quota', 'set', '--calls', '1'],
        ['control', 'set', '--endpoint', 'events', '--mode', 'off'],
      ]) {
        const { exitCode, err } = await run([...args, '--workspace', 'elsewhere'])
        expect({ args, exitCode }).toEqual({ args, exitCode: 1 })
        expect(err).toBe('There is no workspace elsewhere; `reeve workspace list` shows them.\n')
      }
    })

    test('migrate says that nothing is to be done', async () => {
      expect(await runJson<{ applied: string[] }>(['migrate'])).toEqual({ applied: [] })
    })

    test('without --json the same is told in words', async () => {
      const lines = async (args: string[]) => (await run(args)).out.trimEnd().split('\n')
      expect((await lines(['user', 'list']))[0]).toMatch(/^ID +USERNAME +OPERATOR +STATUS +CREATED$/)
      expect((await lines(['workspace', 'list']))[1]).toContain('Night Owls')
      const keys = await lines(['key', 'list', '--workspace', made.workspaceId])
      expect(keys.at(-1)).toContain('moderation.view,')
    })
  })
}
