import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  expectFitsWindow,
  expectSettled,
  failRequests,
  PHONE,
  pressButton,
  reloadAndFollow,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const PATH = '/portal/api/usage'
const SCRIPT = '<img src=x onerror="document.title=1">'

/** A workspace with three requests by a key, one of them rejected. */
async function createUsedWorkspace(permissions?: readonly Permission[], name = 'Main server') {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const { secret } = await workspace.requestAsOwner('POST', '/portal/api/api-keys', {
    name,
    permissions: 'moderation.view',
  })
  await workspace.requestWithKey(secret, 'moderation?banList=true&userId=261')
  await workspace.requestWithKey(secret, 'moderation?banList=true&userId=262')
  await workspace.requestWithKey(secret, 'departments')
  return workspace
}

const openUsageScreen = (
  workspace: Awaited<ReturnType<typeof createUsedWorkspace>>,
  query = '',
  options = {},
) => workspace.openScreen(`/configuration/api/usage${query}`, { heading: 'Usage', browser: options })

/** The numbers of a row: requests, rejected, failed. */
async function readRowNumbers(page: Page, name: string): Promise<readonly string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  await row.waitFor()
  return row.getByRole('cell').allTextContents()
}

const bars = (page: Page) =>
  page.locator('[aria-hidden] [style] [data-series], [aria-hidden] [data-series][style]').count()

describe('the requests of a month', () => {
  test('are shown by endpoint and by key, as a chart and a table, and the URL keeps the grouping', async () => {
    const workspace = await createUsedWorkspace()
    const tab = await openUsageScreen(workspace)
    const { page } = tab
    await page.getByRole('table', { name: /by day$/ }).waitFor()
    expect(await bars(page)).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'By endpoint' }).click()
    expect(await readRowNumbers(page, 'Moderation')).toEqual(['2', '0', '0'])
    expect(await readRowNumbers(page, 'Departments')).toEqual(['1', '1', '0'])
    expect(await bars(page)).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'By key' }).click()
    expect(await readRowNumbers(page, 'Main server API key')).toEqual(['3', '1', '0'])
    expect(Number((await readRowNumbers(page, 'robin User'))[0])).toBeGreaterThan(0)
    expect(new URL(page.url()).searchParams.get('by')).toBe('actor')
    await page.reload()
    expect(await readRowNumbers(page, 'Main server API key')).toEqual(['3', '1', '0'])
    await expectNoPageErrors(tab)
  })

  test('fit a phone with each heading and endpoint on one line', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace(), '?by=endpoint', PHONE)
    await readRowNumbers(page, 'Departments')
    const lineCounts = await page
      .getByRole('table')
      .locator('th')
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          return new Set([...range.getClientRects()].map(({ bottom }) => bottom)).size
        }),
      )
    expect(new Set(lineCounts)).toEqual(new Set([1]))
    await expectFitsWindow(page)
  })

  test('are exported as CSV with exactly the displayed rows', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace(), '?by=endpoint')
    await readRowNumbers(page, 'Moderation')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('endpoint,name,calls,refused,failed')
    expect(text).toContain('moderation,,2,0,0')
  })

  test('can be shown for another month; a month without requests has an empty state', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace())
    await page.getByText('Quota this month').waitFor()
    await expectSettled(() => page.getByRole('button', { name: 'Next month' }).isDisabled(), true)
    await pressButton(page, 'Previous month')
    await page.getByText(/^No requests in /).waitFor()
    const before = new Date()
    before.setUTCDate(0)
    expect(new URL(page.url()).searchParams.get('month')).toBe(before.toISOString().slice(0, 7))
    expect(await page.getByText('Quota this month').count()).toBe(0)
    await page.getByRole('button', { name: /: choose a month$/ }).click()
    await pressButton(page, 'Previous year')
    await page.getByRole('button', { name: 'Mar', exact: true }).click()
    const year = new Date().getUTCFullYear() - (before.getUTCFullYear() < new Date().getUTCFullYear() ? 2 : 1)
    await page.getByText(`No requests in March ${year}`).waitFor()
    await page.goBack()
  })

  test('of a key with a script as name are shown as plain text', async () => {
    const tab = await openUsageScreen(await createUsedWorkspace(undefined, SCRIPT), '?by=actor')
    const { page } = tab
    expect(await readRowNumbers(page, SCRIPT)).toEqual(['3', '1', '0'])
    await expectSettled(() => page.title(), 'Usage · Night Shift · Reeve')
    await expectNoPageErrors(tab)
  })

  test('say when a UTC day begins in the user’s time zone', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace(), '', {
      timezoneId: 'Asia/Kolkata',
      locale: 'en-GB',
    })
    await page.getByText('Days begin at midnight UTC, 05:30 in Asia/').waitFor()
  })
})

describe('the quota', () => {
  test('is shown with its usage, and with the consequences once it is used up', async () => {
    const workspace = await createUsedWorkspace()
    const setQuota = (monthlyQuota: string | null) =>
      workspace.requestAsOwner('POST', '/admin/api/quotas', { monthlyQuota })
    const tab = await openUsageScreen(workspace)
    const { page } = tab
    await reloadAndFollow(tab)
    await page
      .getByText(/^No quota: the number of requests is unlimited \(\d+ requests so far this month\)/)
      .waitFor()
    await setQuota('1000')
    await page.getByText('of the quota of 1,000 requests').waitFor()
    const bar = page.getByRole('progressbar', { name: 'Used quota' })
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(80)
    await setQuota('2')
    await page.getByText('The quota is used up: API keys cannot make changes').waitFor()
    await expectSettled(() => bar.getAttribute('aria-valuenow'), '100')
  })
})

test('the storage is shown by kind, with a warning from 80 % on and the consequences once it is used up', async () => {
  const workspace = await createUsedWorkspace()
  // So much that the audit entries of the quotas below hardly count.
  for (let userId = 1; userId <= 30; userId++) {
    const warning = { action: 'warn', userId: String(userId), reason: 'Spam. '.repeat(160) }
    await workspace.requestAsOwner('POST', '/api/moderation', warning)
  }
  const tab = await openUsageScreen(workspace)
  const { page } = tab
  await reloadAndFollow(tab)
  await page.getByText('of the storage quota of 5 GB').waitFor()
  const readBytes = async () => {
    const usage = await e2e.server.requestOk('GET', `${PATH}?workspaceId=${workspace.workspaceId}`, {
      session: e2e.owner.session,
    })
    return Number(usage.body.storage.bytes)
  }
  const setQuota = (share: number, bytes: number) =>
    workspace.requestAsOwner('POST', '/admin/api/quotas', { storageQuota: String(Math.round(bytes / share)) })
  const bar = page.getByRole('progressbar', { name: 'Used storage' })
  expect(await bar.getAttribute('aria-valuetext')).toMatch(/^[\d.]+ (bytes|kB) of 5 GB$/)
  const kinds = await page
    .locator('dt')
    .filter({ hasText: /log|images|Archives|retries/ })
    .allTextContents()
  expect(kinds).toEqual(['Cases and audit log', 'Event images', 'Archives', 'Responses stored for retries'])
  expect(await page.getByText(/is used$|is used up$/).count()).toBe(0)
  await workspace.requestAsOwner('POST', '/admin/api/quotas', { storageQuota: '4999999999' })
  // Rounded down, as in the message of a rejected request.
  await page.getByText('of the storage quota of 4.9 GB').waitFor()
  await setQuota(0.85, await readBytes())
  await page.getByText(/^8\d% of the storage is used$/).waitFor()
  await page.getByText('Once it is used up, images, archives').waitFor()
  await setQuota(1, await readBytes())
  await page.getByText('The storage is used up').waitFor()
  await page.getByText('Bans and other moderation actions are still accepted').waitFor()
})

test('without permission there is no link, and the request is rejected', async () => {
  const workspace = await createUsedWorkspace(['moderation.view'])
  const { page } = await openUsageScreen(workspace)
  await page.getByText('You don’t have access').waitFor()
  expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0)
  for (const path of [PATH, `${PATH}.csv`]) {
    const response = await e2e.server.request('GET', `${path}?workspaceId=${workspace.workspaceId}`, {
      session: workspace.session,
    })
    expect(response.status).toBe(403)
  }
})

test('a failed read shows an error, and loads on retry', async () => {
  const workspace = await createUsedWorkspace()
  const { page } = await openUsageScreen(workspace)
  await page.getByRole('table').waitFor()
  await failRequests(page, `**${PATH}?*`)
  await page.getByRole('tab', { name: 'By endpoint' }).click()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await pressButton(page, 'Try again')
  expect(await readRowNumbers(page, 'Moderation')).toEqual(['2', '0', '0'])
})
