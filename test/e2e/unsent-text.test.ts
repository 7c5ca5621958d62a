import { describe, expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  DESKTOP,
  expectFitsWindow,
  fillIn,
  PHONE,
  pressButton,
  readField,
  reloadAndFollow,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSession)

const TEXT = 'The clip shows the same tool as in case 7, from another account.'
const EVIDENCE = 'https://example.com/clip'

/** The page of a case, on which a member types while somebody else changes what they can do. */
async function openCase(browser: typeof DESKTOP) {
  const workspace = await e2e.createWorkspaceFixture([
    'moderation.view',
    'moderation.note',
    'moderation.edit',
  ])
  const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'warn',
    userId: '261',
    reason: 'Exploiting',
  })
  const tab = await workspace.openScreen(`/moderation/cases/${record.id}`, {
    heading: 'Case 1: warning',
    browser,
  })
  const redact = () =>
    workspace.requestAsOwner('POST', '/api/moderation', {
      action: 'redact',
      id: record.id,
      reason: 'On request',
    })
  /** Leaves the member these permissions. */
  const setPermissions = async (...permissions: readonly string[]) => {
    const { roles } = await workspace.readAsOwner('/portal/api/roles')
    const { id } = roles.find(({ name }: { name: string }) => name === `Role of ${workspace.username}`)
    await workspace.requestAsOwner('PATCH', '/portal/api/roles', {
      id,
      permissions: JSON.stringify(permissions),
    })
  }
  return { tab, page: tab.page, redact, setPermissions }
}

describe.each([
  { name: 'desktop', browser: DESKTOP },
  { name: 'phone', browser: PHONE as typeof DESKTOP },
])('on a $name, what is typed on a case', ({ browser }) => {
  test('stays to be copied when a colleague redacts the case, and says so', async () => {
    const { tab, page, redact } = await openCase(browser)
    await fillIn(page, { 'New evidence': EVIDENCE, 'New comment': TEXT })
    await redact()
    const unsent = page.locator('form').filter({ hasText: 'Your comment was not sent' })
    await unsent.getByText(new RegExp(`${OWNER}\\W+has permanently redacted this case\\.`)).waitFor()
    const field = unsent.getByLabel('New comment', { exact: true })
    expect([await field.inputValue(), await field.isEditable()]).toEqual([TEXT, false])
    expect(await page.getByRole('button', { name: /^Add / }).count()).toBe(0)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await pressButton(page, 'Copy comment')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(TEXT)
    expect(await readField(page, 'New evidence')).toBe(EVIDENCE)
    await expectFitsWindow(page)
    await page.getByRole('link', { name: /^Player .*261/ }).click()
    await pressButton(page, 'Keep editing')
    await pressButton(page, 'Discard comment')
    await field.waitFor({ state: 'detached' })
    await pressButton(page, 'Discard evidence')
    await page.getByText('Evidence', { exact: true }).waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
  })

  test('stays to be copied when the permission is removed, and says so', async () => {
    const { tab, page, setPermissions } = await openCase(browser)
    await fillIn(page, { 'New comment': TEXT })
    await setPermissions('moderation.view')
    await page
      .getByText('You no longer have the permission to add to cases. Your comment was not sent: copy it')
      .waitFor()
    expect(await readField(page, 'New comment')).toBe(TEXT)
    expect(await page.getByLabel('New evidence').count()).toBe(0)
    await setPermissions('moderation.view', 'moderation.note')
    await page.getByRole('button', { name: 'Add comment' }).waitFor()
    expect(await readField(page, 'New comment')).toBe(TEXT)
    await expectNoPageErrors(tab)
  })

  test.each(['comment', 'edit'])(
    'is shown once more when the case itself can no longer be viewed: %s',
    async (form) => {
      const { tab, page, setPermissions } = await openCase(browser)
      if (form === 'edit') await pressButton(page, 'Edit')
      const label = form === 'edit' ? 'Reason' : 'New comment'
      await fillIn(page, { [label]: TEXT })
      // What keeps the text is loaded when the first one is entered.
      await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
      await setPermissions()
      await page.getByText('You don’t have access').waitFor()
      const dialog = page.getByRole('dialog', { name: 'Your text was not sent' })
      expect(await dialog.getByLabel(label, { exact: true }).inputValue()).toBe(TEXT)
      await dialog.getByRole('button', { name: `Copy: ${label}` }).waitFor()
      await expectFitsWindow(page)
      await dialog.getByRole('button', { name: 'Discard text' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expectNoPageErrors(tab)
    },
  )

  test('as a change of the case stays when the case is redacted, or the permission is removed', async () => {
    const { tab, page, redact, setPermissions } = await openCase(browser)
    await pressButton(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: /^Edit case 1/ })
    await dialog.getByLabel('Reason', { exact: true }).fill(TEXT)
    await setPermissions('moderation.view', 'moderation.note')
    await dialog.getByText('You no longer have the permission to edit cases.').waitFor()
    expect(await dialog.getByLabel('Reason', { exact: true }).inputValue()).toBe(TEXT)
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await redact()
    await dialog.getByText('Somebody has permanently redacted this case meanwhile.').waitFor()
    const field = dialog.getByLabel('Reason', { exact: true })
    expect([await field.inputValue(), await field.isEditable()]).toEqual([TEXT, false])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await pressButton(page, 'Keep editing')
    await dialog.getByRole('button', { name: 'Discard reason' }).click()
    await field.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
  })
})

describe('what is typed while a colleague switches an endpoint off', () => {
  /** A screen that has heard of nothing yet, and a function that switches an endpoint. */
  async function openFollowing(path: string, heading: string) {
    const workspace = await e2e.createWorkspaceFixture()
    const tab = await workspace.openScreen(path, { heading, browser: DESKTOP })
    await reloadAndFollow(tab)
    await waitForHeading(tab.page, heading)
    const setMode = (endpoint: string, mode: string) =>
      workspace.requestAsOwner('POST', '/portal/api/endpoint-controls', { endpoint, mode })
    return { ...workspace, tab, page: tab.page, setMode }
  }

  test('stays in the form of an event, which works once Events is on again', async () => {
    const { tab, page, setMode, readAsOwner } = await openFollowing('/events', 'Events')
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Drill', Starts: '2031-02-02T18:00', Description: TEXT })
    await setMode('events', 'off')
    const dialog = page.getByRole('dialog', { name: 'New event' })
    await dialog.getByText('Your input is kept').waitFor()
    await page.getByText('Nothing can be read or changed here').waitFor()
    await setMode('events', 'on')
    await dialog.getByText('Your input is kept').waitFor({ state: 'detached' })
    expect(await readField(page, 'Description')).toBe(TEXT)
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Drill” as a draft.').waitFor()
    const { events } = await readAsOwner('/api/events')
    expect(events).toMatchObject([{ title: 'Drill', description: TEXT }])
    await expectNoPageErrors(tab)
  })

  test.each([
    { path: '/configuration/workspace', heading: 'Workspace', endpoint: 'workspaces', field: 'Group name' },
    { path: '/configuration/retention', heading: 'Retention', endpoint: 'moderation', field: 'Notes' },
  ])('as a setting below $path is shown once more', async ({ path, heading, endpoint, field }) => {
    const { tab, page, setMode } = await openFollowing(path, heading)
    await fillIn(page, { [field]: '365' })
    // What keeps the text is loaded when the first one is entered.
    await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    await setMode(endpoint, 'off')
    const dialog = page.getByRole('dialog', { name: 'Your text was not sent' })
    expect(await dialog.getByLabel(field, { exact: true }).inputValue()).toBe('365')
    expect(await dialog.getByRole('textbox').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Discard text' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
  })
})

describe('what is typed into a dialog by a member who is removed from the workspace is shown once more:', () => {
  /** A member on a page, and a way to remove them. */
  async function openAsMember(path: string, heading: string) {
    const workspace = await e2e.createWorkspaceFixture([
      'moderation.view',
      'moderation.warn',
      'moderation.edit',
      'moderation.ban',
      'moderation.unban',
      'moderation.link',
      'events.view',
      'events.manage',
    ])
    const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
      action: 'ban',
      userId: '261',
      reason: 'Exploiting',
    })
    const tab = await workspace.openScreen(path.replace('<case>', record.id), { heading })
    await reloadAndFollow(tab)
    await waitForHeading(tab.page, heading)
    const removeMember = async () => {
      const { members } = await workspace.readAsOwner('/portal/api/members', { q: workspace.username })
      const path = `/portal/api/members?workspaceId=${workspace.workspaceId}&accountId=${members[0].accountId}`
      await e2e.server.requestOk('DELETE', path, { session: e2e.owner.session })
    }
    return { tab, page: tab.page, removeMember }
  }

  test.each([
    { dialog: 'a warning', path: '/moderation/players/261', heading: '261', button: 'Warn', label: 'Reason' },
    {
      dialog: 'a case',
      path: '/moderation/cases/<case>',
      heading: 'Case 1: ban',
      button: 'Edit',
      label: 'Reason',
    },
    { dialog: 'an event', path: '/events', heading: 'Events', button: 'New event', label: 'Description' },
    {
      dialog: 'a link',
      path: '/moderation/players/261',
      heading: '261',
      button: 'Link a player',
      label: 'Reason',
    },
  ])('$dialog', async ({ path, heading, button, label }) => {
    const { tab, page, removeMember } = await openAsMember(path, heading)
    await pressButton(page, button)
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(TEXT)
    await removeMember()
    await page.getByText('You don’t belong to this workspace').waitFor()
    const rescued = page.getByRole('dialog', { name: 'Your text was not sent' })
    expect(await rescued.getByLabel(label, { exact: true }).inputValue()).toBe(TEXT)
    await rescued.getByRole('button', { name: 'Discard text' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // What the page reads before it knows of the removal is refused.
    expect(tab.pageErrors.filter((error) => !error.includes('403 (Forbidden)'))).toEqual([])
  })

  test('one that was closed with its text', async () => {
    const { page, removeMember } = await openAsMember('/moderation/players/261', '261')
    await pressButton(page, 'Warn')
    await fillIn(page, { Reason: TEXT })
    await pressButton(page, 'Close')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await removeMember()
    const rescued = page.getByRole('dialog', { name: 'Your text was not sent' })
    expect(await rescued.getByLabel('Reason', { exact: true }).inputValue()).toBe(TEXT)
  })
})
