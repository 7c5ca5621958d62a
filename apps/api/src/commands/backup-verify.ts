import { isEncryptedBackup, openEncryptedSource } from '../backups/encrypted-source.ts'
import { FROM_HELP, locateBackup } from '../backups/locate.ts'
import { openPlainBackup } from '../backups/restore.ts'
import { withScratchFolder } from '../backups/scratch.ts'
import { localCommand, optional, textCodec } from '../command-line/command.ts'
import { drillRestore } from '../doctor/drill.ts'
import { pluralize } from '../format.ts'
import { systemPorts } from '../ports.ts'
import { OFFSITE_SETTINGS, readBackupPlaces } from './backup-options.ts'
import { formatFinding, readBucketSettings } from './doctor.ts'

/** Does not touch the data folder: the server may be running. */
export const verifyBackupCommand = localCommand({
  options: { from: optional('<backup>', `${FROM_HELP} (default latest)`, textCodec) },
  settings: ['dataDir', 'databaseUrl', 'secretKey', 'backupDir', ...OFFSITE_SETTINGS],
  async run(context, { from }) {
    const { progress } = context
    const startedAt = performance.now()
    const places = await readBackupPlaces(context, 'such as pg_restore')
    const location = await locateBackup(from ?? 'latest', {
      ...places,
      prefersRemote: true,
      now: systemPorts.now,
      progress,
    })
    progress.step(`Verifying ${location}`)
    const source = isEncryptedBackup(location)
      ? await openEncryptedSource(location, places.readOffsite())
      : openPlainBackup(location)
    const images = readBucketSettings(context)
    const report = await withScratchFolder(places.folder, (scratch, lock) =>
      drillRestore(source, scratch, lock, images, places.secretKey, systemPorts.now, progress),
    )
    return {
      from: location,
      bytes: source.bytes,
      healthy: report.findings.every(({ verdict }) => verdict !== 'fault'),
      ...report,
      durationMs: Math.round(performance.now() - startedAt),
    }
  },
  print: ({ from, healthy, holds, newestChange, findings, durationMs }) =>
    [
      ...findings.map(formatFinding),
      `${pluralize(holds.workspaces, 'workspace')}, ${pluralize(holds.accounts, 'account')}, ` +
        `${pluralize(holds.records, 'moderation record')}; ` +
        (newestChange === null ? 'no changes.' : `the newest change was at ${newestChange}.`),
      `${from} ${healthy ? 'can be restored' : 'has faults: see above'}. It took ${(durationMs / 1000).toFixed(1)} s.`,
    ].join('\n'),
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
})
