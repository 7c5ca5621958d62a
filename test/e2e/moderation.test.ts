import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { choose, DAY, dialogOf, inForce, openDesks, STORM } from '../support/moderation.ts'
import { expectSoon, fillIn, press, typedIn, until } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let desks: Awaited<ReturnType<typeof openDesks>>
beforeAll(async () => {
  desks = await openDesks()
})
afterEach(() => desks.leave())
afterAll(() => desks?.close())

const open = () => desks.desk()

describe('finding a player', () => {
  test('leads from a part of a name to their page, with id, newest name and standing on the way', async () => {
    const { session, at, moderate } = await open()
    await moderate({ action: 'note', userId: '261', userUsername: 'Rider_of_Storms', reason: 'Seen' })
    await moderate({ action: 'ban', ...STORM, reason: 'Exploiting' })
    await moderate({ action: 'note', userId: '2610', userUsername: 'Storm', reason: 'Seen' })
    const opened = await desks.visit(session, at(), 'Moderation')
    const { page } = opened
    await fillIn(page, { 'Player, by id or name': 'storm' })
    const found = page.getByRole('list', { name: 'Players found' })
    await found.getByText('Banned without end').waitFor()
    await expectSoon(
      () => found.getByRole('listitem').allTextContents(),
      [
        'Storm2610Not banned, not muted1 record',
        'StormRider261Also seen as Rider_of_StormsBanned without end2 records',
      ],
    )
    expect(new URL(page.url()).search).toBe('?q=storm')
    await page.getByLabel('Player, by id or name', { exact: true }).press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'StormRider 261', level: 1 }).waitFor()
    await inForce(page).getByText('Banned without end').waitFor()
    await expectCalm(opened)
  })

  test('reaches whoever has no record yet by id, and acts on them', async () => {
    const { session, at, recordsOf } = await open()
    const { page } = await desks.visit(session, at('?q=77001'), 'Moderation')
    await page.getByRole('link', { name: /Go to the player with the id 77001/ }).click()
    await page.getByRole('heading', { name: '77001', level: 1 }).waitFor()
    await page.getByText('There are no records of this player yet.').waitFor()
    await press(page, 'Warn')
    await fillIn(page, { Reason: 'Spam', Name: 'Newcomer' })
    await dialogOf(page)
      .getByText(/^Records a warning of 77001 \(.Newcomer.\)\.$/)
      .waitFor()
    await press(page, 'Warn 77001')
    await page.getByRole('heading', { name: 'Newcomer 77001', level: 1 }).waitFor()
    expect(await recordsOf('77001')).toMatchObject([
      { action: 'warn', reason: 'Spam', severity: 'low', userUsername: 'Newcomer' },
    ])
  })

  test('teaches where nobody is found, and says of what is no id that it is none', async () => {
    const { session, at } = await open()
    const { page } = await desks.visit(session, at('?q=no one'), 'Moderation')
    await page.getByText('Nobody found for').waitFor()
    await page.goto(`${new URL(page.url()).origin}${at('/players/a%20b')}`)
    await page.getByText('This can be nobody’s id').waitFor()
  })
})

describe('acting on a player', () => {
  test('says what will happen, does it once the server has, and offers to take it back', async () => {
    const { session, at, moderate, recordsOf } = await open()
    await moderate({ action: 'warn', ...STORM, reason: 'Spamming' })
    const opened = await desks.visit(session, at('/players/261'), 'StormRider 261')
    const { page } = opened
    await press(page, 'Ban')
    const dialog = dialogOf(page)
    await dialog.getByText(/^Choose how long to ban 261 \(.StormRider.\)\.$/).waitFor()
    await choose(page, '7 days')
    await dialog.getByText(/^Bans 261 \(.StormRider.\) for 7 days, until \w+.* \d+:\d\d.*\.$/).waitFor()
    await fillIn(page, { Reason: 'Exploiting', Evidence: 'https://example.com/a\nSeen by two' })
    await choose(page, 'Critical')
    await press(page, 'Ban 261')
    await inForce(page)
      .getByText(/^Banned until .*, 7 days left$/)
      .waitFor()
    const [ban] = await recordsOf('261')
    expect(ban).toMatchObject({
      action: 'ban',
      reason: 'Exploiting',
      severity: 'critical',
      durationSeconds: String(7 * DAY),
      evidence: ['https://example.com/a', 'Seen by two'],
      userUsername: 'StormRider',
    })
    await page.getByText(/^Banned 261 \(.StormRider.\) until .*\. Case 2\.$/).waitFor()
    await press(page, 'Undo')
    await inForce(page).getByText('Not banned, not muted').waitFor()
    expect((await recordsOf('261'))[0]).toMatchObject({
      status: 'revoked',
      revokeReason: 'Taken back right after',
    })
    await page.getByText('Lifted by').waitFor()
    await expectCalm(opened)
  })

  test('names the ban that gives way, warns of a shorter one, and offers no undo that would free the player', async () => {
    const { session, at, moderate, recordsOf } = await open()
    await moderate({ action: 'ban', ...STORM, reason: 'Exploiting', durationSeconds: String(2 * DAY) })
    const { page } = await desks.visit(session, at('/players/261'), 'StormRider 261')
    await press(page, 'Ban')
    await choose(page, '3 days')
    await dialogOf(page)
      .getByText(/ The ban in force until \w+ .* gives way\.$/)
      .waitFor()
    expect(
      await dialogOf(page)
        .getByText(/^This ends sooner/)
        .count(),
    ).toBe(0)
    await choose(page, '1 day')
    await dialogOf(page)
      .getByText(/^This ends sooner than the ban in force/)
      .waitFor()
    await dialogOf(page).getByRole('list', { name: 'Lately:' }).getByText('Exploiting').click()
    await expectSoon(() => typedIn(page, 'Reason'), 'Exploiting')
    await press(page, 'Ban 261')
    await page.getByText(/^Banned 261 .* Case 2\.$/).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    const statuses = (await recordsOf('261')).map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['active', 'superseded'])
  })

  test('until a moment holds until that moment', async () => {
    const { session, at, recordsOf } = await open()
    const { page } = await desks.visit(session, at('/players/261'), '261', { timezoneId: 'Asia/Kolkata' })
    await press(page, 'Mute')
    await choose(page, 'Until…')
    await dialogOf(page).getByText('In your time zone, Asia/Calcutta').waitFor()
    await fillIn(page, { Until: '2031-05-01T18:30', Reason: 'Loud' })
    await dialogOf(page).getByText('Mutes 261 until').waitFor()
    await press(page, 'Mute 261')
    await inForce(page)
      .getByText(/^Muted until .*2031/)
      .waitFor()
    const [{ expiresAt }] = await recordsOf('261')
    const late = new Date(expiresAt).getTime() - Date.parse('2031-05-01T13:00:00Z')
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(5000)
  })

  test('is refused beside the fields that lack, and keeps what was typed, also when it is closed', async () => {
    const { session, at, recordsOf } = await open()
    const { page } = await desks.visit(session, at('/players/261'), '261')
    await press(page, 'Ban')
    await fillIn(page, { Evidence: 'https://example.com/a' })
    await press(page, 'Ban 261')
    await page.getByText('How long is required.').waitFor()
    await page.getByText('Reason is required.').waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await press(page, 'Mute')
    await expectSoon(() => typedIn(page, 'Evidence'), 'https://example.com/a')
    expect(await page.getByText('Reason is required.').count()).toBe(0)
    expect(await recordsOf('261')).toEqual([])
  })

  test('whose answer was lost has one effect when it is done again', async () => {
    const { session, at, recordsOf } = await open()
    const { page } = await desks.visit(session, at('/players/261'), '261')
    await press(page, 'Ban')
    await choose(page, 'Until…')
    await fillIn(page, { Until: '2031-05-01T18:30', Reason: 'Exploiting' })
    let isLost = true
    await page.route('**/api/moderation', async (route) => {
      if (route.request().method() !== 'POST' || !isLost) return route.continue()
      isLost = false
      await route.fetch()
      await route.abort()
    })
    await press(page, 'Ban 261')
    await dialogOf(page).getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    // It is fewer seconds to that moment by now, and still the same ban.
    await until(page, `Date.now() > ${await page.evaluate<number>('Date.now()')} + 1000`)
    await expectSoon(() => typedIn(page, 'Reason'), 'Exploiting')
    await press(page, 'Ban 261')
    await dialogOf(page).waitFor({ state: 'detached' })
    await inForce(page)
      .getByText(/^Banned until/)
      .waitFor()
    expect(await recordsOf('261')).toHaveLength(1)
  })

  test('fails in words where the server does or there is no connection, and nothing looks done', async () => {
    const { session, at, recordsOf } = await open()
    const { page, context } = await desks.visit(session, at('/players/261'), '261')
    await press(page, 'Ban')
    await choose(page, 'Without end')
    await fillIn(page, { Reason: 'Exploiting' })
    const error = 'Something went wrong on our side; nothing was changed.'
    await page.route('**/api/moderation', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { error, code: 'internal_error', requestId: 'r' } })
        : route.continue(),
    )
    await press(page, 'Ban 261')
    await dialogOf(page).getByText(error).waitFor()
    await page.unroute('**/api/moderation')
    await context.setOffline(true)
    await press(page, 'Ban 261')
    await dialogOf(page).getByText('You are offline. Try again once you are connected.').waitFor()
    await expectSoon(() => typedIn(page, 'Reason'), 'Exploiting')
    await expectSoon(() => inForce(page).getByText('Not banned, not muted').count(), 1)
    expect(await recordsOf('261')).toEqual([])
    await context.setOffline(false)
    await press(page, 'Ban 261')
    await inForce(page).getByText('Banned without end').waitFor()
  })
})
