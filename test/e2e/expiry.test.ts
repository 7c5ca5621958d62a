import { beforeEach, expect, test } from 'bun:test'
import { DAY_MS, SECOND_MS } from '@reeve/core'
import { requestApproval } from '../support/approvals.ts'
import { useInstancePerTest } from '../support/e2e-session.ts'

const server = useInstancePerTest()
let workspace: Awaited<ReturnType<typeof server.instance.workspace>>
beforeEach(async () => {
  workspace = await server.instance.workspace('Night shift')
})

/** With the interval of heartbeats, shorter than the silence after which a page reconnects and reads everything again. */
const DURATION_S = 20

async function moderate(body: Readonly<Record<string, string>>): Promise<void> {
  const request = { session: workspace.ownerSession, body: { workspaceId: workspace.id, ...body } }
  expect((await server.instance.request('POST', '/api/moderation', request)).status).toBe(200)
}

/** Opens a screen whose browser clock can be forwarded, and waits for a text on it. */
async function openWithClock(path: string, text: string | RegExp) {
  const { page } = await server.openScreen('/account', { session: workspace.ownerSession })
  await page.clock.install()
  await page.goto(`${server.origin}/w/${workspace.id}${path}`)
  await page.getByRole('main').getByText(text).first().waitFor()
  return page
}

/** Lets the time pass until bans and mutes have ended, for the server and on the pages. */
async function letExpire(...pages: readonly Awaited<ReturnType<typeof openWithClock>>[]): Promise<void> {
  server.instance.clock.advance(DURATION_S * SECOND_MS)
  for (const page of pages) await page.clock.fastForward((DURATION_S + 1) * SECOND_MS)
}

test('an open page shows that a ban or mute has ended, although nobody has changed anything', async () => {
  const player = { userId: '261', userUsername: 'StormRider', reason: 'Exploiting' }
  for (const action of ['ban', 'mute']) {
    await moderate({ action, ...player, durationSeconds: String(DURATION_S) })
    await moderate({ action, userId: '300', reason: 'Other', durationSeconds: '86400' })
  }
  const left = /less than a minute left/
  const history = await openWithClock('/moderation/players/261', left)
  const bans = await openWithClock('/moderation/bans', left)
  const mutes = await openWithClock('/moderation/mutes', left)
  const search = await openWithClock('/moderation?q=storm', left)
  const home = await openWithClock('', 'Active sanctions')
  const waitForTotal = (name: RegExp) => home.getByRole('link', { name }).waitFor()
  await waitForTotal(/^2\s*bans$/)
  await waitForTotal(/^2\s*mutes$/)

  await letExpire(history, bans, mutes, search, home)
  await history.getByRole('list', { name: 'History' }).getByText('Expired').nth(1).waitFor()
  for (const list of [bans, mutes]) {
    await list.getByText('Exploiting').waitFor({ state: 'detached' })
    await list.getByText('Other').waitFor()
  }
  await search.getByText('Not banned, not muted').waitFor()
  await waitForTotal(/^1\s*ban$/)
  await waitForTotal(/^1\s*mute$/)
})

test('an open list of approvals shows that nobody decided in time', async () => {
  await requestApproval(server.instance, workspace.id, '261')
  server.instance.clock.advance(DAY_MS - DURATION_S * SECOND_MS)
  const list = await openWithClock('/moderation/approvals', /less than a minute left/)
  await letExpire(list)
  await list.getByText('Nothing waits for approval').waitFor()
})
