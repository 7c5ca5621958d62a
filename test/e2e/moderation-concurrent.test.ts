import { describe, expect, test } from 'bun:test'
import type { Route } from 'playwright-core'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  activeSanctions,
  chooseOption,
  openDialog,
  openModerationSession,
  TEST_PLAYER,
} from '../support/moderation.ts'
import {
  expectFocus,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  waitForRefetch,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'

const e2e = useSession(openModerationSession)

const createWorkspace = () => e2e.createModerationWorkspace()

describe('two users at once', () => {
  test('a ban by one appears for the other', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Seen' })
    const firstTab = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    const secondTab = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    await activeSanctions(secondTab.page).getByText('Not banned, not muted').waitFor()
    await pressButton(firstTab.page, 'Ban')
    await chooseOption(firstTab.page, '1 day')
    await fillIn(firstTab.page, { Reason: 'Exploiting' })
    await pressButton(firstTab.page, 'Ban 261')
    await activeSanctions(firstTab.page)
      .getByText(/^Banned until/)
      .waitFor()
    await activeSanctions(secondTab.page)
      .getByText(/^Banned until/)
      .waitFor()
    await secondTab.page.getByRole('list', { name: 'History' }).getByText('Exploiting').waitFor()
  })

  test('an action that one undoes after the other has replaced it stays, and cannot be undone any more', async () => {
    const { session, toPath, moderate, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 day')
    await fillIn(page, { Reason: 'Exploiting' })
    await pressButton(page, 'Ban 261')
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await undo.waitFor()
    await moderate({ action: 'ban', userId: '261', reason: 'Exploiting again' })
    await undo.click()
    await page.getByText('Case 1 was changed meanwhile, so nothing was undone.').waitFor()
    await undo.waitFor({ state: 'detached' })
    const statuses = (await listRecords('261')).map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['active', 'superseded'])
  })

  test('changes by one appear for the other without reloading', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Seen' })
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    const history = page.getByRole('list', { name: 'History' })
    await history.getByText('Seen').waitFor()
    for (const reason of ['First', 'Second', 'Third']) {
      await waitForRefetch(page, '/api/moderation', () =>
        moderate({ action: 'note', ...TEST_PLAYER, reason }),
      )
      await history.getByText(reason).waitFor()
    }
  })

  test('a change appears within a minute when the connection for changes is dead, although nobody has closed it', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    const proxy = await startCuttingProxy(new URL(e2e.server.origin))
    const { page } = await e2e.openScreen('/account', { session })
    await page.clock.install()
    const isStreaming = page.waitForResponse('**/portal/api/live*')
    await page.goto(proxy.url.origin + toPath('/players/261'))
    await isStreaming
    await activeSanctions(page).getByText('Not banned, not muted').waitFor()
    proxy.silence('/portal/api/live')
    await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    await page.clock.fastForward(41_000)
    await activeSanctions(page).getByText('Banned permanently').waitFor()
    await page.goto('about:blank')
    await proxy.close()
  })

  test('a user who is about to ban is warned that someone else already did', async () => {
    const { session, toPath, moderate, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 hour')
    await fillIn(page, { Reason: 'Exploiting' })
    await moderate({ action: 'ban', userId: '261', reason: 'Theirs' })
    await openDialog(page).getByText('This player’s sanctions have just changed').waitFor()
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText('Nothing has been done yet').waitFor()
    expect(await listRecords('261')).toHaveLength(1)
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await listRecords('261')).toHaveLength(2)
  })

  test('a ban whose end someone else moves at the last moment is replaced only in another attempt', async () => {
    const { session, toPath, moderate, listRecords } = await createWorkspace()
    const { id } = await moderate({ action: 'ban', userId: '261', reason: 'Theirs', durationSeconds: '60' })
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 hour')
    await fillIn(page, { Reason: 'Exploiting' })
    await page.route('**/api/moderation', async (route) => {
      if (route.request().method() === 'POST')
        await moderate({ action: 'edit', id, durationSeconds: 'permanent' })
      await route.continue()
    })
    await pressButton(page, 'Ban 261')
    await openDialog(page)
      .getByText(/sanctions have changed. Nothing has been done yet/)
      .waitFor()
    await page.unroute('**/api/moderation')
    await openDialog(page)
      .getByText(/Replaces the active ban \(permanent\)/)
      .waitFor()
    expect(await listRecords('261')).toMatchObject([{ status: 'active', expiresAt: null }])
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await listRecords('261')).toHaveLength(2)
  })

  /** Tries to ban the player without getting a response. @param send what becomes of the request */
  async function banWithoutResponse(
    { session, toPath }: Awaited<ReturnType<typeof createWorkspace>>,
    send: (route: Route) => Promise<unknown>,
  ) {
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 hour')
    await fillIn(page, { Reason: 'Exploiting' })
    await page.route('**/api/moderation', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await send(route)
      await route.abort('internetdisconnected')
    })
    await pressButton(page, 'Ban 261')
    await openDialog(page)
      .getByText(/cannot be reached/)
      .waitFor()
    await page.unroute('**/api/moderation')
    return page
  }

  test('a ban that was lost on the way replaces one that someone else has imposed since only in another attempt', async () => {
    const workspace = await createWorkspace()
    const page = await banWithoutResponse(workspace, async () => {})
    await workspace.moderate({ action: 'ban', userId: '261', reason: 'Theirs' })
    await openDialog(page).getByText('This player’s sanctions have just changed').waitFor()
    await pressButton(page, 'Ban 261')
    await openDialog(page)
      .getByText(`This player has another active ban: case 1 by ${OWNER}. Nothing was done`)
      .waitFor()
    expect(await workspace.listRecords('261')).toHaveLength(1)
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await workspace.listRecords('261')).toHaveLength(2)
  })

  test('a ban whose response was lost is not imposed again a day later, when the server no longer knows the request', async () => {
    const workspace = await createWorkspace()
    const page = await banWithoutResponse(workspace, (route) => route.fetch())
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 24 * 3_600_000 }')
    await pressButton(page, 'Ban 261')
    await openDialog(page)
      .getByText(/another active ban: case 1/)
      .waitFor()
    expect(await workspace.listRecords('261')).toHaveLength(1)
  })

  test('lifting a ban that someone else has just lifted reports it', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    const { id } = await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    await pressButton(page, 'Lift the ban')
    await openDialog(page)
      .getByText(/^Lift the ban of .StormRider. \(261\)\?$/)
      .waitFor()
    await fillIn(page, { 'Reason (optional)': 'Appealed' })
    await moderate({ action: 'unban', id })
    await openDialog(page).getByRole('button', { name: 'Lift the ban' }).click()
    await openDialog(page)
      .getByText(/^This ban is no longer in force\. Nothing was done/)
      .waitFor()
    await expectSettled(() => readField(page, 'Reason (optional)'), 'Appealed')
  })
})

test('signing in, finding a player and banning them works by keyboard alone', async () => {
  const { toPath, moderate, listRecords } = await createWorkspace()
  await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'Spamming' })
  const tab = await e2e.openScreen(toPath(), { session: null, heading: 'Sign in' })
  const { page } = tab
  await expectFocus(page, 'username')
  await page.keyboard.type(OWNER)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Moderation', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await waitUntil(page, 'document.activeElement.matches("main input")')
  await page.keyboard.type('stormrider')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'StormRider 261', level: 1 }).waitFor()
  await activeSanctions(page).getByText('Not banned, not muted').waitFor()
  const tabTo = async (name: string) => {
    const focusedName =
      'document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent'
    for (let step = 0; step < 30; step++) {
      if ((await page.evaluate<string>(focusedName)) === name) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the keyboard does not reach ${name}`)
  }
  await tabTo('Ban')
  await page.keyboard.press('Enter')
  await waitUntil(page, 'document.activeElement.matches("[role=dialog] [data-autofocus]")')
  await page.keyboard.type('Exploiting')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await openDialog(page)
    .getByText(/^Bans .*261/)
    .waitFor()
  await tabTo('Ban 261')
  await page.keyboard.press('Enter')
  await activeSanctions(page)
    .getByText(/^Banned/)
    .waitFor()
  expect(await listRecords('261')).toMatchObject([
    { action: 'ban', reason: 'Exploiting' },
    { action: 'warn' },
  ])
  await expectNoPageErrors(tab)
})
