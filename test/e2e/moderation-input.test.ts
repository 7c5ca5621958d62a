import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectLocked, holdWrites } from '../support/dialogs.ts'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import {
  expectSettled,
  fillIn,
  openInApp,
  pressButton,
  readField,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'

const e2e = useSession(openModerationSession)

const pressInDialog = (page: Page, title: string | RegExp, button: string) =>
  page.getByRole('dialog', { name: title }).getByRole('button', { name: button, exact: true }).click()

const ACTIONS = '**/api/moderation*'

test('a dialog stays open while its request runs, and then shows its error', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  await moderate({ action: 'mute', ...TEST_PLAYER, reason: 'Shouting' })
  const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
  const dialog = page.getByRole('dialog')
  const fail = await holdWrites(page, ACTIONS)
  await pressButton(page, 'Ban')
  await chooseOption(page, '1 day')
  await fillIn(page, { Reason: 'Exploiting' })
  await pressButton(page, 'Ban 261')
  await expectLocked(page)
  await page.keyboard.press('m')
  fail()
  await dialog.getByText('The disk is full.').waitFor()
  expect(await readField(page, 'Reason')).toBe('Exploiting')
  await pressInDialog(page, /Moderate .*261/, 'Cancel')
  await dialog.waitFor({ state: 'detached' })

  const failAgain = await holdWrites(page, ACTIONS)
  await pressButton(page, 'Lift the mute')
  await dialog.getByRole('textbox').fill('Mistake')
  await dialog.getByRole('button', { name: 'Lift the mute' }).click()
  await expectLocked(page)
  await page.keyboard.press('m')
  failAgain()
  await dialog.getByText('The disk is full.').waitFor()
  await page.keyboard.press('Escape')
  await pressInDialog(page, 'Discard changes?', 'Discard changes')
  await dialog.waitFor({ state: 'detached' })
})

test('a response that does not arrive within a minute is given up, and trying again acts once', async () => {
  const { session, toPath, moderate, listRecords } = await e2e.createModerationWorkspace()
  await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Seen' })
  const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
  await page.clock.install()
  const { promise: isBanned, resolve } = Promise.withResolvers<void>()
  await page.route(ACTIONS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    resolve()
  })
  await pressButton(page, 'Ban')
  await chooseOption(page, '1 day')
  await fillIn(page, { Reason: 'Exploiting' })
  await pressButton(page, 'Ban 261')
  await isBanned
  await page.clock.fastForward(60_000)
  await page.getByRole('dialog').getByText('Reeve has not responded for a minute.').waitFor()
  await page.unrouteAll()
  await pressButton(page, 'Ban 261')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const actions = (await listRecords('261')).map(({ action }: { action: string }) => action)
  expect(actions).toEqual(['ban', 'note'])
})

describe('a warning whose response was lost', () => {
  /** Warns the player; the response is lost on the way. */
  async function warnWithoutResponse() {
    const workspace = await e2e.createModerationWorkspace()
    const { page } = await e2e.openScreen(workspace.toPath('/players/261'), {
      session: workspace.session,
      heading: '261',
    })
    await page.clock.install()
    await page.route(ACTIONS, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: 'Spamming' })
    await pressButton(page, 'Warn 261')
    await page
      .getByRole('dialog')
      .getByText(/cannot be reached/)
      .waitFor()
    await page.unrouteAll()
    const countRecords = async () => (await workspace.listRecords('261')).length
    return { page, countRecords, toPath: workspace.toPath }
  }

  test('is recorded once by a retry in its form, however long the phone has slept, and again by the next one', async () => {
    const { page, countRecords } = await warnWithoutResponse()
    const dialog = page.getByRole('dialog')
    await page.clock.fastForward('22:00:00')
    await pressButton(page, 'Warn 261')
    await dialog.waitFor({ state: 'detached' })
    expect(await countRecords()).toBe(1)
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: 'Spamming' })
    // The toast about the first one may be over the button.
    await page.getByRole('button', { name: 'Warn 261' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await countRecords()).toBe(2)
  })

  test('is recorded again by its form once that was closed and opened anew, a while later', async () => {
    const { page, countRecords } = await warnWithoutResponse()
    await pressInDialog(page, /Moderate .*261/, 'Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.clock.fastForward('03:00:00')
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: 'Spamming' })
    await pressButton(page, 'Warn 261')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countRecords()).toBe(2)
  })

  test('is recorded again by a new form with the same content, a while later', async () => {
    const { page, countRecords, toPath } = await warnWithoutResponse()
    await page.clock.fastForward('00:30:00')
    await pressInDialog(page, /Moderate .*261/, 'Cancel')
    await page.getByRole('navigation').getByRole('link', { name: 'Moderation' }).first().click()
    await pressInDialog(page, 'Discard changes?', 'Discard changes')
    await waitForHeading(page, 'Moderation')
    await openInApp(page, toPath('/players/261'))
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: 'Spamming' })
    await pressButton(page, 'Warn 261')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countRecords()).toBe(2)
  })
})

test('leaving a page with a half-written action, edit or comment asks first', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const record = await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Seen' })
  const expectKept = async (page: Page, field: string) => {
    // What asks is loaded when the first text is entered.
    await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    await page.evaluate('history.back()')
    await pressInDialog(page, 'Discard changes?', 'Keep editing')
    await expectSettled(() => readField(page, field), 'Half done')
  }
  const { page } = await e2e.openScreen(toPath(''), { session, heading: 'Moderation' })
  await page.getByRole('link', { name: /261/ }).first().click()
  await page.getByRole('button', { name: 'Warn', exact: true }).waitFor()
  await pressButton(page, 'Warn')
  await fillIn(page, { Reason: 'Half done' })
  await expectKept(page, 'Reason')
  await pressInDialog(page, /Moderate .*261/, 'Cancel')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page
    .getByRole('link', { name: `Case ${record.caseNumber}` })
    .first()
    .click()
  await pressInDialog(page, 'Discard changes?', 'Discard changes')
  await fillIn(page, { 'New comment': 'Half done' })
  await expectKept(page, 'New comment')
  await fillIn(page, { 'New comment': '' })
  await pressButton(page, 'Edit')
  await fillIn(page, { Reason: 'Half done' })
  await expectKept(page, 'Reason')
  await page.evaluate('history.back()')
  await pressInDialog(page, 'Discard changes?', 'Discard changes')
  await page.getByRole('button', { name: 'Warn', exact: true }).waitFor()
})
