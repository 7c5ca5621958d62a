import { Client } from 'pg'
import { DatabaseServerError } from '../errors.ts'
import { clientConfig } from './connections.ts'

/** The oldest supported major version: https://www.postgresql.org/support/versioning/ */
const MIN_VERSION = 14

/**
 * Removes the timeouts that a role or a database sets for its connections. An unknown name would be an error, and older versions lack some
 * of these.
 */
const REMOVE_TIMEOUTS = `select set_config(name, '0', false) from pg_settings where name in ('statement_timeout',
  'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`

/**
 * Connects outside of the connection pools.
 * @param setting the setting or flag that holds the URL, for the error message
 * @param isPooled whether the URL is that of a pooler
 * @returns a connection without timeouts, except through a pooler, and the version of the server
 * @throws DatabaseServerError whose message names the server, and never the password
 */
export async function connectToServer(
  url: string,
  setting = 'REEVE_DATABASE_URL',
  isPooled = false,
): Promise<{ client: Client; version: string }> {
  const client = createClient(url, setting, isPooled)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
    )
    const [{ version, encoding }] = rows as [{ version: string; encoding: string }]
    assertSupported(version, encoding)
    // Through a pooler, other programs would get the connection without timeouts.
    if (!isPooled) await client.query(REMOVE_TIMEOUTS)
    return { client, version: version.split(' ')[0] ?? '' }
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof DatabaseServerError) throw error
    const { host, port, database } = client
    throw new DatabaseServerError(
      `The database ${database ?? ''} at ${host}:${port} cannot be opened: ${describeError(error)}. Check ${setting}, ` +
        'and that the server is running and accepts connections from this machine.',
    )
  }
}

/** The driver reads the files that a URL names at once. */
function createClient(url: string, setting: string, isPooled: boolean): Client {
  try {
    return new Client(clientConfig(url, isPooled))
  } catch (error) {
    throw new DatabaseServerError(
      `${setting} names a file that cannot be read: ${describeError(error)}. Check its sslrootcert, sslcert and sslkey.`,
    )
  }
}

function assertSupported(version: string, encoding: string): void {
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new DatabaseServerError(`PostgreSQL ${version} is too old; ${MIN_VERSION} or later is required.`)
  if (encoding !== 'UTF8') {
    throw new DatabaseServerError(
      `The encoding of the database is ${encoding}. Create a database with the encoding UTF8 (createdb --encoding=UTF8).`,
    )
  }
}

const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // The driver's message for it names only the step of the protocol.
  if (/password must be a (non-empty )?string/.test(error.message))
    return 'the server requires a password, and the URL has none (postgres://user:password@host/name)'
  return error.message || ('code' in error ? String(error.code) : error.name)
}
