import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

interface InitResult {
  readonly userId: string
  readonly workspaceId: string
  readonly roleId: string
  readonly apiKey: string
}

for (const state of ['stopped', 'running'] as const) {
  describe(`on a ${state} instance`, () => {
    let folder: TemporaryFolder
    let running: RunningServer | undefined
    let initResult: InitResult

    const run = (args: string[], stdin?: string) => runInFolder(folder, args, stdin)
    const runJson = async <T>(args: string[], stdin?: string): Promise<T> =>
      parseJsonOutput<T>(await run([...args, '--json'], stdin))

    /** Sends a request to the running server, or to one that is started for it. */
    async function requestApi(path: string, key: string, init: RequestInit = {}) {
      const server = running ?? (await startServer({ dataDir: folder.data }))
      const response = await fetch(new URL(path, server.url), {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      const body = (await response.json()) as Record<string, unknown>
      if (!running) await server.stop()
      return { status: response.status, body }
    }

    beforeAll(async () => {
      folder = temporaryFolder()
      if (state === 'running') running = await startServer({ dataDir: folder.data })
      initResult = await runJson<InitResult>(INIT_ARGS, `${PASSWORD}\n`)
    })
    afterAll(async () => {
      await running?.stop()
      folder.remove()
    })

    test('init creates an operator, a workspace, its owner role, and a key with every permission', async () => {
      expect(Object.keys(initResult)).toEqual(['userId', 'workspaceId', 'roleId', 'apiKey'])
      const { accounts } = await runJson<{ accounts: object[] }>(['user', 'list'])
      expect(accounts).toMatchObject([{ id: initResult.userId, username: 'robin', operator: 'true' }])
      const { workspaces } = await runJson<{ workspaces: object[] }>(['workspace', 'list'])
      expect(workspaces).toMatchObject([
        {
          id: initResult.workspaceId,
          groupName: 'Night Owls',
          owner: 'robin',
          ownerId: initResult.userId,
          status: 'active',
        },
      ])
      const { apiKeys } = await runJson<{ apiKeys: { permissions: string }[] }>([
        'key',
        'list',
        '--workspace',
        initResult.workspaceId,
      ])
      expect(apiKeys.map((key) => JSON.parse(key.permissions))).toEqual([permissions])
      const roles = await requestApi(
        `/api/_workspace-permissions?workspaceId=${initResult.workspaceId}`,
        initResult.apiKey,
      )
      expect(roles.status).toBe(200)
      expect(JSON.stringify(roles.body)).toContain(initResult.roleId)
    })

    test('init is refused if an account exists, and names the commands to use instead', async () => {
      const { exitCode, out, err } = await run(INIT_ARGS, PASSWORD)
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
      expect(err).toContain('already set up')
      expect(err).toContain('reeve user create')
    })

    test('a user can be created, listed and given a link for a new password', async () => {
      const { userId } = await runJson<{ userId: string }>(
        ['user', 'create', '--username', 'Ada', '--password-stdin'],
        PASSWORD,
      )
      const { accounts } = await runJson<{ accounts: { id: string; operator: string }[] }>(['user', 'list'])
      expect(accounts.find(({ id }) => id === userId)?.operator).toBe('false')
      const secondResult = await run(['user', 'create', '--username', 'ADA', '--password-stdin'], PASSWORD)
      expect(secondResult).toMatchObject({ exitCode: 1, err: 'An account named ADA already exists.\n' })
      const link = await runJson<{ userId: string; url: string }>(['user', 'link', '--username', 'ada'])
      expect(link).toMatchObject({ userId, url: expect.stringMatching(/\/sign-in\/password#[\w-]{43}$/) })
      const missingResult = await run(['user', 'link', '--username', 'eve'])
      expect(missingResult.exitCode).toBe(1)
      expect(missingResult.err).toContain('reeve user list')
    })

    test('an invalid password is rejected without appearing in the message', async () => {
      const { exitCode, err } = await run(
        ['user', 'create', '--username', 'x', '--password-stdin'],
        'zyx-short',
      )
      expect(exitCode).toBe(2)
      expect(err).toStartWith('The password must be 10 to 200 characters.')
      expect(err).not.toContain('zyx')
    })

    test('a key has exactly its permissions and is rejected immediately after it is revoked', async () => {
      const workspace = ['--workspace', initResult.workspaceId]
      const { keyId, apiKey } = await runJson<{ keyId: string; apiKey: string }>([
        ...['key', 'create', ...workspace, '--name', 'bot', '--permissions', 'departments.view'],
        ...['--expires-at', '2999-01-01T00:00:00Z', '--allowed-addresses', '127.0.0.1'],
      ])
      const list = `/api/departments?workspaceId=${initResult.workspaceId}`
      expect((await requestApi(list, apiKey)).status).toBe(200)
      const write = {
        method: 'POST',
        body: JSON.stringify({ workspaceId: initResult.workspaceId, name: 'x' }),
      }
      expect((await requestApi('/api/departments', apiKey, write)).status).toBe(403)
      await runJson(['key', 'revoke', ...workspace, '--id', keyId])
      expect(await requestApi(list, apiKey)).toMatchObject({ status: 401, body: { reason: 'key_revoked' } })
      const secondResult = await run(['key', 'revoke', ...workspace, '--id', keyId])
      expect(secondResult).toMatchObject({ exitCode: 1, err: 'This key is already revoked.\n' })
      const missingResult = await run(['key', 'revoke', ...workspace, '--id', 'nothing'])
      expect(missingResult.exitCode).toBe(1)
      expect(missingResult.err).toContain('reeve key list')
    })

    test('a quota takes effect with the next request and can be removed', async () => {
      const set = (requests: string) =>
        runJson(['quota', 'set', '--workspace', initResult.workspaceId, '--requests', requests])
      const write = {
        method: 'POST',
        body: JSON.stringify({ workspaceId: initResult.workspaceId, name: crypto.randomUUID() }),
      }
      await set('0')
      expect(await requestApi('/api/departments', initResult.apiKey, write)).toMatchObject({
        status: 429,
        body: { code: 'quota_exceeded' },
      })
      await set('none')
      expect((await requestApi('/api/departments', initResult.apiKey, write)).status).toBe(200)
    })

    test('a storage quota takes effect with the next request, is shown, and can be reset to the default', async () => {
      const workspace = ['--workspace', initResult.workspaceId]
      const set = (storage: string) => runJson(['quota', 'set', ...workspace, '--storage', storage])
      const show = () =>
        runJson<{ storage: { bytes: string; limit: string; isDefault: boolean } }>([
          'quota',
          'show',
          ...workspace,
        ])
      const note = () =>
        requestApi('/api/moderation', initResult.apiKey, {
          method: 'POST',
          body: JSON.stringify({
            workspaceId: initResult.workspaceId,
            action: 'note',
            userId: '261',
            reason: 'Seen',
          }),
        })
      await set('1KB')
      expect(await note()).toMatchObject({ status: 409, body: { code: 'storage_quota_exceeded' } })
      expect((await show()).storage).toMatchObject({ limit: '1000', isDefault: false })
      const table = await run(['quota', 'show', ...workspace])
      expect(table.out).toMatch(/^storage +\d[\d.]* kB +1 kB$/m)
      expect(table.out).toMatch(/^requests this month \(UTC\) +\d+ +none$/m)
      await set('none')
      expect((await show()).storage).toMatchObject({ limit: null, isDefault: false })
      await set('default')
      const { storage } = await show()
      expect(storage).toMatchObject({ limit: '5000000000', isDefault: true })
      expect((await note()).status).toBe(200)
      expect(Number((await show()).storage.bytes)).toBeGreaterThan(Number(storage.bytes))
      const neither = await run(['quota', 'set', ...workspace])
      expect(neither).toMatchObject({
        exitCode: 2,
        err: 'Set at least one quota: --requests or --storage.\n',
      })
    }, 60_000)

    test('an endpoint can be switched off with a message, and on again', async () => {
      const set = (...more: string[]) =>
        runJson([
          'control',
          'set',
          '--workspace',
          initResult.workspaceId,
          '--endpoint',
          'departments',
          ...more,
        ])
      const list = `/api/departments?workspaceId=${initResult.workspaceId}`
      await set('--mode', 'off', '--message', 'Back at six.')
      expect(await requestApi(list, initResult.apiKey)).toMatchObject({
        status: 403,
        body: { error: 'Back at six.', reason: 'endpoint_disabled' },
      })
      await set('--mode', 'on')
      expect((await requestApi(list, initResult.apiKey)).status).toBe(200)
      const locked = await run([
        ...['control', 'set', '--workspace', initResult.workspaceId],
        ...['--endpoint', 'endpoint-controls', '--mode', 'off'],
      ])
      expect(locked.exitCode).toBe(2)
      expect(locked.err).toContain('--endpoint cannot be turned off')
    })

    test('an unknown workspace is an error that names the command to list workspaces', async () => {
      for (const args of [
        ['key', 'list'],
        ['key', 'create', '--name', 'x', '--permissions', 'all'],
        ['quota', 'show'],
        ['quota', 'set', '--requests', '1'],
        ['control', 'list'],
        ['control', 'set', '--endpoint', 'events', '--mode', 'off'],
      ]) {
        const { exitCode, err } = await run([...args, '--workspace', 'elsewhere'])
        expect({ args, exitCode }).toEqual({ args, exitCode: 1 })
        expect(err).toBe(
          'There is no workspace elsewhere. Run `reeve workspace list` to list the workspaces.\n',
        )
      }
    })

    test('migrate reports no applied migrations on a current database', async () => {
      expect(await runJson<{ applied: string[] }>(['migrate'])).toEqual({ applied: [] })
    })

    test('without --json the output is a table', async () => {
      const lines = async (args: string[]) => (await run(args)).out.trimEnd().split('\n')
      expect((await lines(['user', 'list']))[0]).toMatch(/^ID +USERNAME +OPERATOR +STATUS +CREATED$/)
      expect((await lines(['workspace', 'list']))[1]).toContain('Night Owls')
      const keys = await lines(['key', 'list', '--workspace', initResult.workspaceId])
      expect(keys.at(-1)).toContain('moderation.view,')
    })
  })
}
