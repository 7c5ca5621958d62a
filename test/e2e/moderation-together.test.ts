import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { choose, dialogOf, inForce, openDesks, STORM } from '../support/moderation.ts'
import { OWNER } from '../support/place.ts'
import { expectFocus, expectSoon, fillIn, press, typedIn, until } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let desks: Awaited<ReturnType<typeof openDesks>>
beforeAll(async () => {
  desks = await openDesks()
})
afterEach(() => desks.leave())
afterAll(() => desks?.close())

const open = () => desks.desk()

describe('two at once', () => {
  test('one bans, and the other sees it', async () => {
    const { session, at, moderate } = await open()
    await moderate({ action: 'note', ...STORM, reason: 'Seen' })
    const one = await desks.visit(session, at('/players/261'), 'StormRider 261')
    const other = await desks.visit(session, at('/players/261'), 'StormRider 261')
    await inForce(other.page).getByText('Not banned, not muted').waitFor()
    await press(one.page, 'Ban')
    await choose(one.page, '1 day')
    await fillIn(one.page, { Reason: 'Exploiting' })
    await press(one.page, 'Ban 261')
    await inForce(one.page)
      .getByText(/^Banned until/)
      .waitFor()
    await inForce(other.page)
      .getByText(/^Banned until/)
      .waitFor()
    await other.page.getByRole('list', { name: 'History' }).getByText('Exploiting').waitFor()
  })

  test('what one does the other sees within a second', async () => {
    const { session, at, moderate } = await open()
    await moderate({ action: 'note', ...STORM, reason: 'Seen' })
    const { page } = await desks.visit(session, at('/players/261'), 'StormRider 261')
    const history = page.getByRole('list', { name: 'History' })
    await history.getByText('Seen').waitFor()
    // What else the machine does may hold one of them up, and not all.
    const delays: number[] = []
    for (const reason of ['First', 'Second', 'Third']) {
      const since = performance.now()
      await moderate({ action: 'note', ...STORM, reason })
      await history.getByText(reason).waitFor()
      delays.push(performance.now() - since)
    }
    expect(Math.min(...delays)).toBeLessThan(1000)
  })

  test('whoever is about to ban is told that somebody else did, before anything is done', async () => {
    const { session, at, moderate, recordsOf } = await open()
    const { page } = await desks.visit(session, at('/players/261'), '261')
    await press(page, 'Ban')
    await choose(page, '1 hour')
    await fillIn(page, { Reason: 'Exploiting' })
    await moderate({ action: 'ban', userId: '261', reason: 'Theirs' })
    await dialogOf(page).getByText('How this player stands has just changed').waitFor()
    await press(page, 'Ban 261')
    await dialogOf(page).getByText('Nothing was done yet').waitFor()
    expect(await recordsOf('261')).toHaveLength(1)
    await press(page, 'Ban 261')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await recordsOf('261')).toHaveLength(2)
  })

  test('lifting what somebody else has just lifted says so', async () => {
    const { session, at, moderate } = await open()
    const { id } = await moderate({ action: 'ban', ...STORM, reason: 'Exploiting' })
    const { page } = await desks.visit(session, at('/players/261'), 'StormRider 261')
    await press(page, 'Lift the ban')
    await dialogOf(page)
      .getByText(/^Lift the ban of 261 \(.StormRider.\)\?$/)
      .waitFor()
    await fillIn(page, { 'Reason (if you like)': 'Appealed' })
    await moderate({ action: 'unban', id })
    await dialogOf(page).getByRole('button', { name: 'Lift the ban' }).click()
    await dialogOf(page)
      .getByText(/^This ban is not in force any more\. Nothing was done/)
      .waitFor()
    await expectSoon(() => typedIn(page, 'Reason (if you like)'), 'Appealed')
  })
})

test('by the keyboard alone: signing in, finding a player, banning them', async () => {
  const { at, moderate, recordsOf } = await open()
  await moderate({ action: 'warn', ...STORM, reason: 'Spamming' })
  const opened = await desks.visit(null, at(), 'Sign in')
  const { page } = opened
  await expectFocus(page, 'username')
  await page.keyboard.type(OWNER)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Moderation', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await until(page, 'document.activeElement.matches("main input")')
  await page.keyboard.type('stormrider')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'StormRider 261', level: 1 }).waitFor()
  await inForce(page).getByText('Not banned, not muted').waitFor()
  const tabTo = async (name: string) => {
    const reached =
      'document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent'
    for (let step = 0; step < 30; step++) {
      if ((await page.evaluate<string>(reached)) === name) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the keyboard does not reach ${name}`)
  }
  await tabTo('Ban')
  await page.keyboard.press('Enter')
  await until(page, 'document.activeElement.matches("[role=dialog] [data-autofocus]")')
  await page.keyboard.type('Exploiting')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await dialogOf(page)
    .getByText(/^Bans 261/)
    .waitFor()
  await tabTo('Ban 261')
  await page.keyboard.press('Enter')
  await inForce(page)
    .getByText(/^Banned/)
    .waitFor()
  expect(await recordsOf('261')).toMatchObject([{ action: 'ban', reason: 'Exploiting' }, { action: 'warn' }])
  await expectCalm(opened)
})
