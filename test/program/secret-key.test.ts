import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createPorts } from '@reeve/api/ports'
import { computeCheckValue } from '@reeve/audit'
import { migrations, openServer } from '@reeve/db'
import { connectTo, createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { unpackFolder } from '../data-folders/unpack.ts'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY, secretKeyBytes } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

const OTHER_KEY = Buffer.from(new Uint8Array(32).fill(7)).toString('base64')

let folder: TemporaryFolder
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder.data, 'secret.key')
})
afterEach(() => folder.remove())

/** Runs a command without a key in the settings, unless `env` sets one. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, dataDir = folder.data) =>
  runReeve(args, { dataDir, env: { REEVE_SECRET_KEY: '', ...env }, stdin: PASSWORD })

const init = async () => expect((await run(INIT_ARGS)).err).toBe('')

const serve = (env: Readonly<Record<string, string>> = {}) =>
  startServer({ dataDir: folder.data, env: { REEVE_SECRET_KEY: '', ...env } })

/** The finding of `reeve doctor` about the key. */
async function findKeyFinding(env: Readonly<Record<string, string>> = {}, dataDir = folder.data) {
  const { out } = await run(['doctor', '--json'], env, dataDir)
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; found: string }[] }
  return findings.find(({ check }) => check === 'key')
}

describe('in a data folder', () => {
  test('the first command creates the key for its owner only, and every start uses it', async () => {
    await init()
    const created = readFileSync(file, 'utf8')
    expect(created).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const server = await serve()
    expect((await run(['user', 'list'])).exitCode).toBe(0)
    expect(await server.stop()).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(created)
    expect(await findKeyFinding()).toMatchObject({ verdict: 'ok' })
  })

  test('an interrupted creation leaves nothing that the next start cannot use', async () => {
    await init()
    rmSync(folder.data, { recursive: true })
    mkdirSync(folder.data, { mode: 0o700 })
    const incomplete = join(folder.data, 'secret.key.incomplete')
    await Bun.write(incomplete, 'half of a k')
    await init()
    expect(existsSync(incomplete)).toBe(false)
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32)
  })

  test('the key is in neither the database, a backup, nor the log', async () => {
    await init()
    const server = await serve({ REEVE_LOG_LEVEL: 'debug' })
    await run(['backup'])
    await server.stop()
    const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
    const folders = [folder.data, `${folder.data}-backups`]
    const files = folders.flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    expect(files.some((path) => path.endsWith('.db') && !path.startsWith(`${folder.data}/`))).toBe(true)
    const texts = [
      ...files.filter((path) => path !== file).map((path) => readFileSync(path)),
      Buffer.from(JSON.stringify(server.log)),
    ]
    for (const text of texts)
      for (const form of [key, key.toString('base64'), key.toString('hex')])
        expect(text.includes(form)).toBe(false)
  })

  test('no server starts without it or with another one, and doctor says why', async () => {
    await init()
    const key = readFileSync(file)
    rmSync(file)
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'list'],
    ]) {
      const { exitCode, err } = await run(args)
      expect({ exitCode, err }).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining(`${file} is missing`),
      })
    }
    expect(await findKeyFinding()).toMatchObject({
      verdict: 'fault',
      found: expect.stringContaining('is missing'),
    })
    expect(existsSync(file)).toBe(false)

    const wrong = 'REEVE_SECRET_KEY is not the secret key of this instance'
    expect((await run(['serve', '--port', '0'], { REEVE_SECRET_KEY: OTHER_KEY })).err).toContain(wrong)
    expect(await findKeyFinding({ REEVE_SECRET_KEY: OTHER_KEY })).toMatchObject({ verdict: 'fault' })
    const keyFile = join(folder.path, 'moved.key')
    writeFileSync(keyFile, key)
    expect(
      (await runReeve(['user', 'list'], { dataDir: folder.data, env: { REEVE_SECRET_KEY_FILE: keyFile } }))
        .err,
    ).toBe('')
  })

  test('a folder in place of the key, as containers create it, is named as such', async () => {
    await init()
    rmSync(file)
    mkdirSync(file)
    expect((await run(['user', 'list'])).err).toContain(`${file} is a folder, not a secret key.`)
    expect(await findKeyFinding()).toMatchObject({
      verdict: 'fault',
      found: expect.stringContaining('is a folder'),
    })
  })

  test('a key that others can read, or that is none, is rejected without repeating it', async () => {
    await init()
    chmodSync(file, 0o644)
    expect((await run(['user', 'list'])).err).toContain(`Run \`chmod 600 ${file}\`.`)
    expect(await findKeyFinding()).toMatchObject({ verdict: 'fault' })
    chmodSync(file, 0o640)
    expect(await findKeyFinding()).toMatchObject({ verdict: 'warning' })
    chmodSync(file, 0o600)
    writeFileSync(file, 'hidden word\n')
    const { exitCode, err } = await run(['user', 'list'])
    expect(exitCode).toBe(1)
    expect(err).toContain(`${file} is not a secret key`)
    expect(err).not.toContain('hidden')
    const invalid = await run(['user', 'list'], { REEVE_SECRET_KEY: 'hidden word' })
    expect(invalid.exitCode).toBe(2)
    expect(invalid.err).toContain('REEVE_SECRET_KEY must be the base64 of 32 random bytes')
    expect(invalid.err).not.toContain('hidden')
  })

  test('a restore elsewhere says that the key is missing, and works once it is there', async () => {
    await init()
    const { file: backup } = JSON.parse((await run(['backup', '--json'])).out)
    const fresh = join(folder.path, 'fresh')
    const restored = await run(['restore', '--from', backup, '--create'], {}, fresh)
    expect(restored.exitCode).toBe(0)
    expect(restored.out).toContain(
      `The server cannot start yet. The secret key ${fresh}/secret.key is missing`,
    )
    expect((await run(['user', 'list'], {}, fresh)).exitCode).toBe(1)
    writeFileSync(join(fresh, 'secret.key'), readFileSync(file), { mode: 0o600 })
    expect((await run(['user', 'list'], {}, fresh)).exitCode).toBe(0)
    expect((await run(['restore', '--from', backup], {}, fresh)).out).not.toContain('cannot start')
  })

  test('a restore next to another key says that the server cannot start, and what to do if the key is lost', async () => {
    await init()
    const { file: backup } = JSON.parse((await run(['backup', '--json'])).out)
    writeFileSync(file, OTHER_KEY)
    const { exitCode, out } = await run(['restore', '--from', backup])
    expect([exitCode, out]).toEqual([0, expect.stringContaining(`${file} is not the secret key`)])
    expect(out).toContain(
      `If that key is lost for good, move ${file} away and run \`reeve secret-key replace\`.`,
    )
    expect(out).not.toContain('Nothing was changed')
    renameSync(file, `${file}.old`)
    expect((await run(['secret-key', 'replace'])).exitCode).toBe(0)
    expect((await run(['user', 'list'])).exitCode).toBe(0)
  })

  test('a lost key can be replaced, and the log says that it was keyed again', async () => {
    await init()
    expect((await run(['secret-key', 'replace'])).err).toContain(`${file} exists.`)
    rmSync(file)
    const replaced = await run(['secret-key', 'replace'])
    expect(replaced).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringContaining(`now that in ${file}`),
    })
    expect((await run(['user', 'list'])).exitCode).toBe(0)
    const verified = await run(['audit', 'verify'])
    expect(verified.exitCode).toBe(0)
    expect(verified.out).toMatch(/^The log was keyed at \S+\. What is older was not protected before\.$/m)
    const key = readFileSync(file, 'utf8').trim()
    expect((await run(['secret-key', 'replace'], { REEVE_SECRET_KEY: key })).err).toContain(
      'nothing has to be replaced',
    )
    expect(await findKeyFinding()).toMatchObject({ verdict: 'ok' })
  })

  test('a move to another folder takes the key along', async () => {
    await init()
    const target = join(folder.path, 'target')
    const { out } = await run(['move', '--to', target])
    expect(out).toContain(`The secret key of the instance was copied to ${target}/secret.key.`)
    expect(statSync(join(target, 'secret.key')).mode & 0o777).toBe(0o600)
    expect((await run(['user', 'list'], {}, target)).exitCode).toBe(0)
  })
})

describe('with PostgreSQL', () => {
  let url: string
  beforeEach(async () => {
    url = await createDatabase('template1')
  })
  afterEach(() => dropDatabase(url))

  test('the key must be set, and be the same for every process', async () => {
    const missing = await run(INIT_ARGS, { REEVE_DATABASE_URL: url })
    expect(missing.exitCode).toBe(1)
    expect(missing.err).toContain('REEVE_SECRET_KEY is missing. With PostgreSQL')
    const { query, close } = await connectTo(url)
    const tables = await query("select relname from pg_class where relname = 'account'")
    await close()
    expect(tables).toEqual([])
    const env = { REEVE_DATABASE_URL: url, REEVE_SECRET_KEY: OTHER_KEY }
    expect((await run(INIT_ARGS, env)).err).toBe('')
    const server = await serve(env)
    const other = await run(['serve', '--port', '0'], { ...env, REEVE_SECRET_KEY: SECRET_KEY })
    expect(other.exitCode).toBe(1)
    expect(other.err).toContain('REEVE_SECRET_KEY is not the secret key of this instance')
    expect((await run(['user', 'list'], env)).exitCode).toBe(0)
    expect(await findKeyFinding(env)).toMatchObject({ verdict: 'ok' })
    expect(await server.stop()).toBe(0)
  })

  test('after a move from a data folder, its key file is named for the server', async () => {
    await init()
    const { out } = await run(['move', '--to', url])
    expect(out).toContain(`Set REEVE_SECRET_KEY_FILE to ${file}`)
    const env = { REEVE_DATABASE_URL: url, REEVE_SECRET_KEY_FILE: file }
    expect((await runReeve(['user', 'list'], { dataDir: folder.data, env })).err).toBe('')
  })
})

describe('a database of an earlier version is not migrated with a wrong or missing key', () => {
  const wrongKey = { REEVE_SECRET_KEY: OTHER_KEY }

  test('in a data folder', async () => {
    unpackFolder('1.0.0', folder.data)
    const database = readFileSync(join(folder.data, 'reeve.db'))
    for (const [args, env, reason] of [
      [['serve', '--port', '0'], wrongKey, 'Nothing was changed.'],
      [['migrate'], {}, `${file} is missing`],
      [['secret-key', 'rotate'], {}, `${file} is missing`],
    ] as const) {
      const { exitCode, err } = await run(args, env)
      expect({ args, exitCode, err }).toEqual({ args, exitCode: 1, err: expect.stringContaining(reason) })
      expect(readFileSync(join(folder.data, 'reeve.db')).equals(database)).toBe(true)
    }
    expect(await run(['migrate'], { REEVE_SECRET_KEY: SECRET_KEY })).toMatchObject({ exitCode: 0 })
  }, 60_000)

  test('on PostgreSQL', async () => {
    const url = await createDatabase('template1')
    const { database } = await openServer(url, { now: Date.now, migrations: migrations.slice(0, 1) })
    await database.close()
    const connection = await connectTo(url)
    const checkValue = computeCheckValue(createPorts(secretKeyBytes))
    await connection.query(`insert into instance_secret values ('secret-key-check', '${checkValue}')`)
    const { exitCode, err } = await run(['migrate'], { ...wrongKey, REEVE_DATABASE_URL: url })
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('Nothing was changed.') })
    expect(await connection.query('select name from migration')).toEqual([{ name: migrations[0]?.name }])
    await connection.close()
    const right = { REEVE_SECRET_KEY: SECRET_KEY, REEVE_DATABASE_URL: url }
    expect(await run(['migrate'], right)).toMatchObject({ exitCode: 0 })
    await dropDatabase(url)
  }, 60_000)
})
