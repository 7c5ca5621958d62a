import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseServerError, openServer, statement } from '../src/index.ts'
import { askServer, dropDatabase, newDatabase } from './cluster.ts'
import { removeScratch, scratchFolder } from './scratch.ts'
import { identity } from './server-process.ts'

const OPENSSL = '/usr/bin/openssl'

const nothing = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)

let url: string
/** The certificate that the server shows, and one that it does not. */
let own: string
let other: string

/** Makes a certificate of localhost that vouches for itself. @returns its path without the ending */
function certificate(folder: string, name: string): string {
  const path = join(folder, name)
  const { status, stderr } = spawnSync(OPENSSL, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', `${path}.key`, '-out', `${path}.crt`],
  ])
  if (status !== 0) throw new Error(String(stderr))
  chmodSync(`${path}.key`, 0o600)
  if (identity.uid !== undefined)
    for (const file of [folder, `${path}.key`, `${path}.crt`]) chownSync(file, identity.uid, identity.gid)
  return path
}

beforeAll(async () => {
  url = await newDatabase()
  own = certificate(scratchFolder(), 'own')
  other = certificate(scratchFolder(), 'other')
  for (const setting of [`ssl_cert_file = '${own}.crt'`, `ssl_key_file = '${own}.key'`, 'ssl = on'])
    await askServer(url, `alter system set ${setting}`)
  await askServer(url, 'select pg_reload_conf()')
  while ((await askServer<{ ssl: string }>(url, 'show ssl'))[0]?.ssl !== 'on');
})
afterAll(async () => {
  await askServer(url, 'alter system reset all')
  await askServer(url, 'select pg_reload_conf()')
  await dropDatabase(url)
  removeScratch()
})

const addressed = (host: string, mode: string): string => `${url.replace('127.0.0.1', host)}?${mode}`

describe('an address that asks for TLS', () => {
  test('has every connection encrypted, to a server that proves its name', async () => {
    const mode = `sslmode=verify-full&sslrootcert=${own}.crt`
    const { database: db } = await openServer(addressed('localhost', mode), Date.now)
    await db.write((tx) => tx.first(nothing, { workspaceId: 'w' }))
    await Promise.all([db.ping(), db.read.first(nothing, { workspaceId: 'w' })])
    const found = await askServer<{ ssl: boolean; many: string }>(
      url,
      `select ssl, count(*) as many from pg_stat_ssl join pg_stat_activity using (pid)
       where datname = current_database() and application_name = 'reeve' group by ssl`,
    )
    expect(found.map(({ ssl }) => ssl)).toEqual([true])
    // One that listens, one of units, one of lookups, one of other reads.
    expect(Number(found[0]?.many)).toBe(4)
    await db.close()
  })

  test.each([
    ['nobody vouches for', 'localhost', () => '', 'self signed certificate'],
    ['another one vouches for', 'localhost', () => `&sslrootcert=${other}.crt`, 'self signed certificate'],
    ['has another name', '127.0.0.1', () => `&sslrootcert=${own}.crt`, 'does not match'],
  ])('refuses a server whose certificate %s', async (_, host, vouching, why) => {
    const error = await openServer(addressed(host, `sslmode=verify-full${vouching()}`), Date.now).catch(
      (one: unknown) => one,
    )
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toContain(why)
  })
})
