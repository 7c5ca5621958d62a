import type { Page } from 'playwright-core'
import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const screen = { path: deskPath('/insights'), heading: 'Insights' } as const

const DAY_MS = 86_400_000
const MONTH_DAYS = 30
const YEAR_DAYS = 366

const countOf = (bans: number) => ({
  bans: String(bans),
  mutes: String((bans * 7) % 12),
  warnings: String((bans * 5) % 23),
  kicks: String(bans % 3),
  lifted: String(bans % 2),
  appealed: String(Math.min(bans, 2)),
})

/** Opens the screen again as if the workspace had existed for long. */
async function showHistory(page: Page, tab?: string, count = MONTH_DAYS): Promise<void> {
  await page.route('**/api/moderation/insights?*', async (route) => {
    const insights = await (await route.fetch()).json()
    const start = Date.parse(insights.to) - count * DAY_MS
    const days = Array.from({ length: count }, (_, index) => ({
      day: new Date(start + index * DAY_MS).toISOString().slice(0, 10),
      ...countOf((index * 13) % 17),
    }))
    const moderators = [
      ...insights.moderators,
      {
        actorUserId: '0198c0de-0000-7000-8000-000000000001',
        actorUsername: 'W'.repeat(32),
        ...countOf(12_345),
      },
      { actorUserId: '0198c0de-0000-7000-8000-000000000002', actorUsername: null, ...countOf(3) },
    ]
    const reasons = [
      ...Array.from({ length: 11 }, (_, index) => ({
        reason: index === 0 ? 'Exploit'.repeat(14) : `Reason ${index}`,
        ...countOf(40 - index),
      })),
      ...insights.reasons,
    ]
    await route.fulfill({ json: { ...insights, days, moderators, reasons } })
  })
  await page.reload()
  await page.getByRole('list', { name: count > MONTH_DAYS ? 'Bans per week' : 'Bans per day' }).waitFor()
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).click()
}

/** How much staff moderate. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    { name: 'insights', ...screen, arrange: (page) => showHistory(page) },
    {
      name: 'insights-moderators',
      ...screen,
      arrange: (page) => showHistory(page, 'By moderator'),
    },
    { name: 'insights-year', ...screen, arrange: (page) => showHistory(page, undefined, YEAR_DAYS) },
    { name: 'insights-reasons', ...screen, arrange: (page) => showHistory(page, 'By reason') },
    {
      name: 'insights-responses',
      ...screen,
      arrange: (page) => showHistory(page, 'Response times'),
    },
    {
      name: 'insights-none',
      path: deskPath('/insights?from=2020-01-01&to=2020-01-07'),
      heading: 'Insights',
      arrange: (page) => page.getByText('Whole period').waitFor(),
    },
  ],
}
