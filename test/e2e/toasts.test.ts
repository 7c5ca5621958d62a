import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseOption } from '../support/moderation.ts'
import { expectFocus, expectSettled, fillIn, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const LARGE_PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const PHONES = [PHONE, LARGE_PHONE]
const SMALL_DESKTOP = { viewport: { width: 1280, height: 720 } }
const LONG_ID = `${'9876543210'.repeat(6)}1234`

const listToasts = (page: Page): Locator => page.locator('.mantine-Notification-root')

async function banPlayer(page: Page): Promise<void> {
  await pressButton(page, 'Ban')
  const dialog = page.getByRole('dialog')
  await chooseOption(page, '1 hour')
  await fillIn(page, { Reason: 'Exploiting' })
  await dialog.getByRole('button', { name: /^Ban / }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function openPlayer(userId: string, browser: object = {}) {
  const workspace = await e2e.createWorkspaceFixture()
  const tab = await workspace.openScreen(`/moderation/players/${userId}`, { browser })
  await tab.page.getByRole('button', { name: 'Ban', exact: true }).waitFor()
  return { ...workspace, tab, page: tab.page }
}

/** The visible part of an element: what its clipping ancestors leave of it. */
const readBox = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('not visible')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Runs in the page: whether nothing covers an element. */
const IS_ON_TOP = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

describe('on a phone, a toast', () => {
  test('shows its whole text and undo button above the navigation, also for the longest ID', async () => {
    for (const browser of PHONES) {
      const { page, tab } = await openPlayer(LONG_ID, browser)
      await banPlayer(page)
      const toast = listToasts(page)
      const undo = toast.getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      const [toastBox, undoBox, navigationBox] = [
        await readBox(toast),
        await readBox(undo),
        await readBox(page.getByRole('navigation', { name: 'Main sections' })),
      ]
      expect(undoBox.right).toBeLessThan(toastBox.right)
      expect(toastBox.right).toBeLessThan(browser.viewport.width)
      expect(toastBox.bottom).toBeLessThanOrEqual(navigationBox.y - 8)
      const isClipped = await undo.evaluate(
        (button) =>
          button.scrollWidth > button.clientWidth ||
          (button.firstElementChild?.scrollWidth ?? 0) > button.clientWidth,
      )
      expect(isClipped).toBe(false)
      await undo.tap()
      await page.getByText('Not banned, not muted').waitFor()
      await expectNoPageErrors(tab)
    }
  })

  test('leaves the navigation usable, however many there are', async () => {
    const { page } = await openPlayer('261', PHONE)
    for (let count = 0; count < 3; count++) {
      await pressButton(page, 'Note')
      await fillIn(page, { Reason: `Seen ${count}` })
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Note|Add|Record) ?/ })
        .last()
        .click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(await listToasts(page).count()).toBe(3)
    const boxes = await Promise.all((await listToasts(page).all()).map(readBox))
    for (const [index, box] of boxes.entries()) {
      const next = boxes[index + 1]
      if (next) expect(box.bottom).toBeLessThan(next.y)
    }
    await page.getByRole('navigation', { name: 'Main sections' }).getByRole('link', { name: 'Appeals' }).tap()
    await page.waitForURL(/\/appeals$/)
  })
})

/** Whether two elements overlap. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await readBox(one), await readBox(other)]
  return a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom
}

/** Bans a player, and opens another dialog. */
async function openDialogAfterBan(browser: object, action: string) {
  const { page } = await openPlayer('261', browser)
  await banPlayer(page)
  const undo = listToasts(page).getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  const usual = await readBox(listToasts(page))
  await pressButton(page, action)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  return { page, undo, dialog, usual }
}

describe('a toast with an undo button', () => {
  test.each([
    ['a desktop', SMALL_DESKTOP],
    ['a tablet', { viewport: { width: 820, height: 1180 }, hasTouch: true }],
    ['a phone', PHONE],
    ['a phone on its side', { viewport: { width: 740, height: 360 }, hasTouch: true }],
  ])(
    'covers no button of a dialog that is opened next, and is reached with F8, on %s',
    async (_, browser) => {
      const { page, undo, dialog, usual } = await openDialogAfterBan(browser, 'Mute')
      const buttons = dialog.getByRole('button', { name: /^(Cancel|Mute 261|Close)$/ })
      for (const covered of [...(await buttons.all()), dialog.locator('[data-dialog-footer]')]) {
        await covered.scrollIntoViewIfNeeded()
        await expectSettled(() => overlap(listToasts(page), covered), false)
      }
      await page.keyboard.press('F8')
      await expectFocus(page, 'Undo')
      await expectSettled(() => undo.evaluate(IS_ON_TOP), true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expectSettled(() => readBox(listToasts(page)), usual)
    },
  )

  test('covers no button of the form of an event', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const { event } = await workspace.requestAsOwner('POST', '/api/events', {
      title: 'Raid',
      scheduledFor: '2030-01-01T20:00:00Z',
    })
    const { page } = await workspace.openScreen(`/events?event=${event.id}`, { browser: SMALL_DESKTOP })
    await pressButton(page, 'Publish')
    await listToasts(page).getByRole('button', { name: 'Undo' }).waitFor()
    await pressButton(page, 'Edit')
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await save.waitFor()
    await expectSettled(() => overlap(listToasts(page), save), false)
  })

  test('is beside a dialog that leaves space for it', async () => {
    const { page, dialog } = await openDialogAfterBan(SMALL_DESKTOP, 'Mute')
    await expectSettled(() => overlap(listToasts(page), dialog), false)
  })

  test('stays below a short dialog', async () => {
    const { page, dialog, usual } = await openDialogAfterBan(LARGE_PHONE, 'Lift the ban')
    await expectSettled(() => overlap(listToasts(page), dialog), false)
    expect(await readBox(listToasts(page))).toEqual(usual)
  })
})

describe('the undo button', () => {
  test('takes no focus by itself, is reached with F8 out of a dialog too, and gives the focus back', async () => {
    const { page } = await openPlayer('261')
    await banPlayer(page)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await expectFocus(page, 'Ban')
    await pressButton(page, 'Note')
    await fillIn(page, { Reason: 'Typed before undoing' })
    await expectFocus(page, 'Typed before undoing')
    await page.keyboard.press('F8')
    await expectFocus(page, 'Undo')
    await page.keyboard.press('Enter')
    await page.getByText('Not banned, not muted').first().waitFor()
    await expectFocus(page, 'Typed before undoing')
  })

  test('keeps its undo button until that has succeeded', async () => {
    const { page, tab } = await openPlayer('261')
    await banPlayer(page)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await tab.context.setOffline(true)
    await pressButton(page, 'Undo')
    await page
      .getByRole('alert')
      .filter({ has: page.getByRole('button', { name: 'Close' }) })
      .getByText('You are offline. Try again once you are connected.')
      .waitFor()
    await tab.context.setOffline(false)
    await pressButton(page, 'Undo')
    await page.getByText('Not banned, not muted').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  })

  test('stays while it has the focus or the pointer is on it, and disappears afterwards', async () => {
    const { page } = await openPlayer('261')
    await page.clock.install()
    await banPlayer(page)
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await page.keyboard.press('F8')
    await page.clock.runFor(60_000)
    await expectFocus(page, 'Undo')
    await undo.hover()
    await undo.evaluate((button) => (button as HTMLElement).blur())
    await page.clock.runFor(60_000)
    expect(await undo.isVisible()).toBe(true)
    await page.mouse.move(5, 5)
    await page.clock.runFor(13_000)
    await undo.waitFor({ state: 'detached' })
  })

  test('stays while the pointer is on it, also if no event has said that the toast appeared under it', async () => {
    const { page } = await openPlayer('261')
    await page.clock.install()
    await page.evaluate(
      `for (const type of ['mouseover', 'mouseout']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)`,
    )
    await banPlayer(page)
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.hover()
    await page.clock.runFor(60_000)
    expect(await undo.isVisible()).toBe(true)
    await page.mouse.move(5, 5)
    await page.clock.runFor(13_000)
    await undo.waitFor({ state: 'detached' })
  })
})
