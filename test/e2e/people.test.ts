import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import {
  ARCHIVED,
  chooseMenuItem,
  expectBlocked,
  expectFocus,
  expectSettled,
  failRequests,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
  waitForRefetch,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession } from '../support/staff-session.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openStaffSession)

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
  test('are found by a part of the name and by role, and the URL keeps the filters', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    const list = page.getByRole('list', { name: 'Members' })
    await list.getByText('ada', { exact: true }).waitFor()
    await page.getByLabel('Find a member').fill('JUN')
    await list.getByText('ada', { exact: true }).waitFor({ state: 'detached' })
    await expectSettled(() => list.getByRole('listitem').count(), 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('JUN')
    await page.getByLabel('Find a member').fill('')
    await page.getByLabel('Filter by role').selectOption({ label: 'Trainer' })
    await list.getByText('juniper').waitFor({ state: 'detached' })
    await list.getByText('sena').waitFor()
    await list.getByText('ash').waitFor()
    await expectSettled(() => list.getByRole('listitem').count(), 2)
    await page.reload()
    await list.getByText('sena').waitFor()
    await expectSettled(() => list.getByRole('listitem').count(), 2)
    await page.getByLabel('Find a member').fill('nobody-like-that')
    await page.getByText('No matching members').waitFor()
  })

  test('get roles with a preview of gained and lost permissions, effective immediately', async () => {
    const session = await e2e.addMember('mira', e2e.staff.roles.moderator)
    const tab = await e2e.openPeopleScreen(e2e.owner.session)
    const { page } = tab
    await pressButton(page, 'Actions for mira')
    await page.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog', { name: 'Roles of mira' })
    await expectSettled(() => dialog.getByRole('button', { name: 'Change roles' }).isDisabled(), true)
    await dialog.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
    await dialog.getByRole('checkbox', { name: 'Senior moderator' }).click()
    await dialog.getByText('mira will be able to: Ban players').waitFor()
    await dialog.getByText('mira will no longer be able to: Add notes').waitFor()
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await page.getByText('Changed the roles of mira.').waitFor()
    expect((await members()).mira).toEqual(['Senior moderator'])
    const { body } = await e2e.server.requestOk('GET', '/portal/api/me', { session })
    expect(body.workspaces[0].permissions).toContain('moderation.ban')
    await expectNoPageErrors(tab)
  })

  test('keep the roles that someone else changes while the dialog is open', async () => {
    const { moderator, trainer, senior } = e2e.staff.roles
    await e2e.addMember('rowan', `${moderator},${trainer}`)
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await chooseMenuItem(page, 'Actions for rowan', 'Change roles')
    const dialog = page.getByRole('dialog', { name: 'Roles of rowan' })
    await dialog.getByRole('checkbox', { name: 'Lead' }).click()
    const { members: found } = await e2e.readAsOwner('/portal/api/members', { q: 'rowan' })
    const [{ accountId }] = found
    const roleIds = `${moderator},${senior}`
    await e2e.requestAsOwner('PATCH', '/portal/api/members', { accountId, roleIds })
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await dialog.getByText('Someone else changed the roles of rowan while you were editing.').waitFor()
    await expectSettled(() => dialog.getByRole('checkbox', { name: 'Trainer' }).isChecked(), false)
    expect((await members()).rowan).toEqual(['Senior moderator', 'Moderator'])
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await page.getByText('Changed the roles of rowan.').waitFor()
    expect((await members()).rowan).toEqual(['Lead', 'Senior moderator', 'Moderator'])
  })

  test('are removed after a confirmation with their name and roles', async () => {
    const session = await e2e.addMember('vesper', e2e.staff.roles.trainer)
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await pressButton(page, 'Actions for vesper')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: `Remove vesper from ${GROUP}?` })
    await dialog.getByText('vesper will lose “Trainer” and access to this workspace').waitFor()
    expect(await members()).toHaveProperty('vesper')
    await dialog.getByRole('button', { name: 'Remove vesper' }).click()
    await page.getByText('Removed vesper.').waitFor()
    expect(await members()).not.toHaveProperty('vesper')
    const { body } = await e2e.server.requestOk('GET', '/portal/api/me', { session })
    expect(body.workspaces).toEqual([])
  })

  test('can leave, and are redirected to their workspaces', async () => {
    const role = await e2e.server.createMember(e2e.owner, 'quill', ['members.view'])
    const tab = await e2e.openPeopleScreen(role)
    const { page } = tab
    await pressButton(page, 'Your actions')
    await page.getByRole('menuitem', { name: 'Leave this workspace' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Leave ${GROUP}` })
      .click()
    await waitForHeading(page, 'Your workspaces')
    await page.getByText('You are not a member of any workspace yet').waitFor()
    expect(await members()).not.toHaveProperty('quill')
  })

  test('without permission to see members can leave', async () => {
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

  test('are invited by username, and join once they accept; the response to an unknown username is the same', async () => {
    await e2e.server.createAccount('linnet')
    const session = await e2e.server.session('linnet')
    const tab = await e2e.openPeopleScreen(e2e.owner.session)
    const { page } = tab
    for (const username of ['linnnet', 'linnet']) {
      await pressButton(page, 'Invite')
      await page.getByRole('radio', { name: 'By username' }).press('Space')
      await fillIn(page, { Username: username })
      await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await page.getByText(`Invited ${username}.`).waitFor()
      await page.getByRole('button', { name: `Withdraw: ${username}`, exact: true }).waitFor()
    }
    await expectNoPageErrors(tab)
    expect(await members()).not.toHaveProperty('linnet')
    const invited = await e2e.openScreen('/', { session, heading: 'Your workspaces' })
    await pressButton(invited.page, 'Signed in as linnet. Your menu')
    await invited.page.getByRole('menuitem', { name: 'Invitations' }).waitFor()
    await invited.page.keyboard.press('Escape')
    await pressButton(invited.page, `Accept: ${GROUP}`)
    await invited.page.getByText(`Welcome to ${GROUP}.`).waitFor()
    await expectNoPageErrors(invited)
    expect((await members()).linnet).toEqual(['Moderator'])
  })

  test('who are invited by username can decline, and report the workspace to the operators', async () => {
    await e2e.server.createAccount('sable')
    await e2e.requestAsOwner('POST', '/portal/api/invitations', { username: 'sable' })
    const session = await e2e.server.session('sable')
    const tab = await e2e.openScreen('/workspaces', { session, heading: 'Your workspaces' })
    const { page } = tab
    await pressButton(page, `Report ${GROUP}`)
    await fillIn(page, { 'What is wrong': 'I know nobody there' })
    await pressButton(page, 'Send report')
    await page.getByText(`Reported ${GROUP}.`).waitFor()
    await pressButton(page, `Decline: ${GROUP}`)
    await pressButton(page, 'Decline invitation')
    await page.getByText(`Declined the invitation to ${GROUP}.`).waitFor()
    await page.getByRole('button', { name: `Accept: ${GROUP}` }).waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
    expect(await members()).not.toHaveProperty('sable')
    const operator = await e2e.openScreen('/operator/instance', { heading: 'Health' })
    await operator.page.getByText('1 report about a workspace is open.').waitFor()
    await operator.page.getByRole('link', { name: 'Look at the reports' }).click()
    await operator.page.getByText('I know nobody there').waitFor()
    await pressButton(operator.page, `Resolve: ${GROUP}`)
    await pressButton(operator.page, 'Resolve report')
    await operator.page.getByText('No open reports').waitFor()
    await expectNoPageErrors(operator)
  })

  test('appear live when someone else adds them', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.owner.session)
    await page.getByText('juniper').waitFor()
    await waitForRefetch(page, '/portal/api/members', () => e2e.addMember('tansy'))
    await page.getByText('tansy').waitFor()
  })
})

describe('an action without permission', () => {
  test('is not shown, and its request is rejected', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'onlooker', ['members.view'])
    const { page } = await e2e.openPeopleScreen(session)
    await page.getByText('juniper').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
    await page.goto(`${page.url()}?tab=invitations`)
    await page.getByText('juniper').waitFor()
    const response = await e2e.server.request('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: e2e.workspaceId },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'members.manage'])
  })

  test('is disabled with the reason: members of a higher rank, roles of a rank not below, roles with permissions that the user lacks', async () => {
    const { page } = await e2e.openPeopleScreen(e2e.staff.lead)
    await pressButton(page, 'Actions for ada')
    await page.getByText('The rank of ada (500) is not below yours (100).').waitFor()
    await expectSettled(() => page.getByRole('menuitem', { name: 'Remove' }).isDisabled(), true)
    await page.keyboard.press('Escape')
    await pressButton(page, 'Actions for robin')
    await page.getByText('robin owns this workspace.').waitFor()
    await page.keyboard.press('Escape')
    await pressButton(page, 'Actions for juniper')
    const menu = page.getByRole('menu', { name: 'Actions for juniper' })
    await menu.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog')
    await expectSettled(() => dialog.getByRole('checkbox', { name: 'Administrator' }).isDisabled(), true)
    await dialog.getByText('Its rank (500) is not below yours (100).').waitFor()
    await dialog.getByText('It grants permissions that you don’t have yourself: Ban players').waitFor()
    await expectSettled(() => dialog.getByRole('checkbox', { name: 'Trainer' }).isDisabled(), false)
  })
})

test('roles are changed with the keyboard alone', async () => {
  await e2e.addMember('finch')
  const { page } = await e2e.openPeopleScreen(e2e.owner.session, '?q=finch')
  await page.getByRole('button', { name: 'Actions for finch' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
  await expectFocus(page, 'Change roles')
  await page.keyboard.press('Enter')
  await waitUntil(page, 'document.activeElement.closest("[role=dialog]")')
  await page.getByRole('checkbox', { name: 'Trainer', exact: true }).waitFor()
  const waitForTab = () =>
    page.evaluate<boolean>('document.activeElement.labels?.[0]?.textContent.startsWith("Trainer") ?? false')
  for (let tabs = 0; tabs < 12 && !(await waitForTab()); tabs++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Changed the roles of finch.').waitFor()
  expect((await members()).finch).toEqual(['Trainer'])
})

test('a failed read shows an error with a retry button, and a failed write keeps its dialog open', async () => {
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page, context } = tab
  await page.getByText('juniper').waitFor()
  await pressButton(page, 'Invite')
  await fillIn(page, { Note: 'For later' })
  await context.setOffline(true)
  await pressButton(page, 'Create link')
  await page.getByRole('dialog').getByText('You are offline. Try again once you are connected.').waitFor()
  await expectSettled(() => readField(page, 'Note'), 'For later')
  await context.setOffline(false)
  await failRequests(page, '**/portal/api/members?*')
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.getByText('Request r-1').waitFor()
  await page.unroute('**/portal/api/members?*')
  await pressButton(page, 'Try again')
  await page.getByText('juniper').waitFor()
})

test('in an archived workspace members cannot be invited, but can be removed', async () => {
  const { workspaceId, session } = e2e.owner
  await e2e.addMember('basil')
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'archive' },
  })
  const { page } = await e2e.openPeopleScreen(session)
  await page.getByRole('alert').getByText('This workspace is archived').waitFor()
  await page.getByText('basil').waitFor()
  await expectBlocked(page, 'Invite', ARCHIVED)
  await pressButton(page, 'Actions for basil')
  await expectSettled(() => page.getByRole('menuitem', { name: 'Change roles' }).isDisabled(), true)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await pressButton(page, 'Remove basil')
  await page.getByText('Removed basil.').waitFor()
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'restore' },
  })
})
