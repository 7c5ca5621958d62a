import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openTab } from '../support/browser.ts'
import { listFirstScreenNames, openFirstScreens } from '../support/first-screens.ts'
import { TOUCH_PHONE } from '../support/page-actions.ts'
import { waitForIdle } from '../support/screen-states.ts'
import { findSmallTargets, findZoomingFields } from '../support/touch-targets.ts'
import { useScreens } from '../support/use-screens.ts'

const opened = useScreens(openFirstScreens)

async function openOnPhone(name: string) {
  const screen = opened.screens.find(name)
  const tab = await openTab(opened.browser.reused, screen.url, TOUCH_PHONE, opened.screens.cookies(screen))
  await tab.page.locator('h1').first().waitFor()
  await waitForIdle(tab.page)
  return tab
}

/** Expects that a finger hits everything, and that the browser zooms in on no field. */
async function expectLargeEnough(page: Page): Promise<void> {
  expect(await findSmallTargets(page)).toEqual([])
  expect(await findZoomingFields(page)).toEqual([])
}

describe('on a phone, everything that can be pressed or filled in is large enough for a finger on the screen', () => {
  test.each(listFirstScreenNames())(
    '%s',
    async (name) => {
      const { page, close } = await openOnPhone(name)
      await expectLargeEnough(page)
      await close()
    },
    60_000,
  )
})

test('on a phone, everything that can be pressed on an item of the inbox is large enough for a finger', async () => {
  const { page, close } = await openOnPhone('inbox')
  await page.getByRole('link', { name: /^Approvals/ }).tap()
  await page.getByRole('link', { name: /^Case/ }).first().waitFor()
  await expectLargeEnough(page)
  await close()
}, 60_000)

test('on a phone, all choices and buttons of the dialog of an action are large enough for a finger', async () => {
  const { page, close } = await openOnPhone('player')
  await page.getByRole('button', { name: 'Ban', exact: true }).tap()
  await page.getByRole('radio', { name: 'Permanent' }).waitFor()
  await waitForIdle(page)
  await expectLargeEnough(page)
  await close()
}, 60_000)

test.each([
  ['API keys', 'New key'],
  ['webhooks', 'New webhook'],
])(
  'on a phone, everything in the dialog of %s › %s is large enough for a finger',
  async (screen, button) => {
    const { page, close } = await openOnPhone(screen)
    await page.getByRole('button', { name: button }).tap()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await waitForIdle(page)
    await expectLargeEnough(page)
    await close()
  },
  60_000,
)

test('on a phone, all sections of the menu and all checkboxes of a list are large enough for a finger', async () => {
  const { page, close } = await openOnPhone('all cases')
  await page.getByRole('button', { name: 'Select cases' }).tap()
  await page.getByRole('checkbox').first().waitFor()
  await expectLargeEnough(page)
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('navigation', { name: 'All sections' }).getByRole('link').first().waitFor()
  await waitForIdle(page)
  await expectLargeEnough(page)
  await close()
}, 60_000)
