import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, expectFocus, expectSettled, PHONE } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'

const e2e = useSession(openE2eSession)

/** The code of what opens above the screen. */
const OVERLAYS = '**/shell-deferred-*.js'

const findUserMenu = (page: Page) => page.getByRole('button', { name: /Your menu$/ })

describe('a menu that opens before its code is loaded', () => {
  for (const [device, browser] of [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const) {
    test(`opens once the code is there, and gives the focus back, on ${device}`, async () => {
      const tab = await e2e.openScreen(`/w/${e2e.owner.workspaceId}`, { browser, heading: GROUP })
      const { page } = tab
      const loading = Promise.withResolvers<void>()
      await page.route(OVERLAYS, async (route) => {
        await loading.promise
        await route.continue()
      })
      const button = findUserMenu(page)
      await button.focus()
      await page.keyboard.press('Enter')
      await button.and(page.locator('[aria-expanded=true]')).waitFor()
      loading.resolve()
      const menu = page.getByRole('menu')
      await menu.waitFor()
      await expectFocus(page, 'Your account')
      // The style of a menu applies after that of popovers, which is loaded later.
      expect(await menu.evaluate((element) => getComputedStyle(element).padding)).toBe('4px')
      expect(await button.getAttribute('aria-controls')).toBe(await menu.getAttribute('id'))
      expect(await menu.getAttribute('aria-labelledby')).toBe(await button.getAttribute('id'))
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await expectSettled(() => button.evaluate((element) => element === document.activeElement), true)
      expect(await button.getAttribute('aria-expanded')).toBe('false')
      await expectNoPageErrors(tab)
    })
  }

  test('says that it could not be loaded, and opens when it can', async () => {
    const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}`, { heading: GROUP })
    for (const url of [OVERLAYS, '**/healthz']) await page.route(url, (route) => route.abort())
    const button = findUserMenu(page)
    await button.click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    await page.unroute(OVERLAYS)
    await button.click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })
})

test('the list of workspaces that opens with the keyboard selects the present one', async () => {
  const workspaceId = await e2e.createWorkspace('Owls 2')
  const { page } = await e2e.openScreen(`/w/${workspaceId}`, { heading: 'Owls 2' })
  await page.getByRole('button', { name: /switch workspace$/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('listbox', { name: 'Workspaces' }).waitFor()
  const selected = page.locator('[role=option][data-combobox-selected]')
  await expectSettled(() => selected.allTextContents(), ['Owls 2'])
})
