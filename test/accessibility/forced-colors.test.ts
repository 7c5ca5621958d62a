import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { pressButton, waitUntil } from '../support/page-actions.ts'

const e2e = useSession(openModerationSession)

/** The styles that the page has loaded for this mode. */
const LOADED = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('forced-colors')).length`

/** Switches the high contrast mode of the system on. */
async function forceColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  await waitUntil(page, `${LOADED} === 1`)
}

/** The background that a user sees, as red, green and blue: an element without one has that of the page, transparent. */
const readBackground = (element: Locator): Promise<string | undefined> =>
  element.evaluate((target) => /\d+, \d+, \d+/.exec(getComputedStyle(target).backgroundColor)?.[0])

async function expectOtherBackground(element: Locator, ...others: readonly Locator[]): Promise<void> {
  const background = await readBackground(element)
  for (const other of others) expect(await readBackground(other)).not.toBe(background)
}

test('what is current, chosen or switched on stands out in high contrast mode, also once the mode changes', async () => {
  const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
  expect(await page.evaluate<number>(LOADED)).toBe(0)
  await forceColors(page)
  const navigation = page.getByRole('navigation', { name: 'Sections' })
  await expectOtherBackground(
    navigation.getByRole('link', { name: 'Your account' }),
    navigation.getByRole('link', { name: 'Your workspaces' }),
  )
  await expectOtherBackground(
    page.locator('label', { hasText: 'Comfortable' }),
    page.locator('label', { hasText: 'Compact' }),
  )
  const track = page.locator('.mantine-Switch-track')
  const switchedOn = await readBackground(track)
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
  expect(await readBackground(track)).not.toBe(switchedOn)
})

test('a dialog has an edge in high contrast mode, and its chosen options stand out', async () => {
  const { session, toPath } = await e2e.createModerationWorkspace()
  const { page } = await e2e.openScreen(toPath(`/players/${TEST_PLAYER.userId}`), { session })
  await pressButton(page, 'Ban')
  await chooseOption(page, '3 days')
  await forceColors(page)
  const option = (name: string) => openDialog(page).getByRole('radio', { name, exact: true }).locator('+ *')
  await expectOtherBackground(option('3 days'), option('1 day'), option('7 days'))
  const content = page.locator('.mantine-Modal-content')
  expect(await content.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
})

test('what loads has an edge in high contrast mode', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const { page } = await workspace.openScreen('/people', { heading: 'People' })
  await forceColors(page)
  const { promise: isSeen, resolve } = Promise.withResolvers<void>()
  await page.route('**/portal/api/audit**', async (route) => {
    await isSeen
    await route.continue()
  })
  await page.getByRole('link', { name: 'Audit log' }).first().click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  const row = page.locator('[aria-busy=true] .mantine-Skeleton-root').first()
  await row.waitFor()
  // Found and read in one step: the placeholders of the screen replace those of its program, which then have no styles.
  const edge = await page.evaluate(() => {
    const placeholder = document.querySelector('[aria-busy=true] .mantine-Skeleton-root') ?? document.body
    const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(placeholder)
    const isVisible = borderTopColor !== getComputedStyle(document.body).backgroundColor
    return [borderTopWidth, borderTopStyle, isVisible]
  })
  expect(edge).toEqual(['1px', 'solid', true])
  resolve()
  await row.waitFor({ state: 'detached' })
})

test('tabs, charts and progress bars are filled in high contrast mode', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'note',
    ...TEST_PLAYER,
    reason: 'Hello',
  })
  const { page } = await workspace.openScreen('/configuration/api/usage', { heading: 'Usage' })
  await page.getByRole('table', { name: /by day$/ }).waitFor()
  await forceColors(page)
  await expectOtherBackground(
    page.getByRole('tab', { name: 'By day' }),
    page.getByRole('tab', { name: 'By endpoint' }),
  )
  const progress = page.locator('.mantine-Progress-root').first()
  const bar = page.locator('[data-series][style]').first()
  await expectOtherBackground(progress, progress.locator('.mantine-Progress-section').first(), bar)
})
