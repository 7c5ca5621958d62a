import { findMovedReason, hasInstance } from '@reeve/db'
import { ConfigError, readConfig, readSettings, warningsOf } from '../config.ts'
import { lookAtBackups } from '../doctor/backups.ts'
import { lookAtDatabase, movedFrom } from '../doctor/database.ts'
import { type Finding, fault, ok, warning } from '../doctor/finding.ts'
import { lookAtFolder } from '../doctor/folder.ts'
import { lookAtServer } from '../doctor/server.ts'
import type { BucketSettings } from '../images/bucket.ts'
import { bucketSettings } from '../images/settings.ts'
import { bucketIn } from '../images/store.ts'
import { realPorts } from '../ports.ts'
import { BEGIN_OR_NAME, here, type Surroundings } from './command.ts'

/** Looks at an instance beside whoever is using it, and changes nothing. */
export const doctor = here({
  options: {},
  settings: ['dataDir', 'databaseUrl'],
  async run(surroundings) {
    const { flags, env, progress } = surroundings
    const { dataDir, databaseUrl } = readSettings(['dataDir', 'databaseUrl'], flags, env)
    const images = imagesIn(surroundings)
    const findings = [...lookAtSettings(surroundings)]
    const moved = databaseUrl === null ? findMovedReason(dataDir) : null
    if (databaseUrl !== null) {
      findings.push(...(await lookAtServer(databaseUrl, realPorts.now, progress, images)))
    } else if (!hasInstance(dataDir)) {
      findings.push(fault('folder', `There is no instance in ${dataDir}.`, BEGIN_OR_NAME))
    } else if (moved !== null) {
      findings.push(...lookAtFolder(dataDir), movedFrom(moved))
    } else {
      findings.push(
        ...lookAtFolder(dataDir),
        ...(await lookAtDatabase(dataDir, realPorts.now, progress, images)),
        lookAtBackups(dataDir, everyIn(surroundings), realPorts.now()),
      )
    }
    return { healthy: findings.every(({ verdict }) => verdict !== 'fault'), findings }
  },
  print: ({ healthy, findings }) =>
    [
      ...findings.map(({ check, verdict, found, advice }) =>
        [
          `${verdict.padEnd(7)}  ${check.padEnd(10)}  ${found}`,
          ...(advice ? [`${' '.repeat(21)}${advice}`] : []),
        ].join('\n'),
      ),
      healthy ? 'All is well.' : 'Something is wrong: see above.',
    ].join('\n'),
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
})

function lookAtSettings({ env, flags }: Surroundings): Finding[] {
  try {
    const warnings = warningsOf(readConfig(flags, env), env)
    if (warnings.length === 0) return [ok('settings', 'Every setting can be used.')]
    return warnings.map((found) => warning('settings', found, 'See `reeve serve --help`.'))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((found) => fault('settings', found, 'See `reeve serve --help`.'))
  }
}

/** The bucket for images, as far as the settings here say. */
function imagesIn({ env, flags }: Surroundings): BucketSettings | null {
  try {
    const names = Object.keys(bucketSettings) as (keyof typeof bucketSettings)[]
    return bucketIn(readSettings(names, flags, env))
  } catch {
    return null
  }
}

/** How often the server makes a backup, as far as the settings here say; a wrong one is told as a setting. */
function everyIn({ env, flags }: Surroundings): number | null {
  try {
    return readSettings(['backupEvery'], flags, env).backupEvery
  } catch {
    return null
  }
}
