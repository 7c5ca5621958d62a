import { isLoopback } from './loopback.ts'
import { type Config, settings } from './settings.ts'

/** Parameters of a database URL with which the driver enables TLS. Source: pg-connection-string 2 */
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** Settings with which data are sent to another machine unencrypted, or to a server that nobody has verified; one sentence each. */
export function listUnencryptedConnections(config: Config): string[] {
  const warnings: string[] = []
  for (const name of ['databaseUrl', 'poolerUrl'] as const) {
    const problem = config[name] === null ? null : findDatabaseProblem(new URL(config[name]))
    if (problem !== null) warnings.push(`${settings[name].env}: ${problem}`)
  }
  for (const name of ['s3Endpoint', 'backupS3Endpoint'] as const) {
    const endpoint = config[name]
    if (endpoint?.protocol === 'http:' && !isLoopback(endpoint.hostname))
      warnings.push(
        `${settings[name].env} is http: the connection to ${endpoint.host} is not encrypted. Use an https URL.`,
      )
  }
  return warnings
}

function findDatabaseProblem(url: URL): string | null {
  const { searchParams } = url
  // A parameter takes precedence over the host of the URL. A path is that of a Unix socket.
  const host = searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host === '' || host.startsWith('/') || isLoopback(host)) return null
  const advice =
    'Add sslmode=verify-full, and sslrootcert=<file> if its certificate authority is not a public one.'
  if (!isEncrypted(searchParams)) return `the connection to ${host} is not encrypted. ${advice}`
  if (isVerified(searchParams)) return null
  return `the connection to ${host} is encrypted, but anyone in between can pretend to be the server. ${advice}`
}

const isEncrypted = (parameters: URLSearchParams): boolean =>
  parameters.get('sslmode') !== 'disable' &&
  (TLS_PARAMETERS.some((name) => parameters.has(name)) ||
    ['1', 'true'].includes(parameters.get('ssl') ?? '') ||
    parameters.get('sslnegotiation') === 'direct')

/** Without compatibility with libpq, the driver verifies the server in every mode but one. */
function isVerified(parameters: URLSearchParams): boolean {
  const mode = parameters.get('sslmode') ?? ''
  if (parameters.get('uselibpqcompat') !== 'true') return mode !== 'no-verify'
  return (
    mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && parameters.has('sslrootcert'))
  )
}
