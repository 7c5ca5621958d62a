import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import {
  activeSanctions,
  chooseOption,
  DAY,
  openDialog,
  openModerationSession,
  TEST_PLAYER,
} from '../support/moderation.ts'
import { expectSettled, fillIn, pressButton, readField, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

const createWorkspace = () => e2e.createModerationWorkspace()

describe('finding a player', () => {
  test('by part of a name shows id, newest name and sanctions, and opens the player’s page', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'note', userId: '261', userUsername: 'Rider_of_Storms', reason: 'Seen' })
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    await moderate({ action: 'note', userId: '2610', userUsername: 'Storm', reason: 'Seen' })
    const tab = await e2e.openScreen(toPath(), { session, heading: 'Moderation' })
    const { page } = tab
    await fillIn(page, { 'Player ID or name': 'storm' })
    const searchResults = page.getByRole('list', { name: 'Players found' })
    await searchResults.getByText('Banned permanently').waitFor()
    await expectSettled(
      () => searchResults.getByRole('listitem').allTextContents(),
      [
        'Storm2610Not banned, not muted1 case',
        'StormRider261Also known as Rider_of_StormsBanned permanently2 cases',
      ],
    )
    expect(await searchResults.locator('mark').allTextContents()).toEqual(['Storm', 'Storm', 'Storm'])
    expect(new URL(page.url()).search).toBe('?q=storm')
    await page.getByLabel('Player ID or name', { exact: true }).press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'StormRider 261', level: 1 }).waitFor()
    await activeSanctions(page).getByText('Banned permanently').waitFor()
    await expectNoPageErrors(tab)
  })

  test('by the middle of an earlier name, with or without accents, shows that name first', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    for (const userUsername of ['José_Ñandú', 'Oldest', 'Newest'])
      await moderate({ action: 'note', userId: '261', userUsername, reason: 'Seen' })
    const tab = await e2e.openScreen(toPath('?q=nandu'), { session, heading: 'Moderation' })
    const searchResults = tab.page.getByRole('list', { name: 'Players found' })
    const expected = ['Newest261Also known as José_Ñandú, OldestNot banned, not muted3 cases']
    await expectSettled(() => searchResults.getByRole('listitem').allTextContents(), expected)
    expect(await searchResults.locator('mark').allTextContents()).toEqual(['Ñandú'])
    await fillIn(tab.page, { 'Player ID or name': 'É_ÑAN' })
    await expectSettled(() => searchResults.locator('mark').allTextContents(), ['é_Ñan'])
    await expectNoPageErrors(tab)
  })

  test('never offers to open a word as a player, only a complete id', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'note', userId: 'builder9', userUsername: 'Rider', reason: 'Seen' })
    const { page } = await e2e.openScreen(toPath('?q=builder'), { session, heading: 'Moderation' })
    const searchResults = page.getByRole('list', { name: 'Players found' })
    await expectSettled(
      () => searchResults.getByRole('listitem').allTextContents(),
      ['Riderbuilder9Not banned, not muted1 case'],
    )
    for (const word of ['builder10', 'storm']) {
      await fillIn(page, { 'Player ID or name': word })
      await page.getByText(`No players match “\u2068${word}\u2069”`).waitFor()
      expect(await page.getByText('Open player').count()).toBe(0)
    }
    await fillIn(page, { 'Player ID or name': '77001' })
    await page.getByRole('link', { name: /Open player 77001/ }).waitFor()
  })

  test('by id works for a player without cases, who can then be warned', async () => {
    const { session, toPath, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('?q=77001'), { session, heading: 'Moderation' })
    await page.getByRole('link', { name: /Open player 77001/ }).click()
    await page.getByRole('heading', { name: '77001', level: 1 }).waitFor()
    await page.getByText('This player has no cases.').waitFor()
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: 'Spam', 'Player name': 'Newcomer' })
    await openDialog(page)
      .getByText(/^Records a warning for .Newcomer. \(77001\)\.$/)
      .waitFor()
    await pressButton(page, 'Warn 77001')
    await page.getByRole('heading', { name: 'Newcomer 77001', level: 1 }).waitFor()
    expect(await listRecords('77001')).toMatchObject([
      { action: 'warn', reason: 'Spam', severity: 'low', userUsername: 'Newcomer' },
    ])
  })

  test('without a match explains how to search, and an invalid id is reported as invalid', async () => {
    const { session, toPath } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('?q=no one'), { session, heading: 'Moderation' })
    await page.getByText('No players match').waitFor()
    await page.goto(`${new URL(page.url()).origin}${toPath('/players/a%20b')}`)
    await page.getByText('Invalid player ID').waitFor()
  })
})

describe('moderating a player', () => {
  test('previews the action, confirms it after the server’s response, and offers undo', async () => {
    const { session, toPath, moderate, listRecords, readRecord } = await createWorkspace()
    await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'Spamming' })
    const tab = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    const { page } = tab
    await pressButton(page, 'Ban')
    const dialog = openDialog(page)
    await dialog.getByText(/^Choose how long to ban .StormRider. \(261\)\.$/).waitFor()
    await chooseOption(page, '7 days')
    await dialog.getByText(/^Bans .StormRider. \(261\) for 7 days, until \w+.* \d+:\d\d.*\.$/).waitFor()
    await fillIn(page, { Reason: 'Exploiting', Evidence: 'https://example.com/a\nSeen by two' })
    await chooseOption(page, 'Critical')
    await pressButton(page, 'Ban 261')
    await activeSanctions(page)
      .getByText(/^Banned until .*, 7 days left$/)
      .waitFor()
    const [ban] = await listRecords('261')
    expect(await readRecord(ban.id)).toMatchObject({
      action: 'ban',
      reason: 'Exploiting',
      severity: 'critical',
      durationSeconds: String(7 * DAY),
      evidence: ['https://example.com/a', 'Seen by two'],
      userUsername: 'StormRider',
    })
    await page.getByText(/^Banned .StormRider. \(261\) until .*\. Case 2\.$/).waitFor()
    await pressButton(page, 'Undo')
    await activeSanctions(page).getByText('Not banned, not muted').waitFor()
    expect((await listRecords('261'))[0]).toMatchObject({
      status: 'revoked',
      revokeReason: 'Undone immediately',
    })
    await page.getByText('Lifted by').waitFor()
    await expectNoPageErrors(tab)
  })

  test('names the ban it replaces, warns if it is shorter, and offers no undo that would unban the player', async () => {
    const { session, toPath, moderate, listRecords } = await createWorkspace()
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting', durationSeconds: String(2 * DAY) })
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '3 days')
    await openDialog(page)
      .getByText(/ Replaces the active ban \(until \w+ .*\)\.$/)
      .waitFor()
    expect(
      await openDialog(page)
        .getByText(/^This ends sooner/)
        .count(),
    ).toBe(0)
    await chooseOption(page, '1 day')
    await openDialog(page)
      .getByText(/^This ends sooner than the active ban/)
      .waitFor()
    await openDialog(page).getByRole('list', { name: 'Recent:' }).getByText('Exploiting').click()
    await expectSettled(() => readField(page, 'Reason'), 'Exploiting')
    await pressButton(page, 'Ban 261')
    await page.getByText(/^Banned .StormRider. \(261\) .* Case 2\.$/).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    const statuses = (await listRecords('261')).map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['active', 'superseded'])
  })

  test('until a date expires at that date', async () => {
    const { session, toPath, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('/players/261'), {
      session,
      heading: '261',
      browser: {
        timezoneId: 'Asia/Kolkata',
      },
    })
    await pressButton(page, 'Mute')
    await chooseOption(page, 'Until…')
    await openDialog(page).getByText('In your time zone, Asia/Calcutta').waitFor()
    await fillIn(page, { Until: '2031-05-01T18:30', Reason: 'Loud' })
    await openDialog(page).getByText('Mutes 261 until').waitFor()
    await pressButton(page, 'Mute 261')
    await activeSanctions(page)
      .getByText(/^Muted until .*2031/)
      .waitFor()
    const [{ expiresAt }] = await listRecords('261')
    const remainingMs = new Date(expiresAt).getTime() - Date.parse('2031-05-01T13:00:00Z')
    expect(remainingMs).toBeGreaterThanOrEqual(0)
    expect(remainingMs).toBeLessThan(5000)
  })

  test('with missing fields shows errors on them, and keeps its input even when closed', async () => {
    const { session, toPath, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await fillIn(page, { Evidence: 'https://example.com/a' })
    await pressButton(page, 'Ban 261')
    await page.getByText('Duration is required.').waitFor()
    await page.getByText('Reason is required.').waitFor()
    await page.keyboard.press('Escape')
    await openDialog(page).waitFor({ state: 'detached' })
    await pressButton(page, 'Mute')
    await expectSettled(() => readField(page, 'Evidence'), 'https://example.com/a')
    expect(await page.getByText('Reason is required.').count()).toBe(0)
    expect(await listRecords('261')).toEqual([])
  })

  test('has one effect when retried after a lost response', async () => {
    const { session, toPath, listRecords } = await createWorkspace()
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, 'Until…')
    await fillIn(page, { Until: '2031-05-01T18:30', Reason: 'Exploiting' })
    let isFirstRequest = true
    await page.route('**/api/moderation', async (route) => {
      if (route.request().method() !== 'POST' || !isFirstRequest) return route.continue()
      isFirstRequest = false
      await route.fetch()
      await route.abort()
    })
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    // The remaining time has changed by now, but the retry is still the same ban.
    await waitUntil(page, `Date.now() > ${await page.evaluate<number>('Date.now()')} + 1000`)
    await expectSettled(() => readField(page, 'Reason'), 'Exploiting')
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    await activeSanctions(page)
      .getByText(/^Banned until/)
      .waitFor()
    expect(await listRecords('261')).toHaveLength(1)
  })

  test('shows server and connection errors, and does not appear to have succeeded', async () => {
    const { session, toPath, listRecords } = await createWorkspace()
    const { page, context } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, 'Permanent')
    await fillIn(page, { Reason: 'Exploiting' })
    const error = 'Internal error. Try again.'
    await page.route('**/api/moderation', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { error, code: 'internal_error', requestId: 'r' } })
        : route.continue(),
    )
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText(error).waitFor()
    await page.unroute('**/api/moderation')
    await context.setOffline(true)
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText('You are offline. Try again once you are connected.').waitFor()
    await expectSettled(() => readField(page, 'Reason'), 'Exploiting')
    await expectSettled(() => activeSanctions(page).getByText('Not banned, not muted').count(), 1)
    expect(await listRecords('261')).toEqual([])
    await context.setOffline(false)
    await pressButton(page, 'Ban 261')
    await activeSanctions(page).getByText('Banned permanently').waitFor()
  })
})
