import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

/** Each test starts the program several times. */
const TIMEOUT_MS = 60_000

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const init = () => runInFolder(folder, INIT_ARGS, PASSWORD)
const run = (...args: string[]) => runReeve(args, { dataDir: folder.data })
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('files of an instance', () => {
  test.if(process.platform === 'linux')(
    'are private from their creation, whatever the umask of the service',
    async () => {
      const running = await startServer({ dataDir: folder.data })
      expect(readFileSync(`/proc/${running.pid}/status`, 'utf8')).toMatch(/^Umask:\t0077$/m)
      expect(await running.stop()).toBe(0)
    },
  )

  test('lose the access of others when the folder is opened', async () => {
    await init()
    const shared = readdirSync(folder.data).filter((name) => name !== 'secret.key')
    expect(shared).toContain('reeve.db')
    for (const name of shared) chmodSync(join(folder.data, name), 0o644)
    const running = await startServer({ dataDir: folder.data })
    for (const name of readdirSync(folder.data))
      expect({ name, mode: modeOf(join(folder.data, name)) }).toEqual({ name, mode: 0o600 })
    await running.stop()
  })
})

describe('a data folder', () => {
  test.each([0o755, 0o701])(
    'that others can access is rejected with the command that corrects it: %o',
    async (mode) => {
      mkdirSync(folder.data)
      chmodSync(folder.data, mode)
      const rejected = await init()
      expect(rejected.exitCode).toBe(1)
      expect(rejected.err).toContain(`Run \`chmod 700 ${folder.data}\` as its owner`)
      expect(readdirSync(folder.data)).toEqual([])
      chmodSync(folder.data, 0o700)
      expect(await init()).toMatchObject({ exitCode: 0, err: '' })
      chmodSync(folder.data, mode)
      expect((await run('user', 'list')).exitCode).toBe(1)
    },
    TIMEOUT_MS,
  )

  test('inside one that others can access is created for this user alone', async () => {
    mkdirSync(folder.data)
    chmodSync(folder.data, 0o777)
    const dataDir = join(folder.data, 'reeve')
    expect((await runReeve(INIT_ARGS, { dataDir, stdin: PASSWORD })).err).toBe('')
    expect(modeOf(dataDir)).toBe(0o700)
  })

  test('that its group can access is accepted, as a volume of Kubernetes is', async () => {
    await init()
    chmodSync(folder.data, 0o770)
    const running = await startServer({ dataDir: folder.data })
    expect(await running.stop()).toBe(0)
  })
})

describe('a backup', () => {
  test(
    'is not written to a folder that others can access',
    async () => {
      await init()
      const to = join(folder.path, 'backups')
      mkdirSync(to)
      chmodSync(to, 0o755)
      const rejected = await run('backup', '--to', to)
      expect([rejected.exitCode, readdirSync(to)]).toEqual([1, []])
      expect(rejected.err).toContain(`Run \`chmod 700 ${to}\` as its owner`)
      expect((await run('backup', '--to', to.replace('backups', 'new'))).exitCode).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    'with a name is not written to where others could exchange it',
    async () => {
      await init()
      const to = join(folder.path, 'shared')
      mkdirSync(to)
      const backUp = async (mode: number, name: string) => {
        chmodSync(to, mode)
        return (await run('backup', '--to', join(to, name))).exitCode
      }
      expect(await backUp(0o777, 'one.db')).toBe(1)
      expect(readdirSync(to)).toEqual([])
      // As /tmp, where only the owner of a file can rename it; and as a home folder.
      expect(await backUp(0o1777, 'one.db')).toBe(0)
      expect(await backUp(0o755, 'two.db')).toBe(0)
      for (const name of readdirSync(to)) expect(modeOf(join(to, name))).toBe(0o600)
    },
    TIMEOUT_MS,
  )
})

test(
  'a planted symbolic link is never followed',
  async () => {
    await init()
    const victim = join(folder.path, 'victim')
    writeFileSync(victim, 'untouched')
    const backup = join(folder.path, 'backups', 'one.db')
    mkdirSync(join(folder.path, 'backups'), { mode: 0o700 })
    const plant = (path: string) => symlinkSync(victim, path)
    const expectReplaced = (...paths: string[]) => {
      expect(readFileSync(victim, 'utf8')).toBe('untouched')
      for (const path of paths) expect(existsSync(path) && lstatSync(path).isSymbolicLink()).toBe(false)
    }

    const report = join(folder.data, 'last-backup.json')
    const partial = join(folder.path, 'backups', '.one.db.partial')
    for (const path of [`${backup}.sha256`, partial, `${report}.new`, report]) plant(path)
    expect((await run('backup', '--to', backup)).err).not.toContain('Error')
    expectReplaced(`${backup}.sha256`, partial, report)
    expect(lstatSync(`${backup}.sha256`).isFile()).toBe(true)

    const incoming = join(folder.data, 'reeve.db.incoming')
    plant(incoming)
    expect((await run('restore', '--from', backup)).exitCode).toBe(0)
    expectReplaced(incoming)

    for (const name of ['reeve.lock', 'backup.lock']) {
      await Bun.$`rm ${join(folder.data, name)}`.quiet()
      plant(join(folder.data, name))
      const rejected = await run(...(name === 'reeve.lock' ? ['user', 'list'] : ['backup']))
      expect([rejected.exitCode, rejected.err]).toEqual([
        1,
        expect.stringContaining(`${name} is a symbolic link`),
      ])
      await Bun.$`rm ${join(folder.data, name)}`.quiet()
    }
    expectReplaced()
    const key = join(folder.path, 'backup.key')
    plant(key)
    expect((await run('backup', 'create-key', '--file', key)).exitCode).toBe(1)
    expectReplaced()
  },
  TIMEOUT_MS,
)
