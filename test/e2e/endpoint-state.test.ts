import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { activeSanctions, chooseOption } from '../support/moderation.ts'
import {
  ARCHIVED,
  chooseMenuItem,
  expectFocus,
  fillIn,
  PHONE,
  pressButton,
  readField,
  reloadAndFollow,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const MODERATOR: readonly Permission[] = [
  'moderation.view',
  'moderation.note',
  'moderation.warn',
  'moderation.kick',
  'moderation.mute',
  'moderation.ban',
  'moderation.unban',
  'moderation.edit',
]
const MESSAGE = 'Moving the records until 18:00.'
/** Clicks although the action is disabled, as a person can. */
const FORCE = { force: true }
const REASON = `Moderation is read-only: “${MESSAGE}”`

async function openFixture(permissions?: readonly Permission[]) {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const ban = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'ban',
    userId: '261',
    reason: 'Exploiting',
  })
  return {
    ...workspace,
    caseId: String(ban.record.id),
    setMode: (endpoint: string, mode: string, message?: string) =>
      workspace.requestAsOwner('POST', '/portal/api/endpoint-controls', {
        endpoint,
        mode,
        ...(message === undefined ? {} : { message }),
      }),
  }
}

/** The name, state and description of each button of a group. */
const readActions = (page: Page, group: string) =>
  page
    .getByRole('group', { name: group })
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => [
        button.textContent,
        button.getAttribute('aria-disabled'),
        document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
      ]),
    )

const banner = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

describe('while moderation is read-only, a moderator who cannot view endpoint controls', () => {
  test('sees the message on every page of it and no active action, and still reads', async () => {
    const { openScreen, setMode, caseId } = await openFixture(MODERATOR)
    await setMode('moderation', 'read_only', MESSAGE)
    const tab = await openScreen('/moderation/players/261')
    const { page } = tab
    await page.getByText('Banned permanently').waitFor()
    await banner(page, 'Moderation is read-only').getByText(`“${MESSAGE}”`).waitFor()
    await banner(page, 'Anyone who can change endpoint controls can turn it on.').waitFor()
    expect(await page.getByRole('link', { name: 'Endpoint controls' }).count()).toBe(0)
    const actions = await readActions(page, 'Moderate this player')
    expect(actions).toEqual(
      ['Ban', 'Mute', 'Kick', 'Warn', 'Note']
        .map((label) => [label, 'true', REASON])
        .sort(
          ([one = ''], [other = '']) =>
            actions.findIndex(([label]) => label === one) - actions.findIndex(([label]) => label === other),
        ),
    )
    await page.getByRole('button', { name: 'Lift the ban' }).click(FORCE)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('link', { name: 'Case 1' }).first().click()
    await page.waitForURL(new RegExp(`/cases/${caseId}$`))
    await page.getByRole('group', { name: 'Case actions' }).waitFor()
    for (const [label, isDisabled, reason] of await readActions(page, 'Case actions'))
      expect([label, isDisabled, reason]).toEqual([label, 'true', REASON])
    for (const path of ['', '/bans', '/history', '/records']) {
      const { page: list } = await openScreen(`/moderation${path}`)
      await banner(list, 'Moderation is read-only').waitFor()
      await list.getByText('Exploiting').first().waitFor()
    }
    await expectNoPageErrors(tab)
  })

  test('reads the reason with the keyboard and by touch', async () => {
    const { openScreen, setMode } = await openFixture(MODERATOR)
    await setMode('moderation', 'read_only', MESSAGE)
    const { page } = await openScreen('/moderation/players/261')
    await page.getByRole('button', { name: 'Lift the ban' }).focus()
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Ban')
    await page.getByRole('tooltip', { name: REASON }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    const { page: phone } = await openScreen('/moderation/players/261', { browser: PHONE })
    await phone.getByRole('button', { name: 'Ban', exact: true }).tap(FORCE)
    await phone.getByRole('tooltip', { name: REASON }).waitFor()
    expect(await phone.getByRole('dialog').count()).toBe(0)
  })

  test('learns of it at once, also while composing, and can go on when it is on again', async () => {
    const { openScreen, setMode } = await openFixture(MODERATOR)
    const tab = await openScreen('/moderation/players/156')
    const { page } = tab
    await reloadAndFollow(tab)
    await pressButton(page, 'Ban')
    await chooseOption(page, '7 days')
    await fillIn(page, { Reason: 'Typed already' })
    await setMode('moderation', 'read_only', MESSAGE)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('status').getByText(MESSAGE).waitFor()
    expect(await dialog.getByRole('button', { name: 'Ban 156' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Reason', { exact: true }).press('Control+Enter')
    await dialog.getByRole('button', { name: 'Ban 156' }).click(FORCE)
    await setMode('moderation', 'on')
    await dialog.getByRole('status').getByText(MESSAGE).waitFor({ state: 'detached' })
    expect(await readField(page, 'Reason')).toBe('Typed already')
    await dialog.getByRole('button', { name: 'Ban 156' }).click()
    await activeSanctions(page)
      .getByText(/^Banned until/)
      .waitFor()
    await expectNoPageErrors(tab)
  })
})

describe('while moderation is off', () => {
  test('its pages say so instead of showing old data, and load by themselves when it is on again', async () => {
    const { openScreen, setMode } = await openFixture(MODERATOR)
    const tab = await openScreen('/moderation/bans')
    const { page } = tab
    await reloadAndFollow(tab)
    await page.getByText('Exploiting').waitFor()
    await setMode('moderation', 'off', MESSAGE)
    await page.getByText('Moderation is off', { exact: true }).waitFor()
    await banner(page, 'Moderation is off').getByText(`“${MESSAGE}”`).waitFor()
    expect(await page.getByText('Exploiting').count()).toBe(0)
    await setMode('moderation', 'on')
    await page.getByText('Exploiting').waitFor()
    await expectNoPageErrors(tab)
  })

  test('a form that is open keeps its input, and works once it is on again', async () => {
    const { openScreen, setMode } = await openFixture(MODERATOR)
    const tab = await openScreen('/moderation/players/156')
    const { page } = tab
    await reloadAndFollow(tab)
    await pressButton(page, 'Ban')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '1 hour', exact: true }).check()
    await fillIn(page, { Reason: 'Exploiting again' })
    await setMode('moderation', 'off')
    await dialog.getByText('Your input is kept').waitFor()
    await setMode('moderation', 'on')
    await dialog.getByText('Your input is kept').waitFor({ state: 'detached' })
    expect(await readField(page, 'Reason')).toBe('Exploiting again')
    await dialog.getByRole('button', { name: 'Ban 156' }).click()
    await activeSanctions(page)
      .getByText(/^Banned until/)
      .waitFor()
    await expectNoPageErrors(tab)
  })

  test('the player search still shows who is banned', async () => {
    const { openScreen, setMode } = await openFixture(MODERATOR)
    await setMode('moderation', 'off')
    const { page } = await openScreen('/moderation')
    await page.getByText('Moderation is off', { exact: true }).waitFor()
    await fillIn(page, { 'Player ID or name': '261' })
    await page.getByText('Banned permanently').waitFor()
  })
})

test('what depends on moderation elsewhere says so too, and cannot be changed', async () => {
  const { openScreen, setMode } = await openFixture()
  await setMode('moderation', 'read_only', MESSAGE)
  const { page: imports } = await openScreen('/configuration/import')
  await banner(imports, 'Moderation is read-only').waitFor()
  const check = imports.getByRole('button', { name: 'Check the file' })
  expect(await check.getAttribute('aria-disabled')).toBe('true')
  await setMode('moderation', 'off', MESSAGE)
  for (const path of ['/batches', '/insights', '/configuration/retention', '/configuration/erasures']) {
    const { page } = await openScreen(path)
    await banner(page, 'Moderation is off').waitFor()
    await page.getByText('Moderation is off', { exact: true }).waitFor()
    expect([path, await page.getByText('Could not load this').count()]).toEqual([path, 0])
    await page.close()
  }
})

describe('events, departments and the workspace', () => {
  test('are read but not changed while their endpoint is read-only, with a link for those who can change it', async () => {
    const { openScreen, setMode, requestAsOwner } = await openFixture()
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
    await requestAsOwner('POST', '/api/events', { title: 'Patrol', eventType: 'shift', scheduledFor })
    await requestAsOwner('POST', '/api/departments', { name: 'Rangers' })
    for (const endpoint of ['events', 'departments', 'workspaces']) await setMode(endpoint, 'read_only')
    const { page } = await openScreen('/events?view=agenda')
    // In the last hour of a day the event is listed on both days.
    await page.getByText('Patrol').first().click()
    const dialog = page.getByRole('dialog')
    for (const name of ['Publish', 'Edit', 'Duplicate', 'Delete'])
      expect(await dialog.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')).toBe(
        'true',
      )
    await page.keyboard.press('Escape')
    await page.getByText('Events is read-only: nothing can be changed.').waitFor()
    const newEvent = page.getByRole('button', { name: 'New event' })
    expect(await newEvent.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('status').getByRole('link', { name: 'Endpoint controls' }).waitFor()

    const { page: departments } = await openScreen('/departments')
    await departments.getByRole('heading', { name: 'Rangers' }).waitFor()
    await banner(departments, 'Departments is read-only').waitFor()
    await departments.getByRole('button', { name: 'Change Rangers' }).click()
    const item = departments.getByRole('menuitem', { name: 'Delete' })
    expect(await item.getAttribute('aria-disabled')).toBe('true')
    await item.click(FORCE)
    expect(await item.isVisible()).toBe(true)
    expect(await departments.getByRole('dialog').count()).toBe(0)

    const { page: settings } = await openScreen('/configuration/workspace')
    await banner(settings, 'Workspaces is read-only').waitFor()
    for (const name of ['Save', 'Archive…'])
      expect(await settings.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
  })

  test('are not shown while their endpoint is off', async () => {
    const { openScreen, setMode } = await openFixture()
    for (const endpoint of ['events', 'workspaces']) await setMode(endpoint, 'off')
    const { page } = await openScreen('/events')
    await page.getByText('Events is off', { exact: true }).waitFor()
    expect(await page.getByText('Could not load this').count()).toBe(0)
    const { page: settings } = await openScreen('/configuration/workspace')
    await settings.getByText('Workspaces is off', { exact: true }).first().waitFor()
    await settings.getByRole('button', { name: 'Transfer ownership…' }).waitFor()
    expect(await settings.getByText('Could not load this').count()).toBe(0)
  })
})

test('an archived workspace disables the actions of every page, with the reason', async () => {
  const { openScreen, workspaceId, caseId } = await openFixture()
  const { session } = e2e.owner
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { action: 'archive', id: workspaceId },
  })
  for (const [path, name] of [
    ['/moderation/players/261', 'Ban'],
    ['/moderation/players/261', 'Lift the ban'],
    [`/moderation/cases/${caseId}`, 'Edit'],
    ['/events', 'New event'],
    ['/departments', 'New department'],
    ['/people', 'Invite'],
    ['/roles', 'New role'],
    ['/configuration/api/keys', 'New key'],
    ['/configuration/workspace', 'Transfer ownership…'],
  ] as const) {
    const { page } = await openScreen(path)
    const button = page.getByRole('button', { name, exact: true }).first()
    await button.waitFor()
    const id = await button.getAttribute('aria-describedby')
    expect([
      path,
      name,
      await button.getAttribute('aria-disabled'),
      await page.locator(`[id="${id}"]`).textContent(),
    ]).toEqual([path, name, 'true', ARCHIVED])
    await page.close()
  }
  const { page } = await openScreen('/configuration/workspace')
  expect(await page.getByRole('button', { name: 'Restore…' }).getAttribute('aria-disabled')).toBeNull()
  await chooseMenuItem(page, /^Signed in as/, 'Your account')
})
