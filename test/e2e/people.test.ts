import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  expectEventually,
  expectFocus,
  failRequests,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession, type StaffSession } from '../support/staff-session.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let e2e: StaffSession
beforeAll(async () => {
  e2e = await openStaffSession()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

const members = async (): Promise<Record<string, string[]>> => {
  const body = await e2e.readAsOwner('/portal/api/members')
  return Object.fromEntries(
    body.members.map(({ username, roles }: { username: string; roles: { name: string }[] }) => [
      username,
      roles.map(({ name }) => name),
    ]),
  )
}

describe('members', () => {
  test('are found by a part of the name and by role, and the address keeps what was looked for', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    const list = page.getByRole('list', { name: 'Members' })
    await list.getByText('ada', { exact: true }).waitFor()
    await page.getByLabel('Find a member').fill('JUN')
    await list.getByText('ada', { exact: true }).waitFor({ state: 'detached' })
    await expectEventually(() => list.getByRole('listitem').count(), 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('JUN')
    await page.getByLabel('Find a member').fill('')
    await page.getByLabel('Only those with the role').selectOption({ label: 'Trainer' })
    await list.getByText('juniper').waitFor({ state: 'detached' })
    await list.getByText('sena').waitFor()
    await list.getByText('ash').waitFor()
    await expectEventually(() => list.getByRole('listitem').count(), 2)
    await page.reload()
    await list.getByText('sena').waitFor()
    await expectEventually(() => list.getByRole('listitem').count(), 2)
    await page.getByLabel('Find a member').fill('nobody-like-that')
    await page.getByText('Nobody here is like that').waitFor()
  })

  test('get roles after it was said what they gain and lose, and it holds at once', async () => {
    const session = await e2e.addMember('mira', e2e.staff.roles.moderator)
    const tab = await e2e.openPeopleScreen(e2e.owner.session)
    const { page } = tab
    await pressButton(page, 'What to do with mira')
    await page.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog', { name: 'Roles of mira' })
    await expectEventually(() => dialog.getByRole('button', { name: 'Change the roles' }).isDisabled(), true)
    await dialog.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
    await dialog.getByRole('checkbox', { name: 'Senior moderator' }).click()
    await dialog.getByText('mira will be able to: Ban players').waitFor()
    await dialog.getByText('mira will no longer be able to: Add notes').waitFor()
    await dialog.getByRole('button', { name: 'Change the roles' }).click()
    await page.getByText('Changed the roles of mira.').waitFor()
    expect((await members()).mira).toEqual(['Senior moderator'])
    const { body } = await e2e.server.requestOk('GET', '/portal/api/me', { session })
    expect(body.workspaces[0].permissions).toContain('moderation.ban')
    await expectNoPageErrors(tab)
  })

  test('are removed after a question that names them and what they lose', async () => {
    const session = await e2e.addMember('vesper', e2e.staff.roles.trainer)
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await pressButton(page, 'What to do with vesper')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: `Remove vesper from ${GROUP}?` })
    await dialog.getByText('vesper loses “Trainer” and can no longer open this workspace').waitFor()
    expect(await members()).toHaveProperty('vesper')
    await dialog.getByRole('button', { name: 'Remove vesper' }).click()
    await page.getByText('vesper was removed.').waitFor()
    expect(await members()).not.toHaveProperty('vesper')
    const { body } = await e2e.server.requestOk('GET', '/portal/api/me', { session })
    expect(body.workspaces).toEqual([])
  })

  test('leave by themselves, and end up where they can go on', async () => {
    const role = await e2e.server.createMember(e2e.owner, 'quill', ['members.view'])
    const tab = await e2e.openPeopleScreen(role)
    const { page } = tab
    await pressButton(page, 'What you can do')
    await page.getByRole('menuitem', { name: 'Leave this workspace' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Leave ${GROUP}` })
      .click()
    await waitForHeading(page, 'Your workspaces')
    await page.getByText('You belong to no workspace yet').waitFor()
    expect(await members()).not.toHaveProperty('quill')
  })

  test('who may not see who is here can leave all the same', async () => {
    const session = await e2e.addMember('wisp')
    const { page } = await e2e.openPeopleScreen(session)
    await page.getByText('You don’t have access').waitFor()
    await pressButton(page, `Leave ${GROUP}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Leave ${GROUP}` })
      .click()
    await waitForHeading(page, 'Your workspaces')
    expect(await members()).not.toHaveProperty('wisp')
  })

  test('who has an account is added by name; a name that nobody has is told, and what was typed stays', async () => {
    await e2e.server.createAccount('linnet')
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await pressButton(page, 'Invite')
    await page.getByRole('radio', { name: 'By username' }).press('Space')
    await fillIn(page, { Username: 'linnnet' })
    await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
    await pressButton(page, 'Add')
    await page.getByText('There is no account named linnnet on this instance.').waitFor()
    await expectEventually(() => readField(page, 'Username'), 'linnnet')
    await expectEventually(
      () => page.getByRole('checkbox', { name: 'Moderator', exact: true }).isChecked(),
      true,
    )
    await fillIn(page, { Username: 'linnet' })
    await pressButton(page, 'Add')
    await page.getByText(`linnet is a member of ${GROUP} now.`).waitFor()
    expect((await members()).linnet).toEqual(['Moderator'])
  })

  test('appear as somebody else adds them', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await page.getByText('juniper').waitFor()
    await e2e.addMember('tansy')
    await page.getByText('tansy').waitFor()
  })
})

describe('what is out of reach', () => {
  test('is not shown to whoever may only look, and cannot be done past the page', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'onlooker', ['members.view'])
    const { page } = await e2e.openPeopleScreen(session)
    await page.getByText('juniper').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^What to do with/ }).count()).toBe(0)
    await page.goto(`${page.url()}?tab=invitations`)
    await page.getByText('juniper').waitFor()
    const response = await e2e.server.request('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: e2e.workspaceId },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'members.manage'])
  })

  test('is locked with why: members above, roles of a rank not below, roles that give what one lacks', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.staff.lead)
    await pressButton(page, 'What to do with ada')
    await page.getByText('The rank of ada (500) is not below yours (100).').waitFor()
    await expectEventually(() => page.getByRole('menuitem', { name: 'Remove' }).isDisabled(), true)
    await page.keyboard.press('Escape')
    await pressButton(page, 'What to do with robin')
    await page.getByText('robin owns this workspace.').waitFor()
    await page.keyboard.press('Escape')
    await pressButton(page, 'What to do with juniper')
    const menu = page.getByRole('menu', { name: 'What to do with juniper' })
    await menu.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog')
    await expectEventually(() => dialog.getByRole('checkbox', { name: 'Administrator' }).isDisabled(), true)
    await dialog.getByText('Its rank (500) is not below yours (100).').waitFor()
    await dialog.getByText('It grants permissions that you don’t have yourself: Ban players').waitFor()
    await expectEventually(() => dialog.getByRole('checkbox', { name: 'Trainer' }).isDisabled(), false)
  })
})

test('with the keyboard alone somebody gets another role', async () => {
  await e2e.addMember('finch')
  const { page } = await e2e.openPeopleScreen(e2e.owner.session, '?q=finch')
  await page.getByRole('button', { name: 'What to do with finch' }).focus()
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Change roles')
  await page.keyboard.press('Enter')
  await waitUntil(page, 'document.activeElement.closest("[role=dialog]")')
  const waitForTab = () =>
    page.evaluate<boolean>('document.activeElement.labels?.[0]?.textContent.startsWith("Trainer") ?? false')
  for (let tabs = 0; tabs < 12 && !(await waitForTab()); tabs++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Changed the roles of finch.').waitFor()
  expect((await members()).finch).toEqual(['Trainer'])
})

test('what cannot be read is told with a way to try again, and a write that fails stays in its dialog', async () => {
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page, context } = tab
  await page.getByText('juniper').waitFor()
  await pressButton(page, 'Invite')
  await fillIn(page, { Note: 'For later' })
  await context.setOffline(true)
  await pressButton(page, 'Make the link')
  await page.getByText('You are offline. Try again once you are connected.').waitFor()
  await expectEventually(() => readField(page, 'Note'), 'For later')
  await context.setOffline(false)
  await failRequests(page, '**/portal/api/members?*')
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.getByText('Request r-1').waitFor()
  await page.unroute('**/portal/api/members?*')
  await pressButton(page, 'Try again')
  await page.getByText('juniper').waitFor()
})

test('an archived workspace can be read; nobody is invited, and whoever must go can be removed', async () => {
  const { workspaceId, session } = e2e.owner
  await e2e.addMember('basil')
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'archive' },
  })
  const { page } = await e2e.openPeopleScreen(session)
  await page.getByText('This workspace is archived').waitFor()
  await page.getByText('basil').waitFor()
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  await pressButton(page, 'What to do with basil')
  await expectEventually(() => page.getByRole('menuitem', { name: 'Change roles' }).isDisabled(), true)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await pressButton(page, 'Remove basil')
  await page.getByText('basil was removed.').waitFor()
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'restore' },
  })
})
