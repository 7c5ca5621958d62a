import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { composeText } from '../support/input-method.ts'
import { openModerationSession } from '../support/moderation.ts'
import { DESKTOP, expectSettled, failRequests, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { insertRecordCopiesInFolder } from '../support/record-copies.ts'

const e2e = useSession(openModerationSession)

/** A name as the portal isolates it, so that right-to-left text does not reorder a sentence. */
const isolated = (name: string) => `\u2068${name}\u2069`
const wren = `${isolated('Wren')} (5005)`
const robin = `${isolated('Robin')} (261)`
const robinson = `${isolated('Robinson')} (777)`

const playerField = (page: Page) => page.getByRole('textbox', { name: 'Player or case' })
const enter = async (page: Page, text: string) => {
  await playerField(page).fill(text)
  await playerField(page).press('Enter')
}
/** The players of the listed cases, newest first. */
const listedReasons = (page: Page, list: string) =>
  page
    .getByRole('list', { name: list, exact: true })
    .locator('bdi', { hasText: /^Reason / })
    .allTextContents()

/** A workspace with bans of two players called Robin and one called Wren, on a list. */
async function openBans(path = '/bans', heading = 'Active bans') {
  const workspace = await e2e.createModerationWorkspace()
  const ban = (userId: string, userUsername: string, reason: string) =>
    workspace.moderate({ action: 'ban', userId, userUsername, reason })
  await ban('261', 'Robin', 'Reason one')
  await ban('777', 'Robinson', 'Reason two')
  await ban('5005', 'Wren', 'Reason three')
  const tab = await e2e.openScreen(workspace.toPath(path), { session: workspace.session, heading })
  await expectSettled(() => listedReasons(tab.page, heading), ['Reason three', 'Reason two', 'Reason one'])
  return { ...workspace, tab, page: tab.page }
}

describe('the player filter of a list', () => {
  test('understands a name, and shows how', async () => {
    const { tab, page } = await openBans()
    await enter(page, 'wren')
    await page.getByRole('button', { name: `Remove Player ${wren}` }).waitFor()
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason three'])
    expect(new URL(page.url()).searchParams.get('userId')).toBe('5005')
    await page.reload()
    await page.getByRole('button', { name: `Remove Player ${wren}` }).waitFor()
    await pressButton(page, `Remove Player ${wren}`)
    await expectSettled(
      () => listedReasons(page, 'Active bans'),
      ['Reason three', 'Reason two', 'Reason one'],
    )
    await expectNoPageErrors(tab)
  })

  test('leaves the Enter to an input method that ends a composition with it', async () => {
    const { page } = await openBans()
    await playerField(page).focus()
    await composeText(page, 'wren')
    await expectSettled(() => playerField(page).inputValue(), 'wren')
    expect(await page.getByRole('button', { name: `Remove Player ${wren}` }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Remove Player ${wren}` }).waitFor()
  })

  test('offers every player that a text matches, and never chooses one of several', async () => {
    const { page } = await openBans()
    await enter(page, 'robin')
    const matches = page.getByRole('list', { name: /^Players that match/ })
    await expectSettled(() => matches.getByRole('listitem').count(), 2)
    expect(await page.getByRole('list', { name: 'Active bans' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
    // The URL can be shared before a choice, too.
    await page.reload()
    await page.getByRole('button', { name: `Show ${robinson}` }).click()
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason two'])
    await pressButton(page, 'Clear filters')
    await enter(page, 'robin')
    await pressButton(page, 'Show all 2')
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason two', 'Reason one'])
  })

  test('says that no player matches, instead of showing an empty list', async () => {
    const { page } = await openBans()
    await enter(page, 'zzz')
    await page.getByText(`No player matches “${isolated('zzz')}”`).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Remove' }).last().click()
    await expectSettled(
      () => listedReasons(page, 'Active bans'),
      ['Reason three', 'Reason two', 'Reason one'],
    )
  })

  test('suggests players and the case while typing, and takes several at once', async () => {
    const { page } = await openBans()
    await playerField(page).fill('rob')
    // Both names start with the text, so the newest name is first.
    await expectSettled(
      () => page.getByRole('option').locator('bdi').allTextContents(),
      [`Player ${robinson}`, `Player ${robin}`, `All 2 players that match “${isolated('rob')}”`],
    )
    await playerField(page).press('ArrowDown')
    await playerField(page).press('ArrowDown')
    await playerField(page).press('Enter')
    await page.getByRole('button', { name: `Remove Player ${robin}` }).waitFor()
    await enter(page, '777, Wren')
    await page.getByRole('button', { name: `Remove Player ${robinson}` }).waitFor()
    await expectSettled(
      () => listedReasons(page, 'Active bans'),
      ['Reason three', 'Reason two', 'Reason one'],
    )
    await enter(page, '#2')
    await page.getByRole('button', { name: 'Remove Case #2' }).waitFor()
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason two'])
    const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await page.context().request.get(`${new URL(page.url()).origin}${file}`)
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(2)
  })

  test('says that the search failed, rather than that no player matches', async () => {
    const { page } = await openBans()
    await failRequests(page, '**/portal/api/players?*')
    await playerField(page).fill('wren')
    await page.getByText('The search failed. Press Enter to try again.').waitFor()
    expect(await page.getByText('No player matches').count()).toBe(0)
    await page.unroute('**/portal/api/players?*')
    await playerField(page).press('Enter')
    await page.getByText(`Player ${wren}`).waitFor()
  })

  test('keeps the focus when a player is removed with the keyboard', async () => {
    const { page } = await openBans()
    await enter(page, '5005, 261')
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason three', 'Reason one'])
    await page.getByRole('button', { name: `Remove Player ${wren}` }).press('Enter')
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason one'])
    expect(await playerField(page).evaluate((field) => field.ownerDocument.activeElement === field)).toBe(
      true,
    )
  })

  test('says of a known player that they are not banned, and of an unknown id that nothing is recorded', async () => {
    const { page, moderate } = await openBans()
    await moderate({ action: 'warn', userId: '9', userUsername: 'Heron', reason: 'x' })
    await enter(page, 'heron')
    await page.getByText(`${isolated('Heron')} (9) is not banned`).waitFor()
    await pressButton(page, 'Clear filters')
    // A name in an old link: the name is a possible id.
    await page.goto(`${page.url().split('?')[0]}?userId=Wren`)
    await page.getByText('No cases of Wren').waitFor()
    await pressButton(page, 'Search for a player with this name')
    await page.getByRole('button', { name: `Show ${wren}` }).click()
    await expectSettled(() => listedReasons(page, 'Active bans'), ['Reason three'])
  })
})

describe('a list of cases', () => {
  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('keeps its fields in place while they are filled in on a %s', async (_, browser) => {
    const { session, toPath } = await e2e.createModerationWorkspace()
    const { page } = await e2e.openScreen(toPath('/records'), { session, heading: 'All cases', browser })
    await page.getByText('No cases yet').waitFor()
    if (browser === PHONE) await pressButton(page, 'More filters')
    const readPlaces = () =>
      page.evaluate<string>(
        'JSON.stringify([...document.querySelectorAll("search input")].map((field) => field.getBoundingClientRect()))',
      )
    const before = await readPlaces()
    await page.getByLabel('Text', { exact: true }).fill('nobody')
    await page.getByRole('button', { name: 'Save view' }).waitFor()
    expect(await readPlaces()).toBe(before)
  })

  test('keeps its place while a filter is typed on a desktop', async () => {
    const { page } = await openBans('/records', 'All cases')
    const list = page.getByRole('list', { name: 'All cases' })
    const before = await list.boundingBox()
    await page.getByLabel('Text', { exact: true }).fill('Reason')
    await page.getByRole('button', { name: 'Save view' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    expect(await list.boundingBox()).toEqual(before)
  })

  test('is filtered by action, text and day, in the URL and the CSV', async () => {
    const { tab, page, moderate } = await openBans('/records', 'All cases')
    await moderate({ action: 'kick', userId: '261', reason: 'Reason café' })
    await page.getByLabel('Text', { exact: true }).fill('CAFE')
    await expectSettled(() => listedReasons(page, 'All cases'), ['Reason café'])
    await page.getByLabel('Text', { exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Action', exact: true }).click()
    await page.getByRole('option', { name: 'Kick' }).click()
    await expectSettled(() => listedReasons(page, 'All cases'), ['Reason café'])
    await page.getByRole('option', { name: 'Ban' }).click()
    await expectSettled(() => listedReasons(page, 'All cases').then(({ length }) => length), 4)
    await page.keyboard.press('Escape')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No cases match these filters').waitFor()
    await page.getByLabel('To', { exact: true }).fill('')
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await expectSettled(() => listedReasons(page, 'All cases').then(({ length }) => length), 4)
    const { searchParams, origin } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({ action: 'kick,ban', from: '2020-01-01' })
    const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await page.context().request.get(`${origin}${file}`)
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(5)
    await expectNoPageErrors(tab)
  })

  test('is searched to its end, shows how far the search is, and stops on request', async () => {
    const { session, toPath, moderate } = await e2e.createModerationWorkspace()
    await moderate({ action: 'note', userId: '1', reason: 'Reason needle' })
    const hay = await moderate({ action: 'note', userId: '2', reason: 'Reason hay' })
    await insertRecordCopiesInFolder(e2e.server.dataDir, hay.id, 45_000)
    const { page } = await e2e.openScreen(toPath('/records'), { session, heading: 'All cases' })
    // Holds the second step, so that there is time to stop the search.
    const held = Promise.withResolvers<void>()
    await page.route(/text=needle.*cursor=|cursor=.*text=needle/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByLabel('Text', { exact: true }).fill('needle')
    await page.getByText('Searched back to case 25,003').waitFor()
    await pressButton(page, 'Stop searching')
    held.resolve()
    await page.getByText('Searched back to case 5,003').waitFor()
    expect(await listedReasons(page, 'All cases')).toEqual([])
    await pressButton(page, 'Continue searching')
    await expectSettled(() => listedReasons(page, 'All cases'), ['Reason needle'])
  })

  test('of active mutes follows mutes as they begin and end', async () => {
    const { session, toPath, moderate } = await e2e.createModerationWorkspace()
    await moderate({ action: 'mute', userId: '261', reason: 'Reason one' })
    await moderate({ action: 'ban', userId: '261', reason: 'Reason two' })
    const { page } = await e2e.openScreen(toPath('/bans'), { session, heading: 'Active bans' })
    await page
      .getByRole('navigation', { name: 'Moderation' })
      .getByRole('link', { name: 'Active mutes' })
      .click()
    await expectSettled(() => listedReasons(page, 'Active mutes'), ['Reason one'])
    await moderate({ action: 'unmute', userId: '261' })
    await page.getByText('No active mutes').waitFor()
    await moderate({ action: 'mute', userId: '777', reason: 'Reason three' })
    await page.getByRole('list', { name: 'Active mutes' }).getByText('Reason three').waitFor()
  })

  test('has its further filters behind a button on a phone, and nothing overflows', async () => {
    const { session, toPath } = await e2e.createModerationWorkspace()
    const tab = await e2e.openScreen(toPath('/records'), { session, heading: 'All cases', browser: PHONE })
    const { page } = tab
    expect(await page.getByLabel('From', { exact: true }).count()).toBe(0)
    await pressButton(page, 'More filters')
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await page.getByRole('button', { name: 'More filters (1)' }).waitFor()
    expect(await page.evaluate<boolean>('document.body.scrollWidth <= innerWidth')).toBe(true)
  })
})
