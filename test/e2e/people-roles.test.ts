import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, expectFocus, fillIn, pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)

describe('a chosen role that someone else deletes can be removed from the selection, and the rest is saved', () => {
  /** Chooses two roles in the dialog. One of them is deleted before the dialog is submitted. */
  async function submitDeletedRole(page: Page, submitLabel: string) {
    const dialog = page.getByRole('dialog')
    const { role } = await e2e.requestAsOwner('POST', '/portal/api/roles', {
      name: 'Short-lived',
      rank: '10',
      permissions: '[]',
    })
    const checkbox = dialog.getByRole('checkbox', { name: 'Short-lived' })
    await checkbox.click()
    await dialog.getByRole('checkbox', { name: 'Trainer', exact: true }).click()
    const path = `/portal/api/roles?workspaceId=${e2e.workspaceId}&id=${role.id}`
    await e2e.server.requestOk('DELETE', path, e2e.owner)
    await checkbox.waitFor({ state: 'detached' })
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().method() !== 'GET'),
      dialog.getByRole('button', { name: submitLabel }).click(),
    ])
    expect(response.status()).toBe(400)
    await dialog.getByText('A role that you have chosen was deleted. Remove it, then save.').waitFor()
    await dialog.getByRole('button', { name: 'Remove the deleted role' }).click()
    await dialog.getByText('A role that').waitFor({ state: 'detached' })
    await expectFocus(page, 'Roles')
    return dialog
  }

  test('of an invitation, which keeps its note', async () => {
    const tab = await e2e.openPeopleScreen(e2e.owner.session)
    const { page } = tab
    await pressButton(page, 'Invite')
    await fillIn(page, { Note: 'For Wren' })
    const dialog = await submitDeletedRole(page, 'Create link')
    expect(await dialog.getByText('not a role of this workspace').count()).toBe(0)
    expect(await readField(page, 'Note')).toBe('For Wren')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await readField(page, 'Invitation link')
    const { invitations } = await e2e.readAsOwner('/portal/api/invitations')
    expect(invitations).toMatchObject([{ note: 'For Wren', roles: [{ name: 'Trainer' }] }])
    await expectNoPageErrors(tab)
  })

  test('of a member', async () => {
    await e2e.addMember('rowan', e2e.staff.roles.moderator)
    const tab = await e2e.openPeopleScreen(e2e.owner.session)
    const { page } = tab
    await chooseMenuItem(page, 'Actions for rowan', 'Change roles')
    const dialog = await submitDeletedRole(page, 'Change roles')
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await page.getByText('Changed the roles of rowan.').waitFor()
    const { members } = await e2e.readAsOwner('/portal/api/members', { q: 'rowan' })
    expect(members[0].roles).toMatchObject([{ name: 'Moderator' }, { name: 'Trainer' }])
    await expectNoPageErrors(tab)
  })
})
