import { join } from 'node:path'
import { databasePath } from '@reeve/db'
import { BINARY, type CommandResult, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  findBackupFaults,
  isSameHistory,
  listBackups,
  readAuditIds,
  readRequestIds,
} from './support/backup-checks.ts'
import { findStateDifferences } from './support/database-checks.ts'
import { type FaultResult, summarizeFindings } from './support/fault.ts'
import { populate, renewSessions, type WorkspaceCredentials } from './support/populate.ts'
import { LOAD_SERVER_ENV } from './support/server-settings.ts'
import { createAuthHeaders, createWriteLoad, type WriteLedger } from './support/write-load.ts'

const WRITERS = 64
const WORKSPACES = 8
/** How many of the backups made under load are restored and served. */
const RESTORE_COUNT = 4

/** A backup, and the writes acknowledged before it was requested. */
interface BackupRun {
  readonly acknowledged: ReadonlySet<string>
  readonly result: CommandResult
}

/**
 * Makes backups one after the other while 64 writers load the server. Each must contain exactly the first changes in commit
 * order, and every change acknowledged before the backup was requested.
 */
export async function backupsUnderLoad(
  count: number,
  random: () => number,
  log: (line: string) => void,
): Promise<FaultResult> {
  const folder = temporaryFolder()
  const to = join(folder.path, 'backups')
  const failures: string[] = []
  const stats = {
    backups: 0,
    acknowledged: 0,
    inconsistent: 0,
    'acknowledged before, missing': 0,
    restored: 0,
  }
  try {
    const workspaces = await populate(folder.data, WORKSPACES)
    const load = createWriteLoad(workspaces, WRITERS, random)
    const server = await startServer({ dataDir: folder.data, program: BINARY, env: LOAD_SERVER_ENV })
    let isDone = false
    const loadRun = load.run(server.url, () => isDone)
    const backupRuns: BackupRun[] = []
    for (let backupIndex = 0; backupIndex < count; backupIndex++) {
      await Bun.sleep(random() * 200)
      const acknowledged = new Set(load.ledger.acknowledged.map(({ id }) => id))
      const args = ['backup', '--to', `${to}/`, '--keep', '0', '--json']
      backupRuns.push({
        acknowledged,
        result: await runReeve(args, { dataDir: folder.data, program: BINARY }),
      })
      if ((backupIndex + 1) % 10 === 0)
        log(`${backupIndex + 1} of ${count} backups, ${load.ledger.acknowledged.length} writes acknowledged`)
    }
    isDone = true
    await loadRun
    await load.retryPending(server.url)
    stats.acknowledged = load.ledger.acknowledged.length
    failures.push(...summarizeFindings('unexpected responses', load.ledger.unexpectedResponses))

    const history = readAuditIds(databasePath(folder.data))
    for (const { acknowledged, result } of backupRuns) {
      if (result.exitCode !== 0) {
        failures.push(`a backup failed: ${result.err}`)
        continue
      }
      const { file } = JSON.parse(result.out) as { file: string }
      stats.backups += 1
      failures.push(...(await findBackupFaults(file)))
      const backupHistory = readAuditIds(file)
      if (!isSameHistory(backupHistory, history.slice(0, backupHistory.length))) stats.inconsistent += 1
      const requests = readRequestIds(file)
      stats['acknowledged before, missing'] += [...acknowledged].filter((id) => !requests.has(id)).length
    }
    if (stats.inconsistent > 0) failures.push(`${stats.inconsistent} backups are inconsistent`)
    if (stats['acknowledged before, missing'] > 0)
      failures.push('writes acknowledged before a backup are missing from it')
    failures.push(
      ...(await compareRestoredInstance(server.url, folder.data, folder.path, workspaces, load.ledger)),
    )
    await server.stop()

    const files = listBackups(to)
    for (let index = 0; index < Math.min(RESTORE_COUNT, files.length); index++) {
      const file = files[Math.floor(random() * files.length)] as string
      failures.push(...(await checkRestoredBackup(file, join(folder.path, `restored-${index}`))))
      stats.restored += 1
    }
  } finally {
    folder.remove()
  }
  return { stats, failures }
}

const lists = [
  'moderation?limit=200',
  'moderation?banList=true&limit=200',
  'moderation?banHistory=true&limit=200',
  'departments?limit=200',
  'events?limit=200',
  '_workspace-permissions?',
]

/** A server's responses to reads of every list. */
async function readLists(url: string, workspaces: readonly WorkspaceCredentials[]): Promise<string[]> {
  const responses: string[] = []
  for (const workspace of workspaces) {
    const paths = lists.map((list) => `${list}&workspaceId=${workspace.workspaceId}`)
    for (const path of [...paths, `workspaces?archives=true&id=${workspace.workspaceId}`]) {
      const response = await fetch(`${url}/api/${path}`, {
        headers: createAuthHeaders(workspace, 'key'),
      })
      responses.push(`${path} ${response.status} ${await response.text()}`)
    }
  }
  return responses
}

/** A backup of an idle instance, restored and served, returns the same responses as the instance. */
async function compareRestoredInstance(
  url: string,
  dataDir: string,
  scratch: string,
  workspaces: readonly WorkspaceCredentials[],
  ledger: WriteLedger,
): Promise<string[]> {
  const backupFile = join(scratch, 'at-rest.db')
  const copy = join(scratch, 'copy')
  const expected = await readLists(url, workspaces)
  for (const args of [
    ['backup', '--to', backupFile],
    ['restore', '--from', backupFile, '--create'],
  ]) {
    const program = { dataDir: args[0] === 'backup' ? dataDir : copy, program: BINARY }
    const { exitCode, err } = await runReeve(args, program)
    if (exitCode !== 0) return [`${args[0]} of an idle instance failed: ${err}`]
  }
  const renewed = await renewSessions(copy, workspaces)
  const server = await startServer({ dataDir: copy, program: BINARY, env: LOAD_SERVER_ENV })
  try {
    const actual = await readLists(server.url, workspaces)
    const differing = actual.filter((response, index) => response !== expected[index])
    return [
      ...summarizeFindings('lists read differently after a restore', differing),
      ...summarizeFindings(
        'records read differently after a restore',
        await findStateDifferences(server.url, ledger, renewed),
      ),
      ...(expected.every((response) => / 200 /.test(response)) ? [] : ['some lists could not be read']),
    ]
  } finally {
    await server.stop()
  }
}

/** Any backup can be restored and served, and the doctor finds no problem. */
async function checkRestoredBackup(file: string, dataDir: string): Promise<string[]> {
  const restoreResult = await runReeve(['restore', '--from', file, '--create'], { dataDir, program: BINARY })
  if (restoreResult.exitCode !== 0) return [`restore failed: ${restoreResult.err}`]
  const isIdentical = isSameHistory(readAuditIds(file), readAuditIds(databasePath(dataDir)))
  const server = await startServer({ dataDir, program: BINARY, env: LOAD_SERVER_ENV })
  const ready = await fetch(`${server.url}/readyz`)
  const doctor = await runReeve(['doctor'], { dataDir, program: BINARY })
  const exitCode = await server.stop()
  return [
    ...(isIdentical ? [] : ['a restored folder differs from its backup']),
    ...(ready.status === 200 && exitCode === 0 ? [] : ['a restored folder cannot be served']),
    ...(doctor.exitCode === 0 ? [] : [`the doctor reports problems in a restored folder: ${doctor.out}`]),
  ]
}
