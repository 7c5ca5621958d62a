import { isIP } from 'node:net'
import { suggest, wire } from '@reeve/core'
import { listKeyFileProblems, listOffsiteProblems } from './backups/offsite/settings.ts'
import { toSentence } from './format.ts'
import { imageBucket } from './images/settings.ts'
import { isLoopback } from './loopback.ts'
import { listMailProblems, listMailWarnings } from './mail/settings.ts'
import { listProviderWarnings, PROVIDER_PREFIX, readProviders } from './oidc/settings.ts'
import { findMissingVariables } from './s3/settings.ts'
import { assertNotExample, findVariable, getFileVariable, type SettingSource } from './secret-files.ts'
import { MISSING_SETTING } from './secret-key/error.ts'
import type { Setting } from './setting.ts'
import { type Config, type SettingName, type SettingValues, settings } from './settings.ts'
import { listUnencryptedConnections } from './unencrypted.ts'

/** Invalid settings: one sentence per problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>
/** Values of flags by the name of their setting. */
export type Flags = Readonly<Record<string, unknown>>

/**
 * Reads some of the settings. Flags take precedence over environment variables.
 * @throws ConfigError with every problem
 */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  flags: Flags,
  env: Environment,
): Pick<SettingValues, Name> {
  const problems: string[] = []
  const read = names.map((name) => {
    const setting: Setting<unknown> = settings[name]
    const source = findSource(setting, flags[name], env)
    try {
      const text = source.readText().trim()
      if (setting.isSecret) assertNotExample(text)
      return [name, setting.read(text)] as const
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error
      problems.push(toSentence(`${source.name} ${error.message}`))
      return [name, undefined] as const
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.fromEntries(read) as unknown as Pick<SettingValues, Name>
}

const findSource = (setting: Setting<unknown>, flag: unknown, env: Environment): SettingSource =>
  typeof flag === 'string' && flag !== ''
    ? { name: `--${setting.flag}`, readText: () => flag }
    : findVariable(setting, env)

/** Whether a variable, or for secrets the one that names a file, has a value. */
export const isSet = (env: Environment, variable: string): boolean =>
  Boolean(env[variable]?.trim()) ||
  Object.values<Setting<unknown>>(settings).some((setting) => {
    const fileVariable = setting.env === variable ? getFileVariable(setting) : null
    return fileVariable !== null && Boolean(env[fileVariable]?.trim())
  })

/** Reads every setting for startup. @throws ConfigError with every problem, missing and mistyped variables included */
export function readConfig(flags: Flags, env: Environment): Config {
  const { providers: oidcProviders, problems } = readProviders(env)
  const otherProblems = [...findMissing(env), ...problems, ...findUnknown(env).mistyped]
  try {
    const config = { ...readSettings(Object.keys(settings) as SettingName[], flags, env), oidcProviders }
    const conflicts = findConflicts(config)
    if (otherProblems.length + conflicts.length === 0) return config
    throw new ConfigError(conflicts)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...error.problems, ...otherProblems])
  }
}

/** Settings that other settings require. */
function findMissing(env: Environment): string[] {
  const isVariableSet = (variable: string) => isSet(env, variable)
  const missing = findMissingVariables(imageBucket, isVariableSet).map(
    (variable) => `${variable} is missing. The other settings of the image bucket require it.`,
  )
  missing.push(...listOffsiteProblems(isVariableSet), ...listMailProblems(isVariableSet))
  if (isSet(env, settings.databaseUrl.env) && !isSet(env, settings.secretKey.env))
    missing.push(MISSING_SETTING)
  // Without the direct connection, the data would go to a local folder and not to the pooler's database.
  if (isSet(env, settings.poolerUrl.env) && !isSet(env, settings.databaseUrl.env))
    missing.push(
      `${settings.databaseUrl.env} is missing. ${settings.poolerUrl.env} also requires the URL of a direct connection to the same database.`,
    )
  return missing
}

/** Settings that contradict each other. */
function findConflicts({
  sharePort,
  databaseUrl,
  listen,
  publicUrl,
  backupKeyFile,
  host,
  port,
  metricsListen,
}: Config): string[] {
  const { env: sharePortName } = settings.sharePort
  const conflicts = listKeyFileProblems(backupKeyFile)
  if (sharePort && listen !== null)
    conflicts.push(
      `${sharePortName} has no meaning with ${settings.listen.env}: give each process a socket of its own.`,
    )
  else if (sharePort && databaseUrl === null)
    conflicts.push(
      `${sharePortName} requires ${settings.databaseUrl.env}: only processes of one PostgreSQL database have the same data.`,
    )
  if (listen !== null && publicUrl === null)
    conflicts.push(
      `${settings.listen.env} requires ${settings.publicUrl.env}: the URL at which the reverse proxy makes the socket available.`,
    )
  if (listen === null && metricsListen !== null && port !== 0 && isSameAddress({ host, port }, metricsListen))
    conflicts.push(
      `${settings.metricsListen.env} has the port ${port}, which is that of ${settings.port.env}: the metrics need another one.`,
    )
  return conflicts
}

/** Whether only one of two programs could listen, because the ports are the same, and the hosts too or one of them is every interface. */
const isSameAddress = (one: Pick<Config, 'host' | 'port'>, other: Pick<Config, 'host' | 'port'>): boolean =>
  one.port === other.port && (one.host === other.host || isWildcard(one.host) || isWildcard(other.host))

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** `REEVE_` variables that are not settings: probable typing errors, and the rest. */
function findUnknown(env: Environment): { mistyped: string[]; unknown: string[] } {
  const known = Object.values<Setting<unknown>>(settings).flatMap((setting) => {
    const fileVariable = getFileVariable(setting)
    return fileVariable === null ? [setting.env] : [setting.env, fileVariable]
  })
  const mistyped: string[] = []
  const unknown: string[] = []
  for (const name of Object.keys(env)) {
    if (!/^reeve_/i.test(name) || known.includes(name) || name.startsWith(PROVIDER_PREFIX)) continue
    const suggestion = suggest(name, known)
    if (suggestion) mistyped.push(`${name} is not a setting; did you mean ${suggestion}?`)
    else unknown.push(name)
  }
  return { mistyped, unknown }
}

/** Settings that are valid but probably unintended, one sentence each. */
export function listWarnings(config: Config, env: Environment): string[] {
  const warnings = findUnknown(env).unknown.map(
    (name) => `${name} is not a setting of Reeve and has no effect.`,
  )
  for (const name of ['backupEvery', 'backupS3Bucket'] as const) {
    if (config.databaseUrl !== null && config[name] !== null)
      warnings.push(
        `${settings[name].env} has no effect when the data is in PostgreSQL: back up the database there.`,
      )
  }
  warnings.push(...listProviderWarnings(config.oidcProviders, config.publicUrl))
  warnings.push(...listMailWarnings(config.smtpUrl, config.publicUrl))
  warnings.push(...listUnencryptedConnections(config))
  const isExposed =
    config.listen === null && !isLoopback(config.host) && config.publicUrl?.protocol !== 'https:'
  return isExposed
    ? [
        ...warnings,
        `Reeve listens on ${config.host} and its public URL is plain http: passwords, sessions and API keys are sent ` +
          'unencrypted. Put a reverse proxy with TLS in front of it and set REEVE_PUBLIC_URL to its https URL.',
      ]
    : warnings
}

/** The public URL: the setting, or else derived from the host and port. */
export function resolvePublicUrl(config: Pick<Config, 'publicUrl' | 'host'>, port: number): URL {
  if (config.publicUrl) return config.publicUrl
  const host = isWildcard(config.host)
    ? 'localhost'
    : isIP(config.host) === 6
      ? `[${config.host}]`
      : config.host
  return new URL(`http://${host}:${port}`)
}
