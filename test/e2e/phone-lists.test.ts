import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession } from '../support/moderation.ts'
import { DESKTOP, expectSettled, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** A workspace with some warnings. */
async function openWarnings(path: string, heading: string, browser: typeof PHONE | typeof DESKTOP = PHONE) {
  const workspace = await e2e.createModerationWorkspace()
  for (const userId of ['1', '2', '3'])
    await workspace.moderate({ action: 'warn', userId, reason: `About ${userId}` })
  const { session, toPath } = workspace
  return e2e.openScreen(toPath(path), { session, heading, browser })
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

test('the tabs of the moderation screens have the same place on all of them, also on a desktop', async () => {
  for (const browser of [PHONE, DESKTOP]) {
    const { page } = await openWarnings('', 'Moderation', browser)
    const tabs = page.getByRole('navigation', { name: 'Moderation', exact: true })
    const tops = new Set<number | undefined>([(await tabs.boundingBox())?.y])
    for (const list of ['Active bans', 'Active mutes', 'Ban history', 'All cases', 'Approvals']) {
      await tabs.getByRole('link', { name: list }).click()
      await waitForHeading(page, list)
      tops.add((await tabs.boundingBox())?.y)
    }
    expect([...tops]).toEqual([expect.any(Number)])
  }
})

test('on a phone, the buttons of a list and its downloads are in one line above its cases', async () => {
  const tab = await openWarnings('/records', 'All cases')
  const { page } = tab
  const buttons = ['More filters', 'Select cases', 'Download'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  )
  const middles = await Promise.all(
    buttons.map(async (button) => {
      const box = await button.boundingBox()
      return box && Math.round(box.y + box.height / 2)
    }),
  )
  expect(new Set(middles).size).toBe(1)
  for (const [name, lines] of [
    ['CSV', 1 + 3],
    ['JSON Lines', 3],
  ] as const) {
    await pressButton(page, 'Download')
    const event = page.waitForEvent('download')
    await page.getByRole('menuitem', { name }).click()
    const text = await Bun.file(await (await event).path()).text()
    expect(text.trimEnd().split(/\r?\n/)).toHaveLength(lines)
  }
  await expectNoPageErrors(tab)
})
