import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { seed } from '../bench/seed.ts'
import { PROGRAM, runReeve } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(120_000)

/** So many that commands are interrupted in the middle of them. */
const RECORDS = 60_000
/** So many that SQLite needs seconds to check their index. */
const CHECKED_ROWS = 2_500_000
/** The most that a command may still compute after a signal, in seconds. Time on the clock depends on what else the machine does. */
const MAX_CPU_AFTER_SIGNAL = 1
/** The unit of times in `/proc`, in seconds. Source: proc_pid_stat(5), sysconf(3) */
const CLOCK_TICK = 0.01

let folder: TemporaryFolder
beforeAll(async () => {
  folder = temporaryFolder()
  await seed(folder.data, { workspaces: 1, records: RECORDS, eventsEach: 0 }, () => {})
})
afterAll(() => folder.remove())

function createFolder(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path, { mode: 0o700 })
  return path
}

const start = (args: readonly string[], env: Record<string, string> = {}) =>
  Bun.spawn([...PROGRAM, ...args], {
    env: { ...process.env, REEVE_DATA_DIR: folder.data, REEVE_SECRET_KEY: SECRET_KEY, ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  })

/** Starts a backup. @returns its process once it has created the copy in the folder, and so holds its lock */
async function startBackup(to: string, into: string) {
  const child = start(['backup', '--to', to])
  const hasBegun = () =>
    readdirSync(into, { recursive: true }).some((name) => basename(String(name)) === 'copy.db')
  while (!hasBegun() && child.exitCode === null) await Bun.sleep(0)
  return child
}

/** Kills a backup to a file. @returns the folder with what is left of it */
async function leavePartial(name: string): Promise<string> {
  const into = createFolder(name)
  const child = await startBackup(join(into, 'killed.db'), into)
  child.kill('SIGKILL')
  await child.exited
  expect(readdirSync(into)).toEqual(['.killed.db.partial'])
  return into
}

/** Runs a backup of a copy of the instance, which another backup of the instance does not prevent. */
function runOnCopy(to: string) {
  const dataDir = createFolder(`copy-${crypto.randomUUID()}`)
  cpSync(join(folder.data, 'reeve.db'), join(dataDir, 'reeve.db'))
  return runReeve(['backup', '--to', to], { dataDir })
}

async function backUpCopy(to: string) {
  const { out, err } = await runOnCopy(to)
  expect([out, err]).toEqual([
    expect.stringContaining(`Created and verified backup ${to}`),
    expect.any(String),
  ])
}

describe('a backup', () => {
  test.each([
    ['SIGINT', 'to a file', 'named.db'],
    ['SIGTERM', 'to a file', 'named.db'],
    ['SIGTERM', 'to a folder', ''],
  ] as const)('that %s ends leaves nothing behind, and ends by that signal: %s', async (signal, to, name) => {
    const into = createFolder(`${signal} ${to}`)
    const child = await startBackup(join(into, name), into)
    child.kill(signal)
    await child.exited
    expect([child.signalCode, readdirSync(into)]).toEqual([signal, []])
  })

  test('removes what killed backups have left in its folder, whatever their names', async () => {
    const into = await leavePartial('left')
    await backUpCopy(join(into, 'next.db'))
    expect(readdirSync(into).sort()).toEqual(['next.db', 'next.db.sha256'])
  })

  test('to the file of a killed one replaces what that has left', async () => {
    const into = await leavePartial('repeated')
    await backUpCopy(join(into, 'killed.db'))
    expect(readdirSync(into).sort()).toEqual(['killed.db', 'killed.db.sha256'])
  })

  test('leaves what another one is writing to the same folder alone', async () => {
    const into = createFolder('shared')
    const child = await startBackup(join(into, 'slow.db'), into)
    child.kill('SIGSTOP')
    await backUpCopy(join(into, 'fast.db'))
    const { exitCode, err } = await runOnCopy(join(into, 'slow.db'))
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining(`Another backup is being written to ${into}/slow.db`),
    ])
    child.kill('SIGCONT')
    await child.exited
    expect(readdirSync(into).sort()).toEqual(['fast.db', 'fast.db.sha256', 'slow.db', 'slow.db.sha256'])
  })
})

/** The CPU time of a process so far, in seconds. */
function readCpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK
}

/** Adds a table with an index to a backup, which takes long to check. */
function addRows(file: string): void {
  const engine = new Database(file)
  engine.run('create table checked (value text)')
  engine.run(
    `insert into checked with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${CHECKED_ROWS})
     select hex(n * 7919) from numbers`,
  )
  engine.run('create index checked_value on checked (value)')
  engine.close()
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a check of a backup that %s ends stops at once, by that signal, and leaves nothing behind',
  async (signal) => {
    const into = createFolder(`verify ${signal}`)
    const to = join(into, 'large.db')
    await backUpCopy(to)
    await Bun.file(`${to}.sha256`).delete()
    addRows(to)
    const before = readdirSync(into)
    const child = start(['backup', 'verify', '--from', to], { REEVE_BACKUP_DIR: into })
    let output = ''
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      output += text
      if (output.includes('Checking it')) break
    }
    const usedBefore = readCpuTime(child.pid)
    child.kill(signal)
    await child.exited
    const usedAfter = Number(child.resourceUsage()?.cpuTime.total) / 1e6 - usedBefore
    expect([child.signalCode, readdirSync(into)]).toEqual([signal, before])
    expect(usedAfter).toBeLessThan(MAX_CPU_AFTER_SIGNAL)
  },
)
