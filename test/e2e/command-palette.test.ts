import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  chooseResult,
  openPalette,
  openPaletteWorkspace,
  option,
  palette,
} from '../support/command-palette.ts'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession } from '../support/moderation.ts'
import {
  expectFocus,
  expectSettled,
  readField,
  reloadWithoutScripts,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

const groupNames = (page: Page) => palette(page).getByRole('group').evaluateAll(readGroupLabels)
const readGroupLabels = (groups: Element[]) =>
  groups.map(
    (group) => group.ownerDocument.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
  )

describe('the command palette finds', () => {
  test('players, also by a link to their profile, cases, people, roles, departments, events, keys and invitations', async () => {
    const { page, tab, workspaceId } = await openPaletteWorkspace(e2e)
    await openPalette(page)
    await page.keyboard.type('QU')
    await option(page, 'Quality').waitFor()
    await expectSettled(
      () => groupNames(page),
      ['People', 'Roles', 'Departments', 'Events', 'API keys', 'Invitations'].toSpliced(0, 0, 'Go to'),
    )
    await chooseResult(page, /Quarterly meeting/)
    const event = page.getByRole('dialog', { name: 'Quarterly meeting' })
    await event.waitFor()
    await page.keyboard.press('Escape')
    await event.waitFor({ state: 'hidden' })
    await openPalette(page)
    await page.keyboard.type('storm')
    await chooseResult(page, /StormRider 261.*Banned/)
    await waitForHeading(page, 'StormRider 261')
    await openPalette(page)
    await page.keyboard.type('#2')
    await option(page, /Case 2/).waitFor()
    await page.keyboard.press('Enter')
    await waitUntil(page, `location.pathname.startsWith('/w/${workspaceId}/moderation/cases/')`)
    await openPalette(page)
    await page.keyboard.insertText('https://www.roblox.com/users/261/profile')
    await chooseResult(page, /StormRider 261.*Banned/)
    await waitForHeading(page, 'StormRider 261')
    await expectNoPageErrors(tab)
  })

  test('every hit on its page: the person, the role, the department, the key and the invitation', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    const choose = async (text: string, name: string | RegExp) => {
      await openPalette(page)
      await page.keyboard.type(text)
      await chooseResult(page, name)
    }
    await choose('quinn', /^quinn/)
    await waitForHeading(page, 'People')
    await expectSettled(() => page.getByRole('list', { name: 'Members' }).getByRole('listitem').count(), 1)
    await choose('quiz', 'Quiz masters')
    await waitForHeading(page, 'Roles')
    expect(new URL(page.url()).searchParams.get('view')).toBe('permissions')
    await choose('quality', 'Quality')
    await waitForHeading(page, 'Departments')
    await waitUntil(page, 'document.activeElement.id.startsWith("department-")')
    await choose('quest', /Quest server/)
    await waitForHeading(page, 'API keys')
    await waitUntil(page, 'document.activeElement.id.startsWith("key-")')
    await choose('quentin', /Quentin/)
    await page.getByRole('list', { name: 'Pending invitations' }).getByText('Quentin').waitFor()
  })

  test('settings by what people call them, and only those that the user can see', async () => {
    const { page, session, workspaceId } = await openPaletteWorkspace(e2e)
    const findFirst = async (tab: Page, text: string) => {
      await tab.getByRole('combobox', { name: 'Commands' }).fill(text)
      await expectSettled(async () => (await palette(tab).getByRole('option').count()) >= 0, true)
      return palette(tab).getByRole('option').allTextContents()
    }
    await openPalette(page)
    for (const [text, first] of [
      ['quota', 'Usage'],
      ['switch off', 'Endpoint controls'],
      ['endpoint', 'Endpoint controls'],
      ['archive', 'Archives'],
      ['muted', 'Active mutes'],
      ['owner', 'Transfer ownership'],
      ['matrix', 'Role permissions'],
      ['devices', 'Active sessions'],
      ['new pass', 'Change your password'],
      ['theme', 'Dark mode'],
      ['new work', 'Create a workspace'],
    ] as const)
      expect([text, (await findFirst(page, text))[0]]).toEqual([text, first])
    const member = await e2e.server.createMember({ workspaceId, session }, `lee-${workspaceId}`, [
      'events.view',
    ])
    const { page: other } = await e2e.openScreen(`/w/${workspaceId}`, { session: member })
    await other.getByRole('button', { name: 'Commands' }).click()
    for (const text of [
      'switch off',
      'archive',
      'owner',
      'storm',
      '#1',
      'quiz',
      'quest',
      'new event',
      'ban 261',
    ])
      expect([text, await findFirst(other, text)]).toEqual([text, []])
    expect((await findFirst(other, 'calendar'))[0]).toBe('Events')
  })
})

describe('the command palette does', () => {
  test('open the forms of new things, once', async () => {
    const { page, workspaceId } = await openPaletteWorkspace(e2e)
    for (const [text, dialog, path] of [
      ['new event', 'New event', '/events'],
      ['invite', 'Invite someone', '/people'],
      ['new role', 'New role', '/roles'],
      ['new dep', 'New department', '/departments'],
      ['new api', 'New API key', '/configuration/api/keys'],
      ['archive the', /Archive/, '/configuration/workspace'],
    ] as const) {
      await openPalette(page)
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: dialog }).waitFor()
      await waitUntil(page, `location.pathname + location.search === '/w/${workspaceId}${path}'`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await openPalette(page)
    await page.keyboard.type('transfer')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Transfer/ }).waitFor()
  })

  test('open the form that moderates a player who was typed or found', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    await openPalette(page)
    await page.keyboard.type('ban storm')
    await chooseResult(page, /^Ban .*StormRider.* \(261\)…$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Ban 261' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Their sanctions have not just changed: they only become known while the page loads.
    await openPalette(page)
    await page.keyboard.type('mute sun')
    await chooseResult(page, /^Mute .*Sun.* \(7\)…$/)
    const mute = page.getByRole('dialog')
    await mute.getByRole('button', { name: 'Mute 7' }).waitFor()
    await expectSettled(() => readField(page, 'Player name'), 'Sun')
    await page.keyboard.press('Escape')
    await mute.waitFor({ state: 'detached' })
    await openPalette(page)
    await page.keyboard.type('77001')
    await option(page, /^Open player 77001/).waitFor()
    await chooseResult(page, 'Warn 77001…')
    await page.getByRole('dialog').getByRole('button', { name: 'Warn 77001' }).waitFor()
    await waitForHeading(page, '77001')
  })

  test('offer the latest choices first when it is empty', async () => {
    const { page } = await openPaletteWorkspace(e2e)
    await openPalette(page)
    await page.keyboard.type('storm')
    await chooseResult(page, /StormRider 261.*Banned/)
    await waitForHeading(page, 'StormRider 261')
    await openPalette(page)
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Audit log')
    await openPalette(page)
    expect((await groupNames(page))[0]).toBe('Recent')
    const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')
    expect((await recent.allTextContents())[0]).toBe('Audit log')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'StormRider 261')
  })
})

test('the latest choices stay in the command palette after many actions on players', async () => {
  const { page } = await openPaletteWorkspace(e2e)
  await openPalette(page)
  await page.keyboard.type('audit')
  await page.keyboard.press('Enter')
  await waitForHeading(page, 'Audit log')
  for (const text of ['note 261', 'warn 261', 'kick 261', 'mute 261', 'ban 261', 'warn 7']) {
    await openPalette(page)
    await page.keyboard.type(text)
    await chooseResult(page, new RegExp(`^${text.replace(' ', ' .*')}\\b`, 'i'))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await openPalette(page)
  const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')
  expect((await recent.allTextContents())[0]).toBe('Audit log')
})

test('a command palette that cannot be loaded leaves the page as it is, and opens once it can be loaded', async () => {
  const { page } = await openPaletteWorkspace(e2e)
  const loadAgain = await reloadWithoutScripts(page, 'Go to a page, or do something')
  await waitForHeading(page, 'Usage')
  await page.keyboard.press('Control+k')
  await page.getByRole('alert').getByText('Reeve was updated.').waitFor()
  await waitForHeading(page, 'Usage')
  await loadAgain()
  await page.getByRole('button', { name: 'Commands' }).click()
  await expectFocus(page, 'Commands')
})
