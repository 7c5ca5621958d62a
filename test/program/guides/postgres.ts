import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { queryServer, startServerProcess } from '@reeve/db/test-cluster'
import { createCertificate, enableTls } from '@reeve/db/test-tls'

const SUPERUSER_PASSWORD = 'superuser'

/** Starts a PostgreSQL server with TLS as a package installs it: with the superuser `postgres` and no user `reeve`. */
export async function startDatabaseServer(root: string) {
  const { getUrl } = startServerProcess(false)
  const adminUrl = getUrl('postgres')
  const folder = join(root, 'certificate')
  mkdirSync(folder)
  // The server runs as another user.
  for (const parent of [root, folder]) chmodSync(parent, 0o755)
  const certificate = createCertificate(folder, 'server')
  await queryServer(adminUrl, `create role postgres superuser login password '${SUPERUSER_PASSWORD}'`)
  const url = adminUrl.replace(/\/\/[^@]*@/, `//postgres:${SUPERUSER_PASSWORD}@`)
  await queryServer(url, 'alter role reeve rename to installer')
  await enableTls(url, certificate)
  const { port } = new URL(url)
  return {
    port,
    certificateFile: `${certificate}.crt`,
    /** The environment of PostgreSQL's programs as the user `postgres`. */
    env: { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres', PGPASSWORD: SUPERUSER_PASSWORD },
    query: <Row>(sql: string, database = 'postgres') =>
      queryServer<Row>(url.replace(/[^/]*$/, database), sql),
  }
}
