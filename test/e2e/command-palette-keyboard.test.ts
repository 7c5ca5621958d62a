import { describe, expect, test } from 'bun:test'
import {
  chooseResult,
  openPalette,
  openPaletteWorkspace,
  option,
  palette,
  SEARCH,
} from '../support/command-palette.ts'
import { useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import { openModerationSession } from '../support/moderation.ts'
import {
  expectFocus,
  expectSettled,
  failRequests,
  PHONE,
  pressButton,
  readField,
  waitForHeading,
} from '../support/page-actions.ts'
import { forgetVerifications } from '../support/session-verifications.ts'

const e2e = useSession(openModerationSession)

describe('the keyboard of the command palette', () => {
  test('loses no key while the palette loads, and names the active option', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    await palette(page).waitFor()
    const combobox = page.getByRole('combobox', { name: 'Commands' })
    await expectSettled(() => combobox.inputValue(), 'audit')
    const activeText = async () =>
      page.locator(`[id="${await combobox.getAttribute('aria-activedescendant')}"]`).textContent()
    expect(await activeText()).toBe('Audit log')
    await combobox.fill('')
    const [first, second] = await palette(page).getByRole('option').allTextContents()
    expect(await activeText()).toBe(first ?? '')
    await page.keyboard.press('ArrowDown')
    expect(await activeText()).toBe(second ?? '')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await activeText()).toBe((await palette(page).getByRole('option').allTextContents()).at(-1) ?? '')
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    await openPalette(page)
    expect(await combobox.inputValue()).toBe('')
    await page.keyboard.press('Control+k')
    await palette(page).waitFor({ state: 'detached' })
  })

  test('Enter waits for the answer of the server, rather than choosing something else', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    const released = Promise.withResolvers<void>()
    await page.route(SEARCH, async (route) => {
      await released.promise
      await route.continue()
    })
    await openPalette(page)
    await page.keyboard.type('quality')
    await Promise.all([page.waitForRequest(SEARCH), page.keyboard.press('Enter')])
    await palette(page).waitFor()
    released.resolve()
    await waitForHeading(page, 'Departments')
  })

  test('a search that fails says so, and can be tried again', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    await failRequests(page, SEARCH)
    await openPalette(page)
    await page.keyboard.type('qual')
    await palette(page).getByRole('alert').getByText('could not be searched').waitFor()
    await page.unroute(SEARCH)
    await palette(page).getByRole('button', { name: 'Try again' }).click()
    await option(page, 'Quality').waitFor()
  })
})

test('the command palette does not open over a dialog, nor take the password that is typed into it', async () => {
  const { session, workspaceId } = await e2e.createModerationWorkspace()
  const { page } = await e2e.openScreen(`/w/${workspaceId}/configuration/api/keys`, {
    session,
    heading: 'API keys',
  })
  const searches: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/portal/api/search?')) searches.push(request.url())
  })
  const typeOverDialog = async (label: string, text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await expectSettled(() => readField(page, label), text)
    expect(await palette(page).count()).toBe(0)
  }
  await pressButton(page, 'New key')
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
  await expectFocus(page, 'name')
  await typeOverDialog('Name', 'Main server')
  await forgetVerifications(e2e)
  await pressButton(page, 'Create key')
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.waitFor()
  await expectFocus(page, 'password')
  await typeOverDialog('Your password', PASSWORD)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await readField(page, 'Name')).toBe('Main server')
  expect(searches).toEqual([])
})

test('on a phone, the command palette opens from the header, gives the focus back to its button, and fills the screen', async () => {
  const { session, workspaceId } = await e2e.createModerationWorkspace()
  const { page } = await e2e.openScreen(`/w/${workspaceId}/people`, {
    session,
    heading: 'People',
    browser: PHONE,
  })
  const openButton = page.getByRole('button', { name: 'Commands' })
  await openButton.click()
  await palette(page).waitFor()
  await expectFocus(page, 'Commands')
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await expectSettled(
    () => openButton.evaluate((button) => button.ownerDocument.activeElement === button),
    true,
  )
  await openButton.click()
  await palette(page).waitFor()
  expect((await palette(page).boundingBox())?.width).toBe(PHONE.viewport.width)
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.getByRole('combobox', { name: 'Commands' }).fill('new ev')
  await chooseResult(page, 'New event')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
})
