import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cliActor } from '@reeve/api/command-line/command'
import { appendAuditEntry } from '@reeve/audit'
import { createAttacker } from '../contract/audit/attacks.ts'
import { forgetSecretKey } from '../contract/audit/unkeyed-log.ts'
import { createTestStorage, type TestStorage } from '../support/engine.ts'
import { openInstance } from '../support/instance.ts'
import { PROGRAM, ROOT, runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'

const ROWS = 20_000

let storage: TestStorage
let workspaceId: string
beforeEach(async () => {
  storage = await createTestStorage('SQLite')
  const instance = await openInstance({ storage })
  workspaceId = (await instance.workspace()).id
  const actor = cliActor(instance.ports, workspaceId)
  await instance.db.write(async (tx) => {
    for (let index = 0; index < ROWS; index++) {
      const target = { kind: 'department', id: instance.ports.newId() }
      await appendAuditEntry(tx, instance.ports, actor, {
        action: 'departments.create',
        target,
        after: { name: 'x' },
      })
    }
  })
  const attacker = createAttacker(instance)
  for (const chain of ['instance', workspaceId]) await attacker.recomputeWithoutKey(chain)
  await instance.db.write(forgetSecretKey)
  await instance.flush()
  await instance.db.close()
})
afterEach(() => storage.remove())

/** The row that the interrupted keying has reached; null before it has begun and after it has finished. */
function readProgress(): number | null {
  const engine = new Database(join(storage.dataDir, 'reeve.db'), { readonly: true })
  try {
    // A server that opens the database recovers its log first.
    engine.run('PRAGMA busy_timeout = 5000')
    const row = engine.query("select value from instance_secret where name = 'audit-rekey'").get() as {
      value: string
    } | null
    return row && JSON.parse(row.value.slice(65)).rows
  } finally {
    engine.close()
  }
}

test('a server that is killed while it keys the log continues where it was', async () => {
  let reached = 0
  for (let kills = 0; kills < 3; kills++) {
    const child = Bun.spawn([...PROGRAM, 'serve', '--port', '0'], {
      env: { ...process.env, REEVE_DATA_DIR: storage.dataDir, REEVE_SECRET_KEY: SECRET_KEY },
      stdout: 'ignore',
    })
    while ((readProgress() ?? 0) <= reached) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    const progress = readProgress()
    if (progress === null) throw new Error('the log was keyed before the server was killed')
    expect(progress).toBeGreaterThan(reached)
    reached = progress
  }
  const server = await startServer({ dataDir: storage.dataDir })
  const line = await server.waitForLog(({ msg }) => msg.startsWith('The audit log was written without a key'))
  expect(line).toMatchObject({ level: 'warn', brokenChains: 0 })
  expect(Number(line.rows)).toBeGreaterThan(ROWS)
  expect(await server.stop()).toBe(0)
  const { out } = await runReeve(['doctor'], { dataDir: storage.dataDir })
  expect(out).toMatch(/^ok +audit +All \d+ audit log rows are present and unchanged\.$/m)
  const again = await startServer({ dataDir: storage.dataDir })
  expect(again.log.filter(({ level }) => level === 'warn')).toEqual([])
  expect(await again.stop()).toBe(0)
}, 120_000)

test.each([
  { name: 'a command', args: () => ['workspace', 'list'] },
  {
    name: 'an import',
    args: () => [
      ...['import', '--workspace', workspaceId, '--format', 'litebans', '--dry-run'],
      join(ROOT, 'test/import/litebans.sql'),
    ],
  },
])(
  '$name that opens the instance keys the log, and says so',
  async ({ args }) => {
    const { err, exitCode } = await runReeve(args(), { dataDir: storage.dataDir })
    const rows = /^Keyed the audit log: (\d+) rows\.$/m.exec(err)?.[1]
    expect(Number(rows)).toBeGreaterThan(ROWS)
    expect(exitCode).toBe(0)
  },
  60_000,
)
