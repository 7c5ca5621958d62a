import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DatabaseServerError, openServer, statement } from '../src/index.ts'
import { createDatabase, dropDatabase, queryServer } from './cluster.ts'
import { removeScratch, scratchFolder } from './scratch.ts'
import { createCertificate, enableTls } from './tls.ts'

const findHead = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)

let url: string
/** The certificate of the server, and another one. */
let ownCertificate: string
let otherCertificate: string

beforeAll(async () => {
  url = await createDatabase()
  ownCertificate = createCertificate(scratchFolder(), 'own')
  otherCertificate = createCertificate(scratchFolder(), 'other')
  await enableTls(url, ownCertificate)
})
afterAll(async () => {
  await queryServer(url, 'alter system reset all')
  await queryServer(url, 'select pg_reload_conf()')
  await dropDatabase(url)
  removeScratch()
})

const urlWith = (host: string, mode: string): string => `${url.replace('127.0.0.1', host)}?${mode}`

describe('a URL with TLS', () => {
  test('whose certificate file is missing is rejected with the name of its setting', async () => {
    const error = await openServer(urlWith('localhost', 'sslrootcert=/nowhere/ca.crt'), {
      now: Date.now,
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toMatch(
      /REEVE_DATABASE_URL names a file that cannot be read: ENOENT.*\/nowhere\/ca\.crt/,
    )
  })

  test('encrypts every connection, and verifies the host name', async () => {
    const mode = `sslmode=verify-full&sslrootcert=${ownCertificate}.crt`
    const { database: db } = await openServer(urlWith('localhost', mode), { now: Date.now })
    await db.write((tx) => tx.first(findHead, { workspaceId: 'w' }))
    await Promise.all([db.ping(), db.read.first(findHead, { workspaceId: 'w' })])
    const connections = await queryServer<{ ssl: boolean; many: string }>(
      url,
      `select ssl, count(*) as many from pg_stat_ssl join pg_stat_activity using (pid)
       where datname = current_database() and application_name = 'reeve' group by ssl`,
    )
    expect(connections.map(({ ssl }) => ssl)).toEqual([true])
    // One each for notifications, transactions, lookups and other reads.
    expect(Number(connections[0]?.many)).toBe(4)
    await db.close()
  })

  test.each([
    ['is not signed by a known CA', 'localhost', () => '', 'self signed certificate'],
    [
      'is signed by another CA',
      'localhost',
      () => `&sslrootcert=${otherCertificate}.crt`,
      'self signed certificate',
    ],
    ['has another host name', '127.0.0.1', () => `&sslrootcert=${ownCertificate}.crt`, 'does not match'],
  ])('rejects a server whose certificate %s', async (_, host, rootCertificate, expected) => {
    const error = await openServer(urlWith(host, `sslmode=verify-full${rootCertificate()}`), {
      now: Date.now,
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toContain(expected)
  })
})
