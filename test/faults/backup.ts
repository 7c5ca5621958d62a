import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '@reeve/db'
import { seededRandom } from '../bench/seeded-random.ts'
import { BINARY, runReeve } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { backupsUnderLoad } from './backup-load.ts'
import {
  copyWithUncheckpointedLog,
  findBackupFaults,
  findFaults,
  isSameHistory,
  listBackups,
  listReplacedDatabases,
  readAuditIds,
  readHistoryAfterStart,
  runReeveKilled,
} from './support/backup-checks.ts'
import type { FaultTest } from './support/fault.ts'
import { populate } from './support/populate.ts'

/** D5: backups under load, and kills during a backup and a restore. */
export const backup: FaultTest = {
  promise: 'D5',
  title:
    'backups under load are consistent; a kill during a backup or restore leaves the old or the new database',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const loadResult = await backupsUnderLoad(plan.cycles ?? (plan.short ? 3 : 40), random, log)
    const kills = plan.cuts ?? (plan.short ? 6 : 150)
    const backupKills = await killsInBackup(kills, random, log)
    const restoreKills = await killsInRestore(kills, random, log)
    return {
      stats: { ...loadResult.stats, ...backupKills.stats, ...restoreKills.stats },
      failures: [...loadResult.failures, ...backupKills.failures, ...restoreKills.failures],
    }
  },
}

type FaultResult = Awaited<ReturnType<FaultTest['run']>>

/** Every file named like a backup is complete, and the next backup removes leftovers. */
async function killsInBackup(
  kills: number,
  random: () => number,
  log: (line: string) => void,
): Promise<FaultResult> {
  const folder = temporaryFolder()
  const to = join(folder.path, 'backups')
  const failures: string[] = []
  let killedCount = 0
  try {
    await populate(folder.data, 4)
    const history = readAuditIds(databasePath(folder.data))
    for (let count = 1; count <= kills && failures.length === 0; count++) {
      const args = ['backup', '--to', `${to}/`, '--keep', '3', '--json']
      const { exitCode, killPoint } = await runReeveKilled(args, folder.data, random)
      if (exitCode !== 0) killedCount += 1
      for (const file of listBackups(to)) {
        failures.push(
          ...(await findBackupFaults(file)).map((fault) => `backup killed at ${killPoint}: ${fault}`),
        )
        if (!isSameHistory(readAuditIds(file), history))
          failures.push(`backup killed at ${killPoint}: ${file} has different content`)
      }
      if (count % 50 === 0) log(`${count} of ${kills} kills in a backup`)
    }
    const finalBackup = await runReeve(['backup', '--to', `${to}/`, '--keep', '3'], {
      dataDir: folder.data,
      program: BINARY,
    })
    if (finalBackup.exitCode !== 0) failures.push(`the backup after the kills failed: ${finalBackup.err}`)
    const leftovers = readdirSync(to).filter((name) => !/^reeve-.*\.db(\.sha256)?$/.test(name))
    if (leftovers.length > 0) failures.push(`leftovers after the next backup: ${leftovers.join(', ')}`)
    if (listBackups(to).length > 3) failures.push(`${listBackups(to).length} backups were left instead of 3`)
  } finally {
    folder.remove()
  }
  return { stats: { 'backups killed': killedCount }, failures }
}

/** After a kill the folder contains either the old or the new database, never a mix; a second restore succeeds. */
async function killsInRestore(
  kills: number,
  random: () => number,
  log: (line: string) => void,
): Promise<FaultResult> {
  const folder = temporaryFolder()
  const from = join(folder.path, 'backup.db')
  const targetDir = join(folder.path, 'victim')
  const failures: string[] = []
  const stats = { 'restores killed': 0, 'left the old database': 0, 'left the new database': 0 }
  try {
    await populate(folder.data, 2)
    await runReeve(['backup', '--to', from], { dataDir: folder.data, program: BINARY })
    const initialDir = join(folder.path, 'before')
    await copyWithUncheckpointedLog(folder.data, initialDir)
    const [backupHistory, folderHistory] = [readAuditIds(from), readAuditIds(databasePath(initialDir))]
    if (isSameHistory(backupHistory, folderHistory))
      failures.push('the backup and the folder are identical, so this test proves nothing')
    for (let count = 1; count <= kills && failures.length === 0; count++) {
      cpSync(initialDir, targetDir, { recursive: true, force: true })
      const { exitCode, killPoint } = await runReeveKilled(['restore', '--from', from], targetDir, random)
      const foundHistory = await readHistoryAfterStart(targetDir)
      const messagePrefix = `restore killed at ${killPoint}`
      if (exitCode !== 0) stats['restores killed'] += 1
      if (isSameHistory(foundHistory, folderHistory)) stats['left the old database'] += 1
      else if (isSameHistory(foundHistory, backupHistory)) stats['left the new database'] += 1
      else
        failures.push(
          `${messagePrefix}: neither the old nor the new database is in place: ${foundHistory.length} rows, ${foundHistory.at(-1)}`,
        )
      if (exitCode === 0 && !isSameHistory(foundHistory, backupHistory))
        failures.push(`${messagePrefix}: it reported success without restoring`)
      failures.push(
        ...(await findFaults(databasePath(targetDir))).map((fault) => `${messagePrefix}: ${fault}`),
      )
      if (isSameHistory(foundHistory, backupHistory)) {
        if (
          !listReplacedDatabases(targetDir).some((file) => isSameHistory(readAuditIds(file), folderHistory))
        )
          failures.push(`${messagePrefix}: the old database is lost`)
      } else {
        const secondRestore = await runReeve(['restore', '--from', from], {
          dataDir: targetDir,
          program: BINARY,
        })
        if (secondRestore.exitCode !== 0)
          failures.push(`${messagePrefix}: the next restore failed: ${secondRestore.err}`)
        if (!isSameHistory(readAuditIds(databasePath(targetDir)), backupHistory))
          failures.push(`${messagePrefix}: the next restore did nothing`)
      }
      if (count % 50 === 0) log(`${count} of ${kills} kills in a restore`)
      await Bun.$`rm -rf ${targetDir}`.quiet()
    }
  } finally {
    folder.remove()
  }
  return { stats, failures }
}
