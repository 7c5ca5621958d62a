import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { queryServer, spawnIdentity, startServerProcess } from '@reeve/db/test-cluster'

const OPENSSL = '/usr/bin/openssl'
const SUPERUSER_PASSWORD = 'superuser'

/** Creates a certificate for localhost that the server can read. @returns its path without the extension */
function createCertificate(root: string): string {
  const folder = join(root, 'certificate')
  mkdirSync(folder)
  const path = join(folder, 'server')
  const { status, stderr } = spawnSync(OPENSSL, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', `${path}.key`, '-out', `${path}.crt`],
  ])
  if (status !== 0) throw new Error(String(stderr))
  chmodSync(`${path}.key`, 0o600)
  if (spawnIdentity.uid !== undefined) {
    chmodSync(root, 0o755)
    for (const file of [folder, `${path}.key`, `${path}.crt`])
      chownSync(file, spawnIdentity.uid, spawnIdentity.gid)
    chmodSync(folder, 0o755)
  }
  return path
}

/** Starts a PostgreSQL server with TLS as a package installs it: with the superuser `postgres` and no user `reeve`. */
export async function startDatabaseServer(root: string) {
  const { getUrl } = startServerProcess(false)
  const adminUrl = getUrl('postgres')
  const certificate = createCertificate(root)
  await queryServer(adminUrl, `create role postgres superuser login password '${SUPERUSER_PASSWORD}'`)
  const url = adminUrl.replace(/\/\/[^@]*@/, `//postgres:${SUPERUSER_PASSWORD}@`)
  await queryServer(url, 'alter role reeve rename to installer')
  for (const setting of [
    `ssl_cert_file = '${certificate}.crt'`,
    `ssl_key_file = '${certificate}.key'`,
    'ssl = on',
  ])
    await queryServer(url, `alter system set ${setting}`)
  await queryServer(url, 'select pg_reload_conf()')
  while ((await queryServer<{ ssl: string }>(url, 'show ssl'))[0]?.ssl !== 'on');
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
