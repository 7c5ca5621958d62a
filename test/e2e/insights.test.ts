import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { importCsv } from '../support/import-csv.ts'
import { expectFitsWindow } from '../support/page-actions.ts'

const DAY_MS = 86_400_000

const session = useSession(async () => {
  const opened = await openE2eSession()
  for (const [userId, reason] of [
    ['7001', 'Raid'],
    ['7002', 'Raid'],
    ['7003', 'Spam'],
  ])
    await opened.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId, reason })
  return opened
})

const toDay = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

for (const width of [390, 1440]) {
  test(`charts show every week of a long period, by moderator and by reason, at ${width} px`, async () => {
    const period = `from=${toDay(-10)}&to=${toDay(200)}`
    const path = `/w/${session.owner.workspaceId}/insights?${period}`
    const { page } = await session.openScreen(path, {
      heading: 'Insights',
      browser: { viewport: { width, height: 844 } },
    })
    const weeks = page.getByRole('list', { name: 'Bans per week' })
    await page.getByText('3 in 211 days').waitFor()
    await weeks.getByRole('link', { name: ': 3 bans' }).waitFor()
    expect(await weeks.getByRole('link').count()).toBeGreaterThanOrEqual(31)
    await expectFitsWindow(page)
    await page.getByRole('tab', { name: 'By reason' }).click()
    const reasons = page.getByRole('list', { name: 'Cases by reason' }).getByRole('listitem')
    expect(await reasons.allInnerTexts()).toEqual([
      expect.stringMatching(/^Raid\s+2 cases$/),
      expect.stringMatching(/^Spam\s+1 case$/),
    ])
    await expectFitsWindow(page)
    await page.getByRole('tab', { name: 'By moderator' }).click()
    const moderators = page.getByRole('list', { name: 'Cases by moderator' }).getByRole('listitem')
    expect(await moderators.allInnerTexts()).toEqual([expect.stringMatching(/\s3 cases$/)])
    const cases = page.getByRole('table', { name: 'By moderator' }).getByRole('link')
    expect(await cases.first().getAttribute('href')).toContain(`&${period}`)
    await page.getByRole('tab', { name: 'Per day' }).click()
    await weeks.getByRole('link', { name: ': 3 bans' }).focus()
    await weeks.getByRole('link', { name: ': 3 bans' }).press('Enter')
    await page.getByRole('heading', { name: 'All cases' }).waitFor()
    await page.getByText('7002').first().waitFor()
  })
}

test('Home and Insights count the same bans of a day, without imported ones, and their links list exactly these', async () => {
  const workspace = await session.createWorkspaceFixture()
  await importCsv(workspace, ['userId,occurredAt,reason', '9001,2026-01-05,Spam', '9002,2026-01-05,Spam'])
  await workspace.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId: '9003', reason: 'Raid' })
  const expectListed = async (page: Page, userIds: readonly string[]) => {
    await page.getByRole('heading', { name: 'All cases' }).waitFor()
    const players = page.getByRole('list').getByRole('link', { name: /^900\d$/ })
    await players.first().waitFor()
    expect(await players.allInnerTexts()).toEqual([...userIds])
  }
  const { page } = await workspace.openScreen('')
  await page.getByRole('list', { name: 'Actions today' }).getByText('2 cases imported').waitFor()
  await page.getByRole('list', { name: 'Actions today' }).getByRole('link', { name: '1 ban' }).click()
  await expectListed(page, ['9003'])
  await page.goto(new URL(`/w/${workspace.workspaceId}/insights`, page.url()).href)
  await page.getByText('1 in 30 days').waitFor()
  const ban = page.getByRole('list', { name: 'Bans per day' }).getByRole('link', { name: ': 1 ban' })
  await ban.focus()
  await ban.press('Enter')
  await expectListed(page, ['9003'])
  await page.goBack()
  await page.getByRole('link', { name: '2 imported cases' }).click()
  await expectListed(page, ['9002', '9001'])
})

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Niue'])
  test(`a bar leads to the cases of its day in ${timezoneId}, too`, async () => {
    const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/insights`, {
      heading: 'Insights',
      browser: { timezoneId },
    })
    const bans = page.getByRole('list', { name: 'Bans per day' }).getByRole('link', { name: ': 3 bans' })
    await bans.focus()
    await bans.press('Enter')
    await page.getByRole('heading', { name: 'All cases' }).waitFor()
    for (const userId of ['7001', '7002', '7003']) await page.getByText(userId).first().waitFor()
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe(toDay(0))
    await page.goBack()
    await page.getByRole('tab', { name: 'By moderator' }).click()
    await page.getByRole('table', { name: 'By moderator' }).getByRole('link').first().click()
    for (const userId of ['7001', '7002', '7003']) await page.getByText(userId).first().waitFor()
  })
