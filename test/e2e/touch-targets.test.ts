import { describe, expect, test } from 'bun:test'
import { openTab } from '../support/browser.ts'
import { TOUCH_PHONE } from '../support/dragging.ts'
import { openFirstScreens } from '../support/first-screens.ts'
import { waitForIdle } from '../support/screen-states.ts'
import { findSmallTargets } from '../support/touch-targets.ts'
import { useScreens } from '../support/use-screens.ts'

const opened = useScreens(openFirstScreens)

async function openOnPhone(name: string) {
  const screen = opened.screens.find(name)
  const tab = await openTab(opened.browser, screen.url, TOUCH_PHONE, opened.screens.cookies(screen))
  await tab.page.locator('h1').first().waitFor()
  await waitForIdle(tab.page)
  return tab
}

describe('on a phone, everything that can be pressed is large enough for a finger on the screen', () => {
  test.each([
    ...['home', 'moderation', 'player', 'case', 'active bans', 'all cases', 'approvals', 'inbox'],
    ...['events', 'departments', 'people', 'roles', 'reasons and ladders', 'audit log'],
  ])(
    '%s',
    async (name) => {
      const { page, close } = await openOnPhone(name)
      expect(await findSmallTargets(page)).toEqual([])
      await close()
    },
    60_000,
  )
})

test('on a phone, everything that can be pressed on an item of the inbox is large enough for a finger', async () => {
  const { page, close } = await openOnPhone('inbox')
  await page.getByRole('link', { name: /^Approvals/ }).tap()
  await page.getByRole('link', { name: /^Case/ }).first().waitFor()
  expect(await findSmallTargets(page)).toEqual([])
  await close()
}, 60_000)

test('on a phone, all choices and buttons of the dialog of an action are large enough for a finger', async () => {
  const { page, close } = await openOnPhone('player')
  await page.getByRole('button', { name: 'Ban', exact: true }).tap()
  await page.getByRole('radio', { name: 'Permanent' }).waitFor()
  await waitForIdle(page)
  expect(await findSmallTargets(page)).toEqual([])
  await close()
}, 60_000)

test('on a phone, all sections of the menu and all checkboxes of a list are large enough for a finger', async () => {
  const { page, close } = await openOnPhone('all cases')
  await page.getByRole('button', { name: 'Select cases' }).tap()
  await page.getByRole('checkbox').first().waitFor()
  expect(await findSmallTargets(page)).toEqual([])
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('navigation', { name: 'All sections' }).getByRole('link').first().waitFor()
  await waitForIdle(page)
  expect(await findSmallTargets(page)).toEqual([])
  await close()
}, 60_000)
