import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { readLiveStream } from '../support/live-stream.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

let folder: TemporaryFolder
let running: RunningServer

beforeEach(async () => {
  folder = temporaryFolder()
  const { err } = await runReeve([...INIT_ARGS, '--json'], {
    dataDir: folder.data,
    stdin: PASSWORD,
  })
  expect(err).toBe('')
  running = await startServer({ dataDir: folder.data })
})
afterEach(async () => {
  running.signal('SIGKILL')
  await running.exited
  folder.remove()
})

/** Signs in. @returns the cookie */
async function signIn(): Promise<string> {
  const response = await fetch(`${running.url}/portal/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'robin', password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

test('a ban is pushed to other sessions, and shutdown does not wait for open event streams', async () => {
  const [cookie, listenerCookie] = [await signIn(), await signIn()]
  const me = (await (await fetch(`${running.url}/portal/api/me`, { headers: { cookie } })).json()) as {
    workspaces: [{ id: string }]
  }
  const workspaceId = me.workspaces[0].id
  const follow = async () => {
    const response = await fetch(`${running.url}/portal/api/live?workspaceId=${workspaceId}`, {
      headers: { cookie: listenerCookie },
    })
    expect(response.status).toBe(200)
    return readLiveStream(response)
  }
  const followers = [await follow(), await follow(), await follow()]
  const banned = await fetch(`${running.url}/api/moderation`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ workspaceId, action: 'ban', userId: '261', reason: 'Exploiting' }),
  })
  const { record } = (await banned.json()) as { record: { sequence: string } }
  for (const stream of followers) {
    expect(await stream.next('moderation')).toMatchObject({ sequence: record.sequence })
  }
  // Well before the drain timeout of the server.
  expect(await running.stop()).toBe(0)
  for (const stream of followers) await stream.closed
  expect(running.log.filter(({ level }) => level === 'error')).toEqual([])
})
