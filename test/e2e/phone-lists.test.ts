import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession } from '../support/moderation.ts'
import { expectSettled, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** A workspace with some warnings. */
async function openWarnings(path: string, heading: string) {
  const workspace = await e2e.createModerationWorkspace()
  for (const userId of ['1', '2', '3'])
    await workspace.moderate({ action: 'warn', userId, reason: `About ${userId}` })
  const { session, toPath } = workspace
  return e2e.openScreen(toPath(path), { session, heading, browser: PHONE })
}

/** Whether the first row of a list is completely on the screen, above the bottom bar. */
async function isFirstRowVisible(page: Page, list: string): Promise<boolean> {
  const row = page.getByRole('list', { name: list, exact: true }).getByRole('listitem').first()
  const [rowBox, bar] = [
    await row.boundingBox(),
    await page.getByRole('navigation', { name: 'Main sections' }).boundingBox(),
  ]
  return rowBox !== null && bar !== null && rowBox.y + rowBox.height <= bar.y
}

test('a list that a link has filtered begins with its cases on a phone, not with a page of filters', async () => {
  const path = '/records?action=warn&from=2020-01-01&imported=false'
  const tab = await openWarnings(path, 'All cases')
  const { page } = tab
  await page.getByRole('button', { name: 'More filters (3)', expanded: false }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  await expectSettled(() => isFirstRowVisible(page, 'All cases'), true)
  await pressButton(page, 'More filters (3)')
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01')
  await expectNoPageErrors(tab)
})
