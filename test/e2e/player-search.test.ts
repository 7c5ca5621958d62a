import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAxeViolations } from '../support/axe.ts'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import {
  DESKTOP,
  expectFocus,
  expectSettled,
  failRequests,
  isScript,
  PHONE,
  readField,
  reloadWithoutScripts,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { findMiddle, pressAtChange } from '../support/stray-tap.ts'

const e2e = useSession(openModerationSession)

const PLAYERS = '**/portal/api/players?*'
const HEADER_FIELD = 'Find a player by ID or name'
const MAIN_FIELD = 'Player ID or name'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const results = (page: Page) => page.getByRole('list', { name: 'Players found' })
const resultTexts = (page: Page) => results(page).getByRole('listitem').allTextContents()
const playerHeading = { name: 'StormRider 261', level: 1 } as const

async function createPlayers() {
  const workspace = await e2e.createModerationWorkspace()
  await workspace.moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  await workspace.moderate({ action: 'note', userId: '2610', userUsername: 'Storm', reason: 'Seen' })
  await workspace.moderate({ action: 'note', userId: '99', userUsername: 'Sun', reason: 'Seen' })
  return workspace
}

/** Opens a page whose header has the search, and focuses it with the shortcut. */
async function openHeaderSearch() {
  const { session, toPath, workspaceId } = await createPlayers()
  const tab = await e2e.openScreen(`/w/${workspaceId}/departments`, {
    session,
    heading: 'Departments',
    browser: DESKTOP,
  })
  await tab.page.keyboard.press('/')
  await expectFocus(tab.page, HEADER_FIELD)
  return { ...tab, tab, toPath, workspaceId }
}

describe('the search in the header', () => {
  test('takes a pasted link to a profile as the ID, also of a player without cases', async () => {
    const { page } = await openHeaderSearch()
    const paste = (link: string) => field(page, HEADER_FIELD).fill(link)
    await paste('https://www.roblox.com/users/261/profile')
    await expectSettled(() => readField(page, HEADER_FIELD), '261')
    await results(page).getByText('Banned permanently').waitFor()
    await paste('https://www.roblox.com/de/users/4343/profile?friendshipSourceType=PlayerSearch')
    await results(page)
      .getByRole('link', { name: /Open player 4343/ })
      .click()
    await waitForHeading(page, '4343')
  })

  test('shows results while typing, without leaving the page or the field', async () => {
    const { page, tab, workspaceId } = await openHeaderSearch()
    await page.keyboard.type('storm')
    await results(page).getByText('Banned permanently').waitFor()
    // A user who types slowly sees the results of the first letters before those of the whole text.
    await expectSettled(
      () => resultTexts(page),
      ['Storm2610Not banned, not muted1 case', 'StormRider261Banned permanently1 case'],
    )
    expect(new URL(page.url()).pathname).toBe(`/w/${workspaceId}/departments`)
    await expectFocus(page, HEADER_FIELD)
    await page.getByRole('status').filter({ hasText: '2 players found' }).waitFor({ state: 'attached' })
    expect(await findAxeViolations(page)).toEqual([])
    await expectNoPageErrors(tab)
  })

  test('moves through the results with the arrow keys, and Enter opens the player', async () => {
    const { page } = await openHeaderSearch()
    await page.keyboard.type('storm')
    await expectSettled(async () => (await resultTexts(page)).length, 2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expectFocus(page, HEADER_FIELD)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', playerHeading).waitFor()
    await results(page).waitFor({ state: 'detached' })
    expect(await readField(page, HEADER_FIELD)).toBe('')
  })

  test('opens the player of a complete ID with Enter, and otherwise moves to the results', async () => {
    const { page } = await openHeaderSearch()
    await page.keyboard.type('stor')
    await page.keyboard.press('Enter')
    await expectSettled(
      () => page.evaluate<string>('document.activeElement.textContent'),
      'Storm2610Not banned, not muted1 case',
    )
    await page.keyboard.press('Escape')
    await expectFocus(page, HEADER_FIELD)
    expect(await readField(page, HEADER_FIELD)).toBe('stor')
    await page.keyboard.press('Escape')
    await expectSettled(() => readField(page, HEADER_FIELD), '')
    await results(page).waitFor({ state: 'detached' })
    await page.keyboard.type('261')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', playerHeading).waitFor()
  })

  test('closes when something else gets the focus', async () => {
    const { page } = await openHeaderSearch()
    await page.keyboard.type('storm')
    await results(page).waitFor()
    await page.getByRole('heading', { name: 'Departments', level: 1 }).click()
    await results(page).waitFor({ state: 'detached' })
  })
})

test('a search whose results cannot be loaded leaves the page as it is, and finds players once they can be loaded', async () => {
  const { page } = await openHeaderSearch()
  const loadAgain = await reloadWithoutScripts(page, 'No players found')
  await waitForHeading(page, 'Departments')
  await Promise.all([page.waitForEvent('requestfailed', isScript), field(page, HEADER_FIELD).fill('storm')])
  await waitForHeading(page, 'Departments')
  await loadAgain()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await field(page, HEADER_FIELD).fill('storm')
  await results(page).getByText('Banned permanently').waitFor()
})

test('on a phone, the magnifying glass opens the same search over the whole screen', async () => {
  const { session, toPath } = await createPlayers()
  const { page } = await e2e.openScreen(toPath('/bans'), { session, heading: 'Active bans', browser: PHONE })
  await page.getByRole('button', { name: 'Find a player' }).click()
  const dialog = page.getByRole('dialog', { name: 'Find a player' })
  await dialog.waitFor()
  await expectFocus(page, MAIN_FIELD)
  await page.keyboard.type('storm')
  await dialog.getByRole('link', { name: /StormRider/ }).waitFor()
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const { width } = (await dialog.boundingBox()) ?? { width: 0 }
  expect(width).toBe(PHONE.viewport.width)
  await dialog.getByRole('link', { name: /StormRider/ }).click()
  await page.getByRole('heading', playerHeading).waitFor()
  await dialog.waitFor({ state: 'detached' })
})

describe('on a slow network, a search', () => {
  /** Holds back the responses of each query until they are released. */
  async function holdResponses(page: Page) {
    const gates = new Map<string, PromiseWithResolvers<void>>()
    const getGate = (q: string) => {
      const gate = gates.get(q) ?? Promise.withResolvers<void>()
      gates.set(q, gate)
      return gate
    }
    const readQuery = (url: string) => new URL(url).searchParams.get('q') ?? ''
    await page.route(PLAYERS, async (route) => {
      await getGate(readQuery(route.request().url())).promise
      await route.continue().catch(() => 'the page has aborted it')
    })
    return {
      waitUntilSent: (q: string) => page.waitForRequest((request) => readQuery(request.url()) === q),
      waitUntilAborted: (q: string) =>
        page.waitForEvent('requestfailed', (request) => readQuery(request.url()) === q),
      release: (q: string) => getGate(q).resolve(),
    }
  }

  async function openMainSearch() {
    const { session, toPath } = await createPlayers()
    const { page } = await e2e.openScreen(toPath(), { session, heading: 'Moderation', browser: DESKTOP })
    return page
  }

  test('keeps the previous results, aborts outdated requests, and never shows an older answer', async () => {
    const page = await openMainSearch()
    await field(page, MAIN_FIELD).fill('s')
    await expectSettled(async () => (await resultTexts(page)).length, 3)
    const network = await holdResponses(page)
    await Promise.all([network.waitUntilSent('st'), field(page, MAIN_FIELD).fill('st')])
    expect(await resultTexts(page)).toHaveLength(3)
    await Promise.all([network.waitUntilAborted('st'), field(page, MAIN_FIELD).fill('su')])
    network.release('su')
    await expectSettled(() => resultTexts(page), ['Sun99Not banned, not muted1 case'])
    network.release('st')
    await expectSettled(() => resultTexts(page), ['Sun99Not banned, not muted1 case'])
  })

  test('ignores a click that was meant for the row that was there a moment ago', async () => {
    const page = await openMainSearch()
    await field(page, MAIN_FIELD).fill('st')
    await expectSettled(async () => (await resultTexts(page)).length, 2)
    const first = results(page).getByRole('link').first()
    const before = await first.getAttribute('href')
    const { x, y } = await findMiddle(first)
    await pressAtChange(
      page,
      () => field(page, MAIN_FIELD).fill('su'),
      async () => (await first.getAttribute('href')) !== before,
      () => page.mouse.click(x, y),
    )
    await expectSettled(() => resultTexts(page), ['Sun99Not banned, not muted1 case'])
    await waitForHeading(page, 'Moderation')
    expect(new URL(page.url()).search).toBe('?q=su')
  })

  test('moves to the results of Enter once they are there, unless the user types on', async () => {
    const page = await openMainSearch()
    const network = await holdResponses(page)
    await field(page, MAIN_FIELD).fill('sto')
    await Promise.all([network.waitUntilSent('sto'), page.keyboard.press('Enter')])
    await page.keyboard.type('r')
    network.release('sto')
    network.release('stor')
    await results(page).waitFor()
    await expectFocus(page, MAIN_FIELD)
  })
})

test('an ID that was copied with an invisible character opens its player, with cases or without', async () => {
  for (const userId of ['99', '987654321']) {
    const { page } = await openHeaderSearch()
    await page.keyboard.insertText(`\ufeff${userId}\u200b`)
    await results(page).getByText(userId).first().click()
    await page.waitForURL(`**/players/${userId}`)
  }
})

test('a search that fails says so and can be tried again', async () => {
  const { page } = await openHeaderSearch()
  await failRequests(page, PLAYERS)
  await page.keyboard.type('storm')
  await page.getByRole('alert').getByText('This failed here.').waitFor()
  await page.unroute(PLAYERS)
  await page.getByRole('button', { name: 'Try again' }).click()
  await results(page).getByText('Banned permanently').waitFor()
})
