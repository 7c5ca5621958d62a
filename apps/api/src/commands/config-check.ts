import { findProviderProblem } from '@reeve/auth'
import { inspectServer, type ServerInspection } from '@reeve/db'
import { listRemoteBackups } from '../backups/inventory.ts'
import { toBackupBucketSettings } from '../backups/offsite/settings.ts'
import { type CommandContext, localCommand, switchOption } from '../command-line/command.ts'
import { ConfigError, listWarnings, readConfig } from '../config.ts'
import { pluralize, toSentence } from '../format.ts'
import { createBucketStore } from '../images/bucket.ts'
import { toImageBucketSettings } from '../images/settings.ts'
import { nameIssuerVariable } from '../oidc/settings.ts'
import { createPorts, systemPorts } from '../ports.ts'
import { createBucketClient } from '../s3/client.ts'
import { matchesSecretKey } from '../secret-key/check-value.ts'
import { wrongKeyMessage } from '../secret-key/open.ts'
import { type Config, type SettingName, settings } from '../settings.ts'

/** A sentence about a setting: what is wrong, and what to do. */
interface SettingProblem {
  /** The variable or flag; null if the sentence is about several. */
  readonly setting: string | null
  readonly message: string
}

interface ConfigReport {
  readonly valid: boolean
  readonly problems: readonly SettingProblem[]
  readonly warnings: readonly SettingProblem[]
  /** What was connected to. */
  readonly connected: readonly string[]
}

/** Validates the settings as `reeve serve` does, without starting, locking or changing anything. */
export const checkConfigCommand = localCommand({
  options: {
    connect: switchOption(
      'also connect to PostgreSQL, the pooler, the buckets and the identity providers, as far as they are set',
    ),
  },
  settings: Object.keys(settings) as SettingName[],
  readsAllSettings: true,
  async run(context, { connect }): Promise<ConfigReport> {
    const { config, problems } = readValidConfig(context)
    if (config === null)
      return { valid: false, problems: problems.map(toProblem), warnings: [], connected: [] }
    const warnings = listWarnings(config, context.env).map(toProblem)
    const { failures, connected } = connect ? await tryConnections(config) : { failures: [], connected: [] }
    return { valid: failures.length === 0, problems: failures, warnings, connected }
  },
  print: ({ valid, problems, warnings, connected }) =>
    [
      ...problems.map(({ message }) => message),
      ...warnings.map(({ message }) => `Warning: ${message}`),
      ...connected.map((target) => `Connected to ${target}.`),
      valid ? 'All settings are valid.' : `${pluralize(problems.length, 'problem')} found.`,
    ].join('\n'),
  exitCode: ({ valid }) => (valid ? 0 : 2),
})

function readValidConfig({ flags, env }: CommandContext): {
  readonly config: Config | null
  readonly problems: readonly string[]
} {
  try {
    return { config: readConfig(flags, env), problems: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, problems: error.problems }
  }
}

/** A sentence is about the setting that it names first. */
const toProblem = (message: string): SettingProblem => ({
  setting: /--[a-z][a-z0-9-]*|REEVE_[A-Z0-9_]*/i.exec(message)?.[0] ?? null,
  message,
})

/** Connects to every configured server, one after the other. Errors contain no passwords. */
async function tryConnections(config: Config) {
  const failures: SettingProblem[] = []
  const connected: string[] = []
  const attempt = async (setting: string, advice: string, connect: () => Promise<string>) => {
    try {
      connected.push(await connect())
    } catch (error) {
      failures.push({ setting, message: `${setting}: ${toSentence((error as Error).message)} ${advice}` })
    }
  }
  for (const name of ['databaseUrl', 'poolerUrl'] as const) {
    const url = config[name]
    if (url === null) continue
    await attempt(settings[name].env, 'Check the URL, and that the server runs.', async () => {
      const inspection = await inspectServer(url)
      try {
        if (name === 'databaseUrl' && !(await hasConfiguredKey(inspection, config)))
          failures.push({ setting: settings.secretKey.env, message: wrongKeyMessage(config) })
      } finally {
        await inspection.close()
      }
      return `${inspection.engine} (${settings[name].env})`
    })
  }
  const bucket = toImageBucketSettings(config)
  if (bucket !== null) {
    const advice = 'Check the REEVE_S3_ settings, and that the access key can read, write and delete objects.'
    await attempt(settings.s3Bucket.env, advice, async () => {
      await createBucketStore(bucket).probe()
      return `the bucket ${bucket.bucket} at ${bucket.endpoint.origin} (${settings.s3Bucket.env})`
    })
  }
  const backupBucket = toBackupBucketSettings(config)
  if (backupBucket !== null) {
    const advice = 'Check the REEVE_BACKUP_S3_ settings, and that the access key can list objects.'
    await attempt(settings.backupS3Bucket.env, advice, async () => {
      const count = (await listRemoteBackups(createBucketClient(backupBucket))).length
      return `the bucket ${backupBucket.bucket} at ${backupBucket.endpoint.origin} with ${pluralize(count, 'backup')} (${settings.backupS3Bucket.env})`
    })
  }
  for (const provider of config.oidcProviders) {
    const variable = nameIssuerVariable(provider.id)
    await attempt(variable, 'Check the issuer, and that this machine can reach it.', async () => {
      const problem = await findProviderProblem(provider, systemPorts.now)
      if (problem !== null) throw new Error(problem)
      return `the identity provider ${provider.name} at ${provider.issuer.origin} (${variable})`
    })
  }
  return { failures, connected }
}

/** Whether a database contains no instance that knows its key, or that of the settings. */
const hasConfiguredKey = async (
  { schema, read }: ServerInspection,
  { secretKey }: Config,
): Promise<boolean> =>
  schema === null || secretKey === null || (await matchesSecretKey(read, createPorts(secretKey))) !== false
