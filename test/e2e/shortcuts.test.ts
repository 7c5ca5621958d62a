import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { chooseInUserMenu, DESKTOP, expectSettled, fillIn } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** Opens the page of a player with a note, as the owner or as someone else. */
async function openPlayer(
  createSession?: (workspace: Awaited<ReturnType<typeof createWorkspace>>) => Promise<string>,
) {
  const workspace = await createWorkspace()
  await workspace.moderate({ action: 'note', ...TEST_PLAYER, reason: 'Seen' })
  const session = createSession ? await createSession(workspace) : workspace.session
  const tab = await e2e.openScreen(workspace.toPath('/players/261'), {
    session,
    heading: 'StormRider 261',
    browser: DESKTOP,
  })
  await tab.page.getByRole('group', { name: 'Moderate this player' }).waitFor()
  return { ...workspace, tab, page: tab.page }
}
const createWorkspace = () => e2e.createModerationWorkspace()

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const countDialogs = (page: Page) => expectSettled(() => page.getByRole('dialog').count(), 0)
/** The shortcuts of the sheet: what each does, and its keys. */
const listShortcuts = async (page: Page) => {
  const rows = await sheet(page).locator('dl > div').all()
  return Promise.all(
    rows.map(async (row) => [await row.locator('dt').textContent(), await row.locator('dd').textContent()]),
  )
}

describe('on a player’s page', () => {
  test('the hint at an action closes with Escape, and the action keeps the focus', async () => {
    const { page } = await openPlayer()
    const kick = page.getByRole('button', { name: 'Kick', exact: true })
    await kick.focus()
    await page.getByRole('tooltip').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    expect(await kick.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
  })

  test('B, M, K, W and N open the form with that action', async () => {
    const { page, tab } = await openPlayer()
    for (const [key, action] of Object.entries({ b: 'Ban', m: 'Mute', k: 'Kick', w: 'Warn', n: 'Note' })) {
      await page.keyboard.press(key)
      await openDialog(page).getByRole('radio', { name: action, exact: true, checked: true }).waitFor()
      await page.keyboard.press('Escape')
      await openDialog(page).waitFor({ state: 'detached' })
    }
    const button = page.getByRole('button', { name: 'Ban', exact: true })
    expect(await button.getAttribute('aria-keyshortcuts')).toBe('B')
    await button.hover()
    await page.getByRole('tooltip').getByText('B', { exact: true }).waitFor()
    await expectNoPageErrors(tab)
  })

  test('do nothing while typing, with modifiers, or with a dialog or menu open', async () => {
    const { page } = await openPlayer()
    for (const key of ['Control+b', 'Alt+b', 'Shift+B', 'Meta+b']) {
      await page.keyboard.press(key)
      await countDialogs(page)
    }
    await page.getByRole('searchbox', { name: /Find a player/ }).pressSequentially('bmkwn?')
    await countDialogs(page)
    await expectSettled(() => page.getByRole('searchbox', { name: /Find a player/ }).inputValue(), 'bmkwn?')
    await page.getByRole('button', { name: /Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
    await page.keyboard.press('b')
    await expectSettled(() => page.getByRole('dialog').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'StormRider 261' }).click()
    await page.keyboard.press('n')
    await openDialog(page).getByRole('radio', { name: 'Note', exact: true, checked: true }).waitFor()
    await openDialog(page).getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('b')
    await expectSettled(
      () => openDialog(page).getByRole('radio', { name: 'Note', exact: true }).isChecked(),
      true,
    )
  })

  test('do nothing without the permission, and are not listed', async () => {
    const { page } = await openPlayer(async ({ createMember }) => {
      const { session } = await createMember('moderation.view', 'moderation.note')
      return session
    })
    await page.keyboard.press('b')
    await countDialogs(page)
    await page.keyboard.press('?')
    await sheet(page).waitFor()
    const shortcuts = await listShortcuts(page)
    expect(shortcuts[0]).toEqual(['Note', 'N'])
    expect(shortcuts).toContainEqual(['Show the keyboard shortcuts', '?'])
    expect(shortcuts.map(([label]) => label)).not.toContain('Ban')
  })
})

describe('the sheet of shortcuts', () => {
  test('lists what works on the present screen, by ? and from the menu', async () => {
    const { page, toPath } = await openPlayer()
    await page.keyboard.press('?')
    await sheet(page).waitFor()
    expect((await listShortcuts(page)).slice(0, 5)).toEqual([
      ['Ban', 'B'],
      ['Mute', 'M'],
      ['Kick', 'K'],
      ['Warn', 'W'],
      ['Note', 'N'],
    ])
    await page.keyboard.press('Escape')
    await page.goto(new URL(toPath('/../events'), page.url()).href)
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.locator('[data-day]').first().waitFor()
    await chooseInUserMenu(page, 'Keyboard shortcuts')
    await sheet(page).getByText('Previous or next month').waitFor()
    expect(await sheet(page).getByText('Ban', { exact: true }).count()).toBe(0)
  })

  test('turns single keys off and on again, on this device', async () => {
    const { page } = await openPlayer()
    await page.keyboard.press('?')
    await sheet(page).getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
    await sheet(page).getByText('Show the keyboard shortcuts').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.reload()
    const button = page.getByRole('button', { name: 'Ban', exact: true })
    await button.waitFor()
    expect(await button.getAttribute('aria-keyshortcuts')).toBe(null)
    for (const key of ['b', '?']) {
      await page.keyboard.press(key)
      await countDialogs(page)
    }
    await chooseInUserMenu(page, 'Keyboard shortcuts')
    await sheet(page).getByRole('switch', { name: 'Single-key shortcuts' }).check()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
    await page.keyboard.press('b')
    await fillIn(page, { Reason: 'Exploiting' })
    await openDialog(page).getByRole('radio', { name: 'Ban', exact: true, checked: true }).waitFor()
  })
})
