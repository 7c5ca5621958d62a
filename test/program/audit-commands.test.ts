import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuditAnchorJob } from '@reeve/api/jobs/audit-anchors'
import { sha256Hex } from '@reeve/core/sha256'
import { connectTo, createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { createAttacker } from '../contract/audit/attacks.ts'
import { forgetSecretKey } from '../contract/audit/unkeyed-log.ts'
import { createTestStorage } from '../support/engine.ts'
import { openInstance, PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let folder: TemporaryFolder
  let env: Record<string, string>
  let workspaceId: string
  beforeEach(async () => {
    folder = temporaryFolder()
    env = engine === 'SQLite' ? {} : { REEVE_DATABASE_URL: await createDatabase('template1') }
    const { out } = await run([...INIT_ARGS, '--json'])
    workspaceId = JSON.parse(out).workspaceId
  })
  afterEach(async () => {
    if (env.REEVE_DATABASE_URL !== undefined) await dropDatabase(env.REEVE_DATABASE_URL)
    folder.remove()
  })

  const run = (args: readonly string[]) => runReeve(args, { dataDir: folder.data, env, stdin: PASSWORD })

  const createUser = async (username: string) =>
    expect((await run(['user', 'create', '--username', username, '--password-stdin'])).err).toBe('')

  /** Runs SQL as somebody with access to the database. */
  async function attack(sql: string): Promise<void> {
    if (env.REEVE_DATABASE_URL !== undefined) {
      const { query, close } = await connectTo(env.REEVE_DATABASE_URL)
      await query(sql)
      return close()
    }
    const database = new Database(join(folder.data, 'reeve.db'))
    database.run(sql)
    database.close()
  }

  test('verify confirms the log next to a running server, and finds a changed row', async () => {
    const server = await startServer({ dataDir: folder.data, env })
    const intact = await run(['audit', 'verify'])
    expect(intact).toMatchObject({ exitCode: 0, err: '' })
    expect(intact.out).toMatch(/^All \d+ rows of 2 chains are present and unchanged\.\n$/)
    expect(await server.stop()).toBe(0)
    await attack("update audit set actor_name = 'somebody else' where sequence = 2")
    const { exitCode, out } = await run(['audit', 'verify', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).faults).toContainEqual({
      chain: workspaceId,
      sequence: 2,
      fault: 'the row was altered',
    })
  })

  test('verify compares the log with the anchors that the server has logged', async () => {
    await createUser('alex')
    const server = await startServer({ dataDir: folder.data, env })
    await server.waitForLog(({ msg }) => msg === 'audit anchors')
    expect(await server.stop()).toBe(0)
    const log = join(folder.path, 'reeve.log')
    writeFileSync(log, `${server.log.map((line) => JSON.stringify(line)).join('\n')}\n`)
    const confirmed = await run(['audit', 'verify', '--anchors', log])
    expect(confirmed).toMatchObject({ exitCode: 0, out: expect.stringContaining('2 anchors confirmed.') })
    await attack(
      `delete from audit where workspace_id = ${engine === 'SQLite' ? `x'${workspaceId.replaceAll('-', '')}'` : `'${workspaceId}'`}`,
    )
    const { exitCode, out } = await run(['audit', 'verify', '--anchors', log])
    expect(exitCode).toBe(1)
    expect(out).toContain('rows at the end are missing: at ')
    const empty = join(folder.path, 'empty.log')
    writeFileSync(empty, '{"msg":"listening"}\n')
    expect((await run(['audit', 'verify', '--anchors', empty])).err).toContain('contains no anchors')
    expect((await run(['audit', 'verify', '--anchors', `${empty}.missing`])).err).toContain('does not exist')
  })

  test('export writes a chain that can be verified, and any change to the file is found', async () => {
    for (const chain of [workspaceId, 'instance']) {
      const file = join(folder.path, `${chain}.jsonl`)
      const exported = await run(['audit', 'export', '--workspace', chain, '--to', file])
      expect(exported).toMatchObject({ exitCode: 0, err: '' })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const verified = await run(['audit', 'verify', '--export', file])
      expect(verified).toMatchObject({ exitCode: 0, err: '' })
      expect(verified.out).toContain(`The export of chain ${chain} from `)
    }
    const file = join(folder.path, `${workspaceId}.jsonl`)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const verifyLines = async (changed: readonly string[]) => {
      const copy = join(folder.path, 'copy.jsonl')
      writeFileSync(copy, `${changed.join('\n')}\n`)
      const { exitCode, err } = await run(['audit', 'verify', '--export', copy])
      return `${exitCode} ${err.replace(`${copy}: `, '')}`
    }
    expect(lines.length).toBeGreaterThan(3)
    expect(
      await verifyLines(lines.map((line, index) => (index === 2 ? line.replace('robin', 'sam') : line))),
    ).toStartWith('1 Line 3 was altered')
    /** The changes of the third row, replaced as a redaction or a blanked name replaces them. */
    const replaceChanges = (replace: (changes: string) => string | null) => {
      const row = JSON.parse(String(lines[2]))
      const changes = replace(row.changes)
      return lines.with(2, JSON.stringify({ ...row, changes, changes_hash: sha256Hex(row.changes) }))
    }
    expect(await verifyLines(replaceChanges((changes) => changes.replace('name', 'title')))).toStartWith(
      '1 Line 3 was altered',
    )
    expect(await verifyLines(replaceChanges(() => null))).toStartWith(
      '1 Line 3: its changes were removed, although it is not about a record',
    )
    expect(await verifyLines(lines.toSpliced(1, 1))).toStartWith('1 Line 2 was altered')
    expect(await verifyLines(lines.toSpliced(-2, 1))).toStartWith('1 The proof at the end does not match')
    expect(await verifyLines(lines.slice(0, -1))).toStartWith('1 The end of the export is missing.')
    expect(await verifyLines(['{}'])).toStartWith('1 It is not an export')
    const again = await run(['audit', 'export', '--workspace', workspaceId, '--to', file])
    expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining('already exists') })
  })

  test('a relative path is one of the folder of the command, not of the running server, and is named in full', async () => {
    const server = await startServer({ dataDir: folder.data, env })
    const runInFolder = (...args: string[]) => runReeve(args, { dataDir: folder.data, env, cwd: folder.path })
    const exported = await runInFolder('audit', 'export', '--workspace', 'instance', '--to', 'log.jsonl')
    expect(exported).toMatchObject({ exitCode: 0, err: '' })
    expect(exported.out).toContain(` to ${join(folder.path, 'log.jsonl')}. `)
    expect(await runInFolder('audit', 'verify', '--export', 'log.jsonl')).toMatchObject({
      exitCode: 0,
      err: '',
    })
    expect(await server.stop()).toBe(0)
  })
})

test('a restored older database is found with anchors only', async () => {
  const folder = temporaryFolder()
  const run = (args: readonly string[]) => runReeve(args, { dataDir: folder.data, stdin: PASSWORD })
  await run(INIT_ARGS)
  const { file } = JSON.parse((await run(['backup', '--json'])).out)
  await run(['user', 'create', '--username', 'alex', '--password-stdin'])
  const anchors = join(folder.path, 'anchors.jsonl')
  const appendAnchors = async () => {
    const server = await startServer({ dataDir: folder.data, env: { REEVE_AUDIT_ANCHOR_FILE: anchors } })
    await server.waitForLog(({ msg }) => msg === 'audit anchors')
    expect(await server.stop()).toBe(0)
  }
  await appendAnchors()
  expect((await run(['audit', 'verify', '--anchors', anchors])).exitCode).toBe(0)
  // The disk was full for a moment.
  appendFileSync(anchors, '{"time":"2031-05-01T18:00:00.000Z","chains":{"inst')
  await run(['user', 'create', '--username', 'kim', '--password-stdin'])
  await appendAnchors()
  const torn = await run(['audit', 'verify', '--anchors', anchors])
  expect(torn.exitCode).toBe(0)
  expect(torn.out).toContain('Line 2 of the anchors is damaged')
  expect(torn.out).toContain('3 anchors confirmed.')
  await run(['restore', '--from', file])
  expect((await run(['audit', 'verify'])).exitCode).toBe(0)
  const { exitCode, out } = await run(['audit', 'verify', '--anchors', anchors])
  expect(exitCode).toBe(1)
  expect(out).toMatch(
    /^Chain instance, row \d+: rows at the end are missing: at \S+, there were rows up to \d+\.$/m,
  )
  folder.remove()
})

test('without the key of the instance nothing can be verified', async () => {
  const folder = temporaryFolder()
  await runReeve(INIT_ARGS, { dataDir: folder.data, stdin: PASSWORD })
  const { exitCode, err } = await runReeve(['audit', 'verify'], {
    dataDir: folder.data,
    env: { REEVE_SECRET_KEY: '' },
  })
  expect(exitCode).toBe(1)
  expect(err).toStartWith('The audit log cannot be verified: the secret key of the instance is missing.')
  folder.remove()
})

test('an altered log that is made to look as if it was never keyed gets keyed, but not unnoticed', async () => {
  const storage = await createTestStorage('SQLite')
  const instance = await openInstance({ storage })
  const { id } = await instance.workspace()
  const attacker = createAttacker(instance)
  const anchors = join(storage.dataDir, '..', `${id}.jsonl`)
  const job = createAuditAnchorJob(
    instance.db,
    instance.ports,
    { auditAnchorFile: anchors, auditAnchorUrl: null },
    { onAnchors: () => {} },
  )
  await job.run(new AbortController().signal)
  await attacker.renameActor(id, 1)
  for (const chain of ['instance', id]) await attacker.recomputeWithoutKey(chain)
  await instance.db.write(forgetSecretKey)
  await instance.flush()
  await instance.db.close()
  const server = await startServer({ dataDir: storage.dataDir })
  await server.waitForLog(
    ({ level, msg }) => level === 'warn' && msg.startsWith('The audit log was written without'),
  )
  expect(await server.stop()).toBe(0)
  const verify = (...args: string[]) => runReeve(['audit', 'verify', ...args], { dataDir: storage.dataDir })
  expect((await verify()).out).toMatch(/^The log was keyed at /m)
  const { exitCode, out } = await verify('--anchors', anchors)
  expect(exitCode).toBe(1)
  expect(out).toContain(`Chain ${id}, row`)
  rmSync(anchors)
  await storage.remove()
})
