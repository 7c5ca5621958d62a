import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { permissions } from '@reeve/core'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { type Ended, type Running, reeve, SOURCE, serve } from '../support/program.ts'

const PASSWORD = 'a long enough secret'
const INIT = [
  'init',
  '--username',
  'robin',
  '--password-stdin',
  '--group-name',
  'Night Owls',
  '--key-name',
  'k',
]
const COMMANDS = [
  'serve',
  'init',
  'migrate',
  'openapi',
  'doctor',
  'backup',
  'restore',
  'user create',
  'user list',
  'user reset-password',
  'key create',
  'key list',
  'key revoke',
  'workspace list',
  'quota set',
  'control set',
]

/** What every command prints with `--json`. */
const jsonOf = <T>({ out, err, exitCode }: Ended): T => {
  expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
  expect(out).toEndWith('\n')
  expect(out.trimEnd()).not.toContain('\n')
  return JSON.parse(out) as T
}

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

    const run = (args: string[], stdin?: string) =>
      reeve(args, { dataDir: folder.data, ...(stdin === undefined ? {} : { stdin }) })
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

describe('wherever it runs', () => {
  let folder: TemporaryFolder
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => folder.remove())
  const run = (args: string[], stdin?: string) =>
    reeve(args, { dataDir: folder.data, ...(stdin === undefined ? {} : { stdin }) })

  for (const command of COMMANDS) {
    test(`\`${command} --help\` says what it does and names --json`, async () => {
      const { exitCode, out, err } = await run([...command.split(' '), '--help'])
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
      expect(out).toStartWith(`Usage: reeve ${command} [options]`)
      expect(out).toContain('--json')
      expect((await run(['help', ...command.split(' ')])).out).toBe(out)
    })
  }

  test('--help lists every command and --version says which this is', async () => {
    const { out } = await run(['--help'])
    for (const command of COMMANDS) expect(out).toContain(`\n  ${command.split(' ')[0]} `)
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('what is not a command or an option is code 2, with what was meant', async () => {
    const wrong: [string[], string][] = [
      [['sevre'], 'Did you mean serve?'],
      [['user', 'crate'], 'Did you mean create?'],
      [['user', 'list', '--jsno'], 'Did you mean --json?'],
      [['user', 'list', 'all'], 'Too many arguments'],
      [['user'], 'Usage: reeve user'],
      [[], 'Usage: reeve'],
      [['key', 'list'], '--workspace is required.'],
      [['quota', 'set', '--workspace', 'x', '--calls', 'many'], '--calls must be'],
    ]
    for (const [args, says] of wrong) {
      const { exitCode, out, err } = await run(args)
      expect({ args, exitCode, out }).toEqual({ args, exitCode: 2, out: '' })
      expect(err).toContain(says)
    }
  })

  test('every missing option is named at once, and with --json as JSON on standard error', async () => {
    const { exitCode, out, err } = await run(['control', 'set', '--mode', 'offf', '--json'])
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    const { error, code, problems } = JSON.parse(err) as { error: string; code: string; problems: string[] }
    expect(code).toBe('usage')
    expect(problems).toHaveLength(3)
    expect(problems[0]).toBe(error)
    expect(problems[2]).toContain('did you mean off?')
  })

  test('a command on an instance that is not there makes none', async () => {
    for (const args of [['user', 'list'], ['migrate'], ['workspace', 'list']]) {
      const { exitCode, err } = await run(args)
      expect(exitCode).toBe(1)
      expect(err).toContain(`There is no instance in ${folder.data}`)
    }
    expect(existsSync(folder.data)).toBe(false)
  })

  test('a password that does not come on standard input is not waited for', async () => {
    const { exitCode, err } = await run([
      'init',
      ...INIT.slice(1).filter((arg) => arg !== '--password-stdin'),
    ])
    expect(exitCode).toBe(2)
    expect(err).toContain('--password-stdin')
    expect(existsSync(folder.data)).toBe(false)
  })

  test('a password that is asked for is never shown, and is asked for twice', async () => {
    const other = temporaryFolder()
    jsonOf(await reeve([...INIT, '--json'], { dataDir: other.data, stdin: PASSWORD }))
    /** Makes a user on a terminal, typing each text once the question before it is there. */
    const typing = async (name: string, ...typed: [question: string, text: string][]) => {
      let shown = ''
      const child = Bun.spawn([...SOURCE, 'user', 'create', '--username', name, '--data-dir', other.data], {
        terminal: {
          cols: 120,
          rows: 24,
          data(terminal, piece) {
            shown += new TextDecoder().decode(piece)
            while (typed[0] && shown.includes(typed[0][0])) terminal.write(typed.shift()?.[1] ?? '')
          },
        },
      })
      return { exitCode: await child.exited, shown }
    }
    const alike = await typing('a', ['password: ', `${PASSWORD}\r`], ['again: ', `${PASSWORD}\r`])
    const ahead = await typing('b', ['password: ', `${PASSWORD}\r${PASSWORD}\r`])
    const unlike = await typing('c', ['password: ', `${PASSWORD}\r`], ['again: ', `${PASSWORD}x\r`])
    const stopped = await typing('d', ['password: ', `${PASSWORD}\x03`])
    expect([alike, ahead, unlike, stopped].map(({ exitCode }) => exitCode)).toEqual([0, 0, 2, 2])
    for (const { shown } of [alike, ahead, unlike, stopped]) expect(shown).not.toContain(PASSWORD)
    const { out } = await reeve(['user', 'list'], { dataDir: other.data })
    expect(out.trimEnd().split('\n')).toHaveLength(4)
    other.remove()
  })

  test('several commands at once on a stopped instance wait for each other', async () => {
    const other = temporaryFolder()
    jsonOf(await reeve([...INIT, '--json'], { dataDir: other.data, stdin: PASSWORD }))
    const names = ['a', 'b', 'c', 'd']
    const ended = await Promise.all(
      names.map((name) =>
        reeve(['user', 'create', '--username', name, '--password-stdin', '--json'], {
          dataDir: other.data,
          stdin: PASSWORD,
        }),
      ),
    )
    for (const one of ended) jsonOf(one)
    other.remove()
  })

  test('of two that set an instance up at once, one does', async () => {
    const other = temporaryFolder()
    const init = () => reeve([...INIT, '--json'], { dataDir: other.data, stdin: PASSWORD })
    const codes = (await Promise.all([init(), init()])).map(({ exitCode }) => exitCode)
    expect(codes.sort()).toEqual([0, 1])
    other.remove()
  })

  test('openapi prints the document', async () => {
    const { out } = await run(['openapi'])
    expect(JSON.parse(out)).toMatchObject({ info: { version: '1.0.0' } })
    const short = await run(['openapi', '--json'])
    expect(JSON.parse(short.out)).toEqual(JSON.parse(out))
  })
})
