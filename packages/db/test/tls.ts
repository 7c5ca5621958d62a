import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { queryServer } from './cluster.ts'
import { spawnIdentity } from './server-process.ts'

const OPENSSL = '/usr/bin/openssl'

/** Creates a self-signed certificate that a server can read. @returns its path without the extension */
export function createCertificate(folder: string, name: string, host = 'localhost'): string {
  const path = join(folder, name)
  const { status, stderr } = spawnSync(OPENSSL, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', `${path}.key`, '-out', `${path}.crt`],
  ])
  if (status !== 0) throw new Error(String(stderr))
  chmodSync(`${path}.key`, 0o600)
  if (spawnIdentity.uid !== undefined)
    for (const file of [folder, `${path}.key`, `${path}.crt`])
      chownSync(file, spawnIdentity.uid, spawnIdentity.gid)
  return path
}

/** Makes a server accept TLS. @param url of a superuser @param certificate the path without the extension */
export async function enableTls(url: string, certificate: string): Promise<void> {
  for (const setting of [
    `ssl_cert_file = '${certificate}.crt'`,
    `ssl_key_file = '${certificate}.key'`,
    'ssl = on',
  ])
    await queryServer(url, `alter system set ${setting}`)
  await queryServer(url, 'select pg_reload_conf()')
  while ((await queryServer<{ ssl: string }>(url, 'show ssl'))[0]?.ssl !== 'on');
}
