import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath, findMovedReason } from '@reeve/db'
import { BINARY, type CommandResult, runReeve, startServer } from '../../support/program.ts'
import {
  copyWithUncheckpointedLog,
  findBackupFaults,
  findFaults,
  INIT_ARGS,
  INIT_PASSWORD,
  isSameHistory,
  listBackups,
  listReplacedDatabases,
  readAuditIds,
  readHistoryAfterStart,
} from './backup-checks.ts'
import { populate } from './populate.ts'
import type { InterruptedCommand } from './record-command.ts'

type Trace = (program: readonly string[]) => readonly string[]

const run = (dataDir: string, args: readonly string[], program: readonly string[] = BINARY) =>
  runReeve(args, { dataDir, program, stdin: INIT_PASSWORD })

async function runOk(dataDir: string, args: readonly string[], trace: Trace): Promise<void> {
  const { exitCode, err } = await run(dataDir, args, trace(BINARY))
  if (exitCode !== 0) throw new Error(`${args[0]} failed: ${err}`)
}

const failure = (what: string, { exitCode, err, out }: CommandResult): string[] =>
  exitCode === 0 ? [] : [`${what}: ${err || out}`]

const dataIn = (root: string) => join(root, 'data')

/** Creates an instance in an empty folder, or finds it there. */
async function checkCreation(root: string) {
  const init = await run(dataIn(root), INIT_ARGS)
  const isComplete = init.err.includes('already')
  const failures = isComplete ? [] : failure('init cannot be repeated', init)
  return { isComplete, failures: [...failures, ...failure('doctor', await run(dataIn(root), ['doctor']))] }
}

const init: InterruptedCommand = {
  name: 'init',
  prepare: async () => {},
  run: (root, trace) => runOk(dataIn(root), INIT_ARGS, trace),
  check: checkCreation,
}

const firstServe: InterruptedCommand = {
  name: 'first serve',
  prepare: async () => {},
  async run(root, trace) {
    const server = await startServer({ dataDir: dataIn(root), program: trace(BINARY) })
    await server.stop()
  },
  async check(root, isDone) {
    const hasDatabase = existsSync(databasePath(dataIn(root)))
    const { failures } = await checkCreation(root)
    return { isComplete: isDone && hasDatabase, failures }
  },
}

const BACKUP = ['backup', '--keep', '1', '--to']
const backupsIn = (root: string) => join(root, 'backups/')

const backup: InterruptedCommand = {
  name: 'backup',
  async prepare(root) {
    const source = join(root, 'source')
    await populate(source, 2)
    await runOk(source, [...BACKUP, backupsIn(root)], (program) => program)
    // The next backup differs from this one, which it replaces.
    await copyWithUncheckpointedLog(source, dataIn(root))
  },
  run: (root, trace) => runOk(dataIn(root), [...BACKUP, backupsIn(root)], trace),
  async check(root) {
    const history = readAuditIds(databasePath(dataIn(root)))
    const files = listBackups(backupsIn(root))
    const failures = (await Promise.all(files.map(findBackupFaults))).flat()
    if (files.length === 0) failures.push('no backup is left')
    const isComplete = files.some((file) => isSameHistory(readAuditIds(file), history))
    failures.push(
      ...failure('the next backup failed', await run(dataIn(root), [...BACKUP, backupsIn(root)])),
      ...(await findFaults(databasePath(dataIn(root)))),
    )
    const left = listBackups(backupsIn(root))
    if (left.length !== 1) failures.push(`${left.length} backups are left instead of 1`)
    return { isComplete, failures }
  },
}

const backupFile = (root: string) => join(root, 'backup.db')
const RESTORE = (root: string) => ['restore', '--from', backupFile(root)]

/** The histories of the backup and of the folder before the restore. */
const histories = new Map<string, readonly [backup: string[], folder: string[]]>()

const restore: InterruptedCommand = {
  name: 'restore',
  async prepare(root) {
    const source = join(root, 'source')
    await populate(source, 2)
    await runOk(source, ['backup', '--to', backupFile(root)], (program) => program)
    await copyWithUncheckpointedLog(source, dataIn(root))
    histories.set(root, [readAuditIds(backupFile(root)), readAuditIds(databasePath(dataIn(root)))])
  },
  run: (root, trace) => runOk(dataIn(root), RESTORE(root), trace),
  async check(root) {
    const [backupHistory = [], folderHistory = []] = histories.get(root) ?? []
    const found = await readHistoryAfterStart(dataIn(root))
    const isComplete = isSameHistory(found, backupHistory)
    const failures: string[] = []
    if (!isComplete && !isSameHistory(found, folderHistory))
      failures.push(`neither the old nor the new database is in place: ${found.length} rows, ${found.at(-1)}`)
    const keepsOld = () =>
      listReplacedDatabases(dataIn(root)).some((file) => isSameHistory(readAuditIds(file), folderHistory))
    if (isComplete && !keepsOld()) failures.push('the old database is lost')
    failures.push(...failure('the restore cannot be repeated', await run(dataIn(root), RESTORE(root))))
    if (!isSameHistory(await readHistoryAfterStart(dataIn(root)), backupHistory))
      failures.push('the repeated restore did nothing')
    if (!keepsOld()) failures.push('the old database is lost after the repeated restore')
    return { isComplete, failures: [...failures, ...(await findFaults(databasePath(dataIn(root))))] }
  },
}

const targetIn = (root: string) => join(root, 'target')
const isUsable = (folder: string): boolean =>
  existsSync(databasePath(folder)) && findMovedReason(folder) === null

const move: InterruptedCommand = {
  name: 'move',
  async prepare(root) {
    await populate(dataIn(root), 2)
    histories.set(root, [[], readAuditIds(databasePath(dataIn(root)))])
  },
  run: (root, trace) => runOk(dataIn(root), ['move', '--to', targetIn(root)], trace),
  async check(root) {
    const [, history = []] = histories.get(root) ?? []
    const isComplete = isUsable(targetIn(root))
    const failures = isComplete && isUsable(dataIn(root)) ? ['both folders can be used'] : []
    if (!isComplete)
      failures.push(
        ...failure('the move cannot be resumed', await run(dataIn(root), ['move', '--to', targetIn(root)])),
      )
    // A move copies rows in the order of their keys.
    const moved = await readHistoryAfterStart(targetIn(root))
    if (!isSameHistory(moved.toSorted(), history.toSorted()))
      failures.push('the target does not have all data')
    if (isUsable(dataIn(root))) failures.push('the source can still be used')
    return { isComplete, failures: [...failures, ...(await findFaults(databasePath(targetIn(root))))] }
  },
}

/** The commands that write the files of an instance and report when they are done. */
export const interruptedCommands: readonly InterruptedCommand[] = [init, firstServe, backup, restore, move]
