import { expect, test } from 'bun:test'
import { SECOND_MS } from '@reeve/core'
import type { Page, Response } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { openDialog } from '../support/moderation.ts'
import { DESKTOP, fillIn, pressButton, waitForHeading } from '../support/page-actions.ts'

/** Bursts of 60 requests are enough to open three windows, but not for what these refetch during a raid. */
const e2e = useSession(() => openE2eSession({ REEVE_SESSION_RATE_PER_MINUTE: '360' }))

const RAID_MS = 6 * SECOND_MS

/** A workspace whose game bans players by its API key, and a moderator. */
async function createRaid() {
  const workspace = await e2e.createWorkspaceFixture([
    'moderation.view',
    'moderation.ban',
    'moderation.warn',
    'moderation.note',
  ])
  const { secret } = await workspace.requestAsOwner('POST', '/portal/api/api-keys', {
    name: 'Game',
    permissions: 'moderation.ban',
  })
  let count = 0
  const ban = async () => {
    count += 1
    const userId = String(1000 + count)
    await workspace.requestWithKey(secret, 'moderation', { action: 'ban', userId, reason: `Raider ${count}` })
  }
  return {
    ...workspace,
    ban,
    /** Bans one player after the other for a while. @returns the name of the last one's reason */
    async banFor(ms: number): Promise<string> {
      const end = performance.now() + ms
      while (performance.now() < end) await ban()
      return `Raider ${count}`
    },
  }
}

/** Collects the responses to reads of lists and players, which changes refetch. */
function collectReads(page: Page): Response[] {
  const reads: Response[] = []
  page.on('response', (response) => {
    if (/\/api\/(moderation|players|saved-views)/.test(response.url())) reads.push(response)
  })
  return reads
}

const countReads = (reads: readonly Response[], path: string): number =>
  reads.filter((response) => new URL(response.url()).pathname === path).length

test('while a game bans many players, a page reads them once a second, and shows the last one and the own changes', async () => {
  const { ban, banFor, openScreen } = await createRaid()
  await ban()
  const { page } = await openScreen('/moderation/bans', { heading: 'Active bans' })
  await page.getByText('Raider 1', { exact: true }).waitFor()
  const reads = collectReads(page)
  const last = await banFor(RAID_MS)
  await page.getByText(last, { exact: true }).waitFor()
  // The first at once, then one a second, and one after the end.
  expect(countReads(reads, '/api/moderation')).toBeLessThanOrEqual(RAID_MS / SECOND_MS + 2)
  expect(countReads(reads, '/api/moderation')).toBeGreaterThan(RAID_MS / SECOND_MS / 2)
})

test('a list that is refetched without a response is read again, and shows what has changed since', async () => {
  const { ban, openScreen } = await createRaid()
  await ban()
  const { page } = await openScreen('/moderation/bans', { heading: 'Active bans' })
  await page.clock.install()
  await page.reload()
  await page.getByText('Raider 1', { exact: true }).waitFor()
  const lost = Promise.withResolvers<void>()
  await page.route(
    ({ pathname }) => pathname === '/api/moderation',
    () => lost.resolve(),
    { times: 1 },
  )
  await ban()
  await lost.promise
  await ban()
  await page.clock.fastForward(21 * SECOND_MS)
  await page.getByText('Raider 3', { exact: true }).waitFor()
})

test('while a game bans many players, a long list reads four pages a second', async () => {
  const { ban, banFor, openScreen } = await createRaid()
  await Promise.all(Array.from({ length: 350 }, ban))
  const { page } = await openScreen('/moderation/bans', { heading: 'Active bans', browser: DESKTOP })
  const last = page.locator('li[aria-posinset="350"]')
  while ((await last.count()) === 0) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.evaluate('new Promise((next) => requestAnimationFrame(next))')
  }
  const reads = collectReads(page)
  const newest = await banFor(RAID_MS)
  await page.evaluate('scrollTo(0, 0)')
  await page.getByText(newest, { exact: true }).waitFor()
  expect(countReads(reads, '/api/moderation')).toBeLessThanOrEqual((RAID_MS / SECOND_MS) * 4 + 16)
})

test('while a game bans many players, no request of a moderator with three windows is refused because of the rate limit', async () => {
  const { ban, banFor, openScreen, workspaceId } = await createRaid()
  await ban()
  const tab = await openScreen('/moderation/bans', { heading: 'Active bans' })
  const refused: string[] = []
  tab.context.on('response', (response) => {
    if (response.status() === 429) refused.push(response.url())
  })
  const windows = [tab.page]
  for (const userId of ['261', '262']) {
    const page = await tab.context.newPage()
    await page.goto(`${e2e.server.origin}/w/${workspaceId}/moderation/players/${userId}`)
    await pressButton(page, 'Warn')
    windows.push(page)
  }
  await banFor(RAID_MS)
  const raid = banFor(RAID_MS)
  for (const page of windows.slice(1)) {
    await fillIn(page, { Reason: 'Helped the raid' })
    await openDialog(page)
      .getByRole('button', { name: /^Warn 26/ })
      .click()
    // The own change is shown with the end of the dialog.
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('list', { name: 'History' }).getByText('Helped the raid').count()).toBe(1)
    await page.reload()
    await page.getByRole('list', { name: 'History' }).getByText('Helped the raid').waitFor()
  }
  await tab.page.reload()
  await waitForHeading(tab.page, 'Active bans')
  await raid
  expect(refused).toEqual([])
})
