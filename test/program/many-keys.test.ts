import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

/** More than one change can end. */
const EXISTING = 203

let folder: TemporaryFolder
beforeAll(async () => {
  folder = temporaryFolder()
  const args = [...INIT_ARGS, '--json']
  const { workspaceId } = parseJsonOutput<{ workspaceId: string }>(await runInFolder(folder, args, PASSWORD))
  await run('user', 'create', '--username', 'maker', '--password-stdin')
  await createKeyWithWebhook(workspaceId)
  copyBoth()
})
afterAll(() => folder.remove())

const PASSWORD = 'a long enough secret'
const run = (...args: string[]) => runInFolder(folder, args, PASSWORD)

/** Creates an API key, and a webhook with it. */
async function createKeyWithWebhook(workspaceId: string): Promise<void> {
  const permissions = 'webhooks.manage,moderation.view'
  const { apiKey } = parseJsonOutput<{ apiKey: string }>(
    await run(
      ...['key', 'create', '--workspace', workspaceId, '--name', 'Server'],
      ...['--permissions', permissions, '--json'],
    ),
  )
  const server = await startServer({ dataDir: folder.data })
  const body = { workspaceId, name: 'Ban log', url: 'https://example.com/', events: 'ban.created' }
  const created = await fetch(`${server.url}/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(created.status).toBe(200)
  await server.stop()
}

/** Lets the account be the creator of that key, and copies both: an account can have so many in several workspaces. */
function copyBoth(): void {
  const engine = new Database(join(folder.data, 'reeve.db'))
  engine.run(
    "update api_key set created_by = (select id from account where username = 'maker') where name = 'Server'",
  )
  const copy = (table: string, condition: string, changed: Record<string, string>) => {
    const columns = engine
      .query<{ name: string }, []>(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name)
    engine.run(
      `insert into ${table} (${columns.join()}) with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${EXISTING})
       select ${columns.map((name) => changed[name] ?? name).join()} from ${table}, numbers where ${condition}`,
    )
  }
  copy('api_key', "name = 'Server'", { id: 'randomblob(16)', key_hash: 'randomblob(32)' })
  copy('webhook', "name = 'Ban log'", { id: 'randomblob(16)' })
  engine.close()
}

/** How many API keys still work, and how many webhooks are active. */
function countLive() {
  const engine = new Database(join(folder.data, 'reeve.db'), { readonly: true })
  const count = (sql: string) => engine.query<{ count: number }, []>(sql).get()?.count
  const counts = {
    keys: count("select count(*) as count from api_key where name = 'Server' and revoked_at is null"),
    webhooks: count("select count(*) as count from webhook where state = 'active'"),
  }
  engine.close()
  return counts
}

test('an account with many API keys and webhooks: all of them are listed, and all of them are ended', async () => {
  const kept = await run('user', 'disable', '--username', 'maker')
  expect(kept.out).toContain(`${EXISTING} API keys of the account can still be used.`)
  expect(kept.out.match(/reeve key revoke --workspace/g)).toHaveLength(EXISTING)
  expect(kept.out).toContain(`Events are still sent to ${EXISTING} webhooks of the account.`)
  expect(kept.out.match(/Ban log \(/g)).toHaveLength(EXISTING)
  expect(countLive()).toEqual({ keys: EXISTING, webhooks: EXISTING })

  const ended = await run(
    'user',
    'delete',
    '--username',
    'maker',
    '--revoke-keys',
    '--pause-webhooks',
    '--yes',
  )
  expect(ended.out).toContain(`Revoked ${EXISTING} API keys of the account.`)
  expect(ended.out).toContain(`Paused ${EXISTING} webhooks of the account.`)
  expect(countLive()).toEqual({ keys: 0, webhooks: 0 })
  expect((await run('audit', 'verify')).exitCode).toBe(0)
})
