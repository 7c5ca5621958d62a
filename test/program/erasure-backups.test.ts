import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pollFor } from '../support/poll.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { type OffsiteFixture, openOffsiteFixture } from './offsite-fixture.ts'

setDefaultTimeout(120_000)

const PLAYER = '7654321098'

let fixture: OffsiteFixture
let workspaceId: string
let key: string
beforeAll(async () => {
  fixture = await openOffsiteFixture()
  const { out } = await fixture.run(['workspace', 'list', '--json'])
  workspaceId = JSON.parse(out).workspaces[0].id
  const created = await fixture.run([
    ...['key', 'create', '--workspace', workspaceId, '--name', 'erasure', '--json'],
    ...['--permissions', 'moderation.view,moderation.note,moderation.erase'],
  ])
  key = JSON.parse(created.out).apiKey
})
afterAll(() => fixture.close())

/** Without a rate limit: the tests read an erasure until it is complete. */
const start = () =>
  startServer({ dataDir: fixture.folder.data, env: { ...fixture.env, REEVE_KEY_RATE_PER_MINUTE: '0' } })

async function send({ url }: RunningServer, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/api/moderation${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify({ workspaceId, ...body }) }),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text)
}

async function erase(server: RunningServer) {
  const body = { userId: PLAYER, confirmUserId: PLAYER, mode: 'erase', reason: 'On request' }
  const { erasure } = await send(server, 'POST', '/erasures', body)
  return pollFor(
    async () => (await send(server, 'GET', `/erasures?workspaceId=${workspaceId}&id=${erasure.id}`)).erasure,
    ({ state }) => state === 'succeeded',
    'the erasure has succeeded',
  )
}

test('an erasure lists the backups of this instance in the folder and in the bucket that contain the player', async () => {
  await fixture.backUp()
  const server = await start()
  try {
    await send(server, 'POST', '', { action: 'note', userId: PLAYER, reason: 'Seen' })
    const { report } = await fixture.backUp()
    const foreign = join(dirname(report.file), basename(report.file).replace(/reeve-\w{6}/, 'reeve-aaaaaa'))
    writeFileSync(foreign, 'of another instance')
    const name = basename(report.file)
    const listed = (erasure: { backups: { name: string; place: string }[] }) =>
      erasure.backups.map((backup) => `${backup.place} ${backup.name}`).sort()
    const erasure = await erase(server)
    expect(erasure.backupsProblem).toBeNull()
    expect(listed(erasure)).toEqual([`bucket ${name}.enc`, `folder ${name}`])
    rmSync(report.file)
    const again = await send(server, 'GET', `/erasures?workspaceId=${workspaceId}&id=${erasure.id}`)
    expect(listed(again.erasure)).toEqual([`bucket ${name}.enc`])
  } finally {
    await server.stop()
  }
})

test('an erasure says that the backups in a bucket could not be listed, and lists those in the folder', async () => {
  const server = await start()
  try {
    await send(server, 'POST', '', { action: 'note', userId: PLAYER, reason: 'Seen' })
    const { report } = await fixture.backUp()
    fixture.store.setBehavior('failing')
    const erasure = await erase(server)
    expect(erasure.backups.map((backup: { name: string }) => backup.name)).toEqual([basename(report.file)])
    expect(erasure.backupsProblem).toBe('The backups in the bucket could not be listed.')
  } finally {
    fixture.store.setBehavior('ok')
    await server.stop()
  }
})
