import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, expectSettled, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

/** A workspace with two cases, open at the list of cases. */
async function openCaseList() {
  const workspace = await e2e.createWorkspaceFixture()
  for (const reason of ['First', 'Second'])
    await workspace.requestAsOwner('POST', '/api/moderation', { action: 'note', userId: '261', reason })
  const tab = await workspace.openScreen('/moderation/records', { heading: 'All cases', browser: DESKTOP })
  const { page } = tab
  const openPath = async (path: string, heading: string) => {
    await page.goto(new URL(path, page.url()).href)
    await waitForHeading(page, heading)
  }
  return {
    tab,
    page,
    openList: () => openPath(`/w/${workspace.workspaceId}/moderation/records`, 'All cases'),
    openAccount: () => openPath('/account', 'Your account'),
  }
}

const choose = (page: Page, label: string, option: string | RegExp) =>
  page.getByRole('radiogroup', { name: label }).getByText(option).click()
const firstTime = (page: Page) => page.getByRole('list', { name: 'All cases' }).locator('time').first()
/** The text of the newest case's time, and its tooltip. */
const readTime = async (page: Page) => [
  await firstTime(page).textContent(),
  await firstTime(page).getAttribute('title'),
]
const readRowHeight = async (page: Page) =>
  (await page.getByRole('list', { name: 'All cases' }).getByRole('listitem').first().boundingBox())?.height ??
  0

test('times are relative or absolute, and the tooltip has the other form', async () => {
  const { tab, page, openList, openAccount } = await openCaseList()
  await firstTime(page).waitFor()
  const [text, title] = await readTime(page)
  expect(text).toMatch(/^(just now|in a moment|1 minute ago)$/)
  expect(title).toMatch(/\d{4}.*:\d\d:\d\d/)
  await openAccount()
  await choose(page, 'Times', /\d{4}/)
  await openList()
  await firstTime(page).waitFor()
  const [absoluteText, absoluteTitle] = await readTime(page)
  expect(absoluteText).toMatch(/\d{4}, \d{1,2}:\d\d/)
  expect(absoluteTitle).toMatch(/^(just now|in a moment|1 minute ago): /)
  await openAccount()
  await choose(page, 'Times', 'ago')
  await openList()
  await firstTime(page).waitFor()
  expect((await readTime(page))[0]).toMatch(/now|moment|ago/)
  await expectNoPageErrors(tab)
})

test('lists are comfortable or compact, in every open tab and after reloading', async () => {
  const { tab, page, openList, openAccount } = await openCaseList()
  await firstTime(page).waitFor()
  const comfortable = await readRowHeight(page)
  await openAccount()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await choose(page, 'Lists and tables', 'Compact')
  const otherChoice = other.getByRole('radiogroup', { name: 'Lists and tables' })
  await otherChoice.getByRole('radio', { name: 'Compact', checked: true }).waitFor({ state: 'attached' })
  await openList()
  await firstTime(page).waitFor()
  expect(await readRowHeight(page)).toBeLessThan(comfortable - 10)
  await openAccount()
  await expectSettled(() => page.getByRole('radio', { name: 'Compact', exact: true }).isChecked(), true)
  await expectNoPageErrors(tab)
})
