import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

// The test starts several processes.
setDefaultTimeout(60_000)

test('accounts and controls are also managed while no server is running', async () => {
  const folder = temporaryFolder()
  const run = (args: readonly string[], stdin = '') => runReeve(args, { dataDir: folder.data, stdin })
  const { workspaceId } = parseJsonOutput<{ workspaceId: string }>(
    await run([...INIT_ARGS, '--json'], PASSWORD),
  )
  await run(['user', 'create', '--username', 'ada', '--password-stdin'], PASSWORD)
  expect((await run(['user', 'operator', '--username', 'ada', '--grant'])).exitCode).toBe(0)
  expect((await run(['user', 'disable', '--username', 'robin'])).exitCode).toBe(0)
  expect((await run(['user', 'delete', '--username', 'ada', '--yes'])).err).toContain('the last operator')
  expect((await run(['user', 'enable', '--username', 'robin'])).exitCode).toBe(0)
  expect((await run(['user', 'sessions', '--username', 'ada', '--end', 'all'])).out).toBe(
    'Ended all sessions of ada.\n',
  )
  expect((await run(['user', 'delete', '--username', 'ada', '--yes'])).exitCode).toBe(0)
  const { accounts } = parseJsonOutput<{ accounts: object[] }>(await run(['user', 'list', '--json']))
  expect(accounts).toMatchObject([{ username: 'robin', status: 'active', operator: 'true' }])
  const { controls } = parseJsonOutput<{ controls: object[] }>(
    await run(['control', 'list', '--workspace', workspaceId, '--json']),
  )
  expect(controls).toContainEqual(
    expect.objectContaining({ workspaceId, endpoint: 'moderation', mode: 'on', updatedAt: null }),
  )
  folder.remove()
})

test('a link begins with the public URL, and without one the command says that it leads to this machine only', async () => {
  const folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)
  const link = ['user', 'link', '--username', 'robin']
  const local = 'This link leads to this machine only: replace http://127.0.0.1:3000 in it with the URL'
  expect((await runInFolder(folder, link)).out).toContain(local)
  const publicUrl = ['--public-url', 'https://staff.example.org']
  const { out } = await runInFolder(folder, [...link, ...publicUrl])
  expect(out).toStartWith('https://staff.example.org/')
  expect(out).not.toContain('this machine')
  const running = await startServer({ dataDir: folder.data })
  expect((await runInFolder(folder, link)).out).toContain(local.replace('http://127.0.0.1:3000', running.url))
  expect(await running.stop()).toBe(0)
  folder.remove()
})

test('resetting second factors says what is enough to sign in then, and what to do if nothing is', async () => {
  const folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)
  const execute = (sql: string) => {
    const engine = new Database(join(folder.data, 'reeve.db'))
    engine.run(sql)
    engine.close()
  }
  const addApp = () =>
    execute("insert into totp select id, '', 0, '[]', 0, null from account where username = 'robin'")
  const reset = () => runInFolder(folder, ['user', 'reset-mfa', '--username', 'robin'])
  addApp()
  expect((await reset()).out).toEndWith('Its password alone is enough to sign in until it adds another.\n')
  expect(await reset()).toMatchObject({ exitCode: 1, err: 'robin has no second factor.\n' })
  addApp()
  execute('update account set password_hash = null')
  expect((await reset()).out).toContain(
    'It has no password: if it does not sign in with another service, `reeve user link`',
  )
  folder.remove()
})
