import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import {
  DESKTOP,
  expectFocus,
  fillIn,
  pressButton,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'

const e2e = useSession(openModerationSession)

const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Presses a button with the keyboard, which then has another name and still the focus. */
async function pressAndRename(page: Page, name: string, newName: string): Promise<void> {
  await findButton(page, name).press('Enter')
  await findButton(page, newName).waitFor()
  await expectFocus(page, newName)
}

async function openCase() {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const record = await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  const tab = await e2e.openScreen(toPath(`/cases/${record.id}`), { session, heading: 'Case 1: ban' })
  // What keeps the focus is loaded with the first key.
  await tab.page.keyboard.press('Tab')
  await expectFocus(tab.page, 'Skip to content')
  return tab
}

test('a button keeps the focus while it does something, and what changed is announced', async () => {
  const { page } = await openCase()
  const work = page.getByRole('region', { name: 'Work on this case' })
  await pressAndRename(page, 'Work on it', 'Release')
  await pressAndRename(page, 'Release', 'Work on it')
  await pressAndRename(page, 'Assign to me', 'Done')
  await work.getByRole('status').filter({ hasText: 'Assigned to you.' }).waitFor()
  await pressAndRename(page, 'Done', 'Assign to me')
  await pressAndRename(page, 'Pin', 'Unpin')
  await work.getByRole('status').filter({ hasText: 'Pinned to the player.' }).waitFor()
})

test('the field has the focus again after a comment, for the next one', async () => {
  const { page } = await openCase()
  await fillIn(page, { 'New comment': 'Ask Robin' })
  await findButton(page, 'Add comment').press('Enter')
  await page.getByRole('list', { name: 'Comments' }).getByText('Ask Robin').waitFor()
  await page.getByText('Added a comment to case 1.').waitFor()
  await waitUntil(page, 'document.activeElement.matches("textarea")')
  await page.keyboard.type('Again')
  expect(await page.getByLabel('New comment').inputValue()).toBe('Again')
})

test('the heading has the focus once the button is gone whose dialog was confirmed', async () => {
  const { page } = await openCase()
  await findButton(page, 'Revoke').press('Enter')
  await fillIn(page, { Reason: 'By mistake' })
  await openDialog(page)
    .getByRole('button', { name: /^Revoke/ })
    .press('Enter')
  await openDialog(page).waitFor({ state: 'detached' })
  await findButton(page, 'Revoke').waitFor({ state: 'detached' })
  await waitUntil(page, 'document.activeElement.matches("h1")')
})

/** The focused element of the content, and whether the bars at the edges of the window leave it visible; null outside of the content. */
const READ_FOCUS = `(() => {
  const { activeElement } = document
  if (!activeElement.closest('main')) return null
  const { top, bottom } = activeElement.getBoundingClientRect()
  const [header, footer] = ['header', 'footer'].map((bar) => document.querySelector('body > * > ' + bar))
  const isVisible =
    top >= header.getBoundingClientRect().bottom && bottom <= (footer?.getBoundingClientRect().top ?? innerHeight)
  return { name: activeElement.name || activeElement.textContent, isVisible }
})()`

test.each([
  ['a window of 320 by 256 pixels', { width: 320, height: 256 }],
  ['a desktop', DESKTOP.viewport],
])('what Tab focuses is not hidden behind the header or the bottom bar, in %s', async (_, viewport) => {
  const { session, workspaceId } = await e2e.createModerationWorkspace()
  const { page } = await e2e.openScreen(`/w/${workspaceId}/configuration/workspace`, {
    session,
    heading: 'Workspace',
    browser: { viewport },
  })
  await waitForHeading(page, 'Ownership')
  await page.locator('main').focus()
  for (const key of ['Tab', 'Shift+Tab']) {
    const hidden: string[] = []
    let count = 0
    for (;;) {
      await page.keyboard.press(key)
      const focus = await page.evaluate<{ name: string; isVisible: boolean } | null>(READ_FOCUS)
      if (focus === null) break
      if (!focus.isVisible) hidden.push(focus.name)
      count += 1
    }
    expect([key, hidden]).toEqual([key, []])
    expect(count).toBeGreaterThan(8)
  }
})

/** Runs in the page: the name of what has the focus, and whether the user sees any part of it. */
const READ_DIALOG_FOCUS = `(() => {
  const focused = document.activeElement
  const shown = focused.matches('[type=radio]') ? focused.labels[0] : focused
  const { x, y, width, height } = shown.getBoundingClientRect()
  const points = [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => document.elementFromPoint(x + width / 2, y + height * share))
  const name = focused.getAttribute('aria-label') || focused.labels?.[0]?.textContent || focused.textContent
  return { name, isVisible: points.some((point) => shown.contains(point)) }
})()`

test.each([
  [320, 256],
  [844, 390],
  [390, 664],
  [1440, 900],
])(
  'in a window of %d × %d, the title and the footer of a dialog never cover what has the focus',
  async (width, height) => {
    const { session, toPath, moderate } = await e2e.createModerationWorkspace()
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting', durationSeconds: '604800' })
    const { page } = await e2e.openScreen(toPath('/players/261'), {
      session,
      browser: { viewport: { width, height } },
    })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 day')
    await openDialog(page)
      .getByText(/^This ends sooner/)
      .waitFor()
    await findButton(page, 'Close').focus()
    const hidden: string[] = []
    const names: string[] = []
    while (names.at(-1) !== 'Close') {
      await page.keyboard.press('Tab')
      await page.evaluate('new Promise((next) => requestAnimationFrame(next))')
      const { name, isVisible } = await page.evaluate<{ name: string; isVisible: boolean }>(READ_DIALOG_FOCUS)
      names.push(name)
      if (!isVisible) hidden.push(name)
    }
    expect(names).toContain('Evidence')
    expect(names).toContain('Ban 261')
    expect(hidden).toEqual([])
  },
)
