import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectLocked, holdWrites } from '../support/dialogs.ts'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { expectSettled, fillIn, pressButton, readField, waitUntil } from '../support/page-actions.ts'

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
  await pressInDialog(page, /Moderate 261/, 'Cancel')
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
  await pressInDialog(page, /Moderate 261/, 'Cancel')
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
