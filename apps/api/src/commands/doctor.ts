import { canEnterFolder, findMovedReason, hasInstance } from '@reeve/db'
import { resolveBackupFolder } from '../backups/destination.ts'
import { listLocalBackups, type StoredBackup } from '../backups/inventory.ts'
import { readLastBackup } from '../backups/last-backup.ts'
import { readInstanceTag } from '../backups/locate.ts'
import { readOffsiteConfig } from '../backups/offsite/read-config.ts'
import { type CommandContext, localCommand, NO_INSTANCE_ADVICE } from '../command-line/command.ts'
import { ConfigError, listWarnings, readConfig, readSettings } from '../config.ts'
import { readServerState } from '../control-socket.ts'
import { checkBackupNames, checkBackups } from '../doctor/backups.ts'
import { checkDatabase, movedFinding } from '../doctor/database.ts'
import { type Finding, fault, ok, warning } from '../doctor/finding.ts'
import { checkFolder, inaccessibleFinding } from '../doctor/folder.ts'
import { checkMailServer } from '../doctor/mail.ts'
import { checkOffsite } from '../doctor/offsite.ts'
import { checkRequests } from '../doctor/requests.ts'
import { checkServer } from '../doctor/server.ts'
import { bucketSettings, toImageBucketSettings } from '../images/settings.ts'
import { mailSettings } from '../mail/settings.ts'
import { createMailTransport, type MailTransport } from '../mail/transport.ts'
import { systemPorts } from '../ports.ts'
import type { BucketClient, BucketSettings } from '../s3/client.ts'

/** Checks an instance without locking it and without changing it. A running server is not disturbed. */
export const doctorCommand = localCommand({
  options: {},
  settings: ['dataDir', 'databaseUrl', 'secretKey'],
  async run(context) {
    const { flags, env, progress } = context
    const { dataDir, databaseUrl } = readSettings(['dataDir', 'databaseUrl'], flags, env)
    const secretKey = { dataDir, databaseUrl, secretKey: readConfiguredKey(context) }
    const images = readBucketSettings(context)
    const publicUrl = readPublicUrl(context)
    const findings = [...checkSettings(context)]
    const movedReason = databaseUrl === null ? findMovedReason(dataDir) : null
    if (databaseUrl !== null) {
      findings.push(
        ...(await checkServer(databaseUrl, systemPorts.now, progress, images, secretKey, publicUrl)),
      )
    } else if (!canEnterFolder(dataDir)) {
      findings.push(inaccessibleFinding(dataDir))
    } else if (!hasInstance(dataDir)) {
      findings.push(fault('folder', `There is no instance in ${dataDir}.`, NO_INSTANCE_ADVICE))
    } else if (movedReason !== null) {
      findings.push(...checkFolder(dataDir), movedFinding(movedReason))
    } else {
      const tag = readInstanceTag(dataDir)
      const server = await readServerState(dataDir)
      const isKnown = server !== null && server !== 'unresponsive'
      const intervalMs = isKnown ? server.backupEvery : readBackupInterval(context)
      const client = readBackupClient(context)
      const lastUpload = readLastBackup(dataDir).offsite
      // Uploads that were turned off are not missed.
      const hasOffsiteBackups = client !== null || (isKnown ? server.hasOffsiteBackups : lastUpload !== null)
      findings.push(
        ...checkFolder(dataDir),
        ...(await checkDatabase(dataDir, systemPorts.now, progress, images, secretKey, publicUrl)),
        checkBackups(dataDir, intervalMs, systemPorts.now()),
        ...checkBackupNames('backup', listReadableBackups(context, dataDir), tag, systemPorts.now()),
        ...checkRequests(dataDir, server),
        ...(hasOffsiteBackups
          ? await checkOffsite(client, lastUpload, intervalMs, systemPorts.now(), tag)
          : []),
      )
    }
    findings.push(...(await checkMailServer(readMailTransport(context))))
    return { healthy: findings.every(({ verdict }) => verdict !== 'fault'), findings }
  },
  print: ({ healthy, findings }) =>
    [...findings.map(formatFinding), healthy ? 'No faults found.' : 'Faults found: see above.'].join('\n'),
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
})

/** Formats a finding for output. */
export const formatFinding = ({ check, verdict, found, advice }: Finding): string =>
  [
    `${verdict.padEnd(7)}  ${check.padEnd(10)}  ${found}`,
    ...(advice ? [`${' '.repeat(21)}${advice}`] : []),
  ].join('\n')

function checkSettings({ env, flags }: CommandContext): Finding[] {
  try {
    const warnings = listWarnings(readConfig(flags, env), env)
    if (warnings.length === 0) return [ok('settings', 'All settings are valid.')]
    return warnings.map((found) => warning('settings', found, 'See `reeve serve --help`.'))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((found) => fault('settings', found, 'See `reeve serve --help`.'))
  }
}

/** The image bucket from the settings of this process; null if they are invalid or set none. */
export function readBucketSettings({ env, flags }: CommandContext): BucketSettings | null {
  try {
    const names = Object.keys(bucketSettings) as (keyof typeof bucketSettings)[]
    return toImageBucketSettings(readSettings(names, flags, env))
  } catch {
    return null
  }
}

/** The secret key from the settings of this process; null if there is none. `checkSettings` reports an invalid one. */
function readConfiguredKey({ env, flags }: CommandContext): Uint8Array | null {
  try {
    return readSettings(['secretKey'], flags, env).secretKey
  } catch {
    return null
  }
}

/** The backup bucket from the settings of this process; null if they are invalid or set none. */
function readBackupClient({ env, flags }: CommandContext): BucketClient | null {
  try {
    return readOffsiteConfig(flags, env).client
  } catch {
    return null
  }
}

/** The backups in the folder from the settings of this process; none if it cannot be read: then no backup can be created either. */
function listReadableBackups({ env, flags }: CommandContext, dataDir: string): StoredBackup[] {
  try {
    return listLocalBackups(resolveBackupFolder(readSettings(['backupDir'], flags, env), dataDir))
  } catch {
    return []
  }
}

/** The backup interval from the settings of this process, for the next start of the server. `checkSettings` reports an invalid one. */
function readBackupInterval({ env, flags }: CommandContext): number | null {
  try {
    return readSettings(['backupEvery'], flags, env).backupEvery
  } catch {
    return null
  }
}

/** The public URL from the settings of this process; null if it is invalid or not set. */
function readPublicUrl({ env, flags }: CommandContext): URL | null {
  try {
    return readSettings(['publicUrl'], flags, env).publicUrl
  } catch {
    return null
  }
}

/** The mail server from the settings of this process; null if they are invalid or set none. */
function readMailTransport({ env, flags }: CommandContext): MailTransport | null {
  try {
    const names = Object.keys(mailSettings) as (keyof typeof mailSettings)[]
    const { smtpUrl, mailFrom } = readSettings(names, flags, env)
    return smtpUrl === null || mailFrom === null ? null : createMailTransport(smtpUrl, mailFrom)
  } catch {
    return null
  }
}
