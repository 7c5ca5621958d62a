import { expect, test } from 'bun:test'
import { listWarnings, readConfig } from '@reeve/api/config'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

const warn = (env: Record<string, string>) => listWarnings(readConfig({}, env), env)
const database = (url: string) => warn({ REEVE_DATABASE_URL: url, REEVE_SECRET_KEY: SECRET_KEY })
const store = (endpoint: string) => ({
  REEVE_S3_BUCKET: 'images',
  REEVE_S3_ENDPOINT: endpoint,
  REEVE_S3_REGION: 'eu-central-1',
  REEVE_S3_ACCESS_KEY_ID: 'id',
  REEVE_S3_SECRET_ACCESS_KEY: 'hidden-word',
})

test('a connection to PostgreSQL on another machine without TLS, or to an unverified server, is a warning', () => {
  const at = (rest: string) => database(`postgres://reeve:hidden-word@${rest}`)
  for (const rest of [
    'db.example.com/reeve',
    '10.0.0.5:5432/reeve?sslmode=disable',
    '127.0.0.1.example.com/reeve',
    'localhost/reeve?host=db.example.com',
  ]) {
    const warnings = at(rest)
    expect([rest, warnings]).toEqual([
      rest,
      [expect.stringContaining('is not encrypted. Add sslmode=verify-full')],
    ])
    expect(warnings[0]).toStartWith('REEVE_DATABASE_URL: ')
    expect(warnings[0]).not.toContain('hidden-word')
  }
  for (const query of [
    'sslmode=no-verify',
    'uselibpqcompat=true&sslmode=require',
    'uselibpqcompat=true&sslmode=prefer',
  ])
    expect(at(`db.example.com/reeve?${query}`)).toEqual([
      expect.stringContaining('can pretend to be the server'),
    ])
  for (const rest of [
    'db.example.com/reeve?sslmode=verify-full',
    'db.example.com/reeve?sslmode=require',
    'db.example.com/reeve?sslrootcert=/etc/ca.pem',
    'db.example.com/reeve?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    'localhost/reeve',
    '127.0.0.1:5432/reeve',
    '[::1]/reeve',
    '%2Fvar%2Frun%2Fpostgresql/reeve',
    'localhost/reeve?host=/var/run/postgresql',
  ])
    expect([rest, at(rest)]).toEqual([rest, []])
})

test('the pooler is checked too', () => {
  const warnings = warn({
    REEVE_SECRET_KEY: SECRET_KEY,
    REEVE_DATABASE_URL: 'postgres://reeve@db.example.com/reeve?sslmode=verify-full',
    REEVE_DATABASE_POOLER_URL: 'postgres://reeve@pooler.example.com:6432/reeve',
  })
  expect(warnings).toEqual([
    expect.stringMatching(/^REEVE_DATABASE_POOLER_URL: .*pooler\.example\.com is not encrypted/),
  ])
})

test('a bucket over http is a warning in the log and in `reeve doctor`, unless it is on this machine', async () => {
  expect(warn(store('http://127.0.0.1:9000'))).toEqual([])
  expect(warn(store('http://[::1]:9000'))).toEqual([])
  expect(warn(store('https://s3.example.com'))).toEqual([])
  const env = store('http://minio.example.com:9000')
  const message =
    'REEVE_S3_ENDPOINT is http: the connection to minio.example.com:9000 is not encrypted. Use an https URL.'
  expect(warn(env)).toEqual([message])
  const folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)
  const running = await startServer({ dataDir: folder.data, env })
  await running.waitForLog((line) => line.msg === message)
  await running.stop()
  const { out } = await runReeve(['doctor', '--json'], { dataDir: folder.data, env })
  expect(JSON.parse(out).findings).toContainEqual(
    expect.objectContaining({ check: 'settings', verdict: 'warning', found: message }),
  )
  folder.remove()
}, 60_000)
