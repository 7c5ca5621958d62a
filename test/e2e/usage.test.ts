import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eWorkspaces, reloadAndFollow } from '../support/fresh-workspace.ts'
import { expectEventually, failRequests, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

let e2e: Awaited<ReturnType<typeof openE2eWorkspaces>>
beforeAll(async () => {
  e2e = await openE2eWorkspaces()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

const PATH = '/portal/api/usage'
const SCRIPT = '<img src=x onerror="document.title=1">'

/** A workspace that a key asked three things of, one of which it was refused. */
async function createUsedWorkspace(permissions?: readonly Permission[], name = 'Main server') {
  const workspace = await e2e.createWorkspace(permissions)
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
) => workspace.openScreen(`/configuration/api/usage${query}`, 'Usage', options)

/** The numbers of a row: calls, refused, failed. */
async function readRowNumbers(page: Page, name: string): Promise<readonly string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  await row.waitFor()
  return row.getByRole('cell').allTextContents()
}

const bars = (page: Page) => page.locator('.recharts-bar-rectangle path').count()

describe('the calls of a month', () => {
  test('are shown by endpoint and by key, as bars and in numbers, and the address keeps which', async () => {
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
    expect(Number((await readRowNumbers(page, 'robin Person'))[0])).toBeGreaterThan(0)
    expect(new URL(page.url()).searchParams.get('by')).toBe('actor')
    await page.reload()
    expect(await readRowNumbers(page, 'Main server API key')).toEqual(['3', '1', '0'])
    await expectNoPageErrors(tab)
  })

  test('are taken away as a table of just what is shown', async () => {
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

  test('are those of another month where one is chosen, and one without any says what will be there', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace())
    await page.getByText('Quota this month').waitFor()
    await expectEventually(() => page.getByRole('button', { name: 'The month after' }).isDisabled(), true)
    await pressButton(page, 'The month before')
    await page.getByText(/^No calls in /).waitFor()
    const before = new Date()
    before.setUTCDate(0)
    expect(new URL(page.url()).searchParams.get('month')).toBe(before.toISOString().slice(0, 7))
    expect(await page.getByText('Quota this month').count()).toBe(0)
    await page.getByRole('button', { name: /: choose the month$/ }).click()
    await pressButton(page, 'The year before')
    await page.getByRole('button', { name: 'Mar', exact: true }).click()
    const year = new Date().getUTCFullYear() - (before.getUTCFullYear() < new Date().getUTCFullYear() ? 2 : 1)
    await page.getByText(`No calls in March ${year}`).waitFor()
    await page.goBack()
  })

  test('of a key whose name is a script are shown, and run by nobody', async () => {
    const tab = await openUsageScreen(await createUsedWorkspace(undefined, SCRIPT), '?by=actor')
    const { page } = tab
    expect(await readRowNumbers(page, SCRIPT)).toEqual(['3', '1', '0'])
    expect(await page.title()).toBe('Usage · Night Shift · Reeve')
    await expectNoPageErrors(tab)
  })

  test('tell when their days begin for a reader elsewhere', async () => {
    const { page } = await openUsageScreen(await createUsedWorkspace(), '', {
      timezoneId: 'Asia/Kolkata',
      locale: 'en-GB',
    })
    await page.getByText('Days begin at midnight UTC, 05:30 in Asia/').waitFor()
  })
})

describe('the quota', () => {
  test('is shown with how much of it is used, and what follows once it is used up', async () => {
    const workspace = await createUsedWorkspace()
    const setQuota = (monthlyQuota: string | null) =>
      workspace.requestAsOwner('POST', '/admin/api/quotas', { monthlyQuota })
    const tab = await openUsageScreen(workspace)
    const { page } = tab
    await reloadAndFollow(tab)
    await page.getByText(/^None: the \d+ calls of this month/).waitFor()
    await setQuota('1000')
    await page.getByText('of the quota of 1,000 requests').waitFor()
    const bar = page.getByRole('progressbar', { name: 'Used quota' })
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(80)
    await setQuota('2')
    await page.getByText('The quota is used up: writes are refused').waitFor()
    await expectEventually(() => bar.getAttribute('aria-valuenow'), '100')
  })
})

test('whoever may not read usage does not find it, and gets none', async () => {
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

test('what cannot be read is told, and read when there is an answer again', async () => {
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
