import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import {
  DESKTOP,
  expectFitsWindow,
  fillIn,
  PHONE,
  pressButton,
  readField,
  reloadAndFollow,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession } from '../support/staff-session.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openStaffSession)

describe('invitations', () => {
  test('in an open list show roles that are renamed or deleted', async () => {
    const { workspaceId, openScreen, requestAsOwner } = await e2e.createWorkspaceFixture()
    const { role } = await requestAsOwner('POST', '/portal/api/roles', {
      name: 'Guide',
      rank: '5',
      permissions: 'moderation.view',
    })
    await requestAsOwner('POST', '/portal/api/invitations', { roleIds: role.id, note: 'For Bo' })
    const tab = await openScreen('/people?tab=invitations', { heading: 'People' })
    await reloadAndFollow(tab)
    const invitation = tab.page
      .getByRole('list', { name: 'Pending invitations' })
      .getByRole('listitem')
      .filter({ hasText: 'For Bo' })
    await invitation.getByText('Guide', { exact: true }).waitFor()
    await requestAsOwner('PATCH', '/portal/api/roles', { id: role.id, name: 'Mentor' })
    await invitation.getByText('Mentor', { exact: true }).waitFor()
    const path = `/portal/api/roles?workspaceId=${workspaceId}&id=${role.id}`
    await e2e.server.requestOk('DELETE', path, e2e.owner)
    await invitation.getByText('Mentor', { exact: true }).waitFor({ state: 'detached' })
  })

  test('cannot be created with a role whose limits are wider than the own ones', async () => {
    const { role } = await e2e.requestAsOwner('POST', '/portal/api/roles', {
      name: 'Limited lead',
      rank: '90',
      permissions: 'members.view,members.manage,roles.view,moderation.view,moderation.warn,moderation.ban',
      longestBanSeconds: '3600',
    })
    for (const [name, longestBanSeconds] of Object.entries({ Hourly: '3600', Daily: '86400' })) {
      const limited = { rank: '5', permissions: 'moderation.ban', longestBanSeconds }
      await e2e.requestAsOwner('POST', '/portal/api/roles', { name, ...limited })
    }
    const { page } = await e2e.openPeopleScreen(await e2e.addMember('lena', role.id))
    await pressButton(page, 'Invite')
    await page.getByRole('checkbox', { name: 'Hourly', disabled: false }).waitFor()
    await page
      .getByRole('checkbox', {
        name: 'Daily',
        disabled: true,
        description: 'Its limits are wider than those of your own roles.',
      })
      .waitFor()
  })

  test('are a link shown once, are listed as pending, and can be withdrawn', async () => {
    const tab = await e2e.openPeopleScreen(e2e.owner.session, '', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = tab
    await pressButton(page, 'Invite')
    await page.getByRole('checkbox', { name: 'Trainer', exact: true }).click()
    await page.getByLabel('Valid for').selectOption('86400')
    await fillIn(page, { Note: 'For Wren' })
    await pressButton(page, 'Create link')
    const link = await readField(page, 'Invitation link')
    expect(link).toStartWith(`${e2e.server.origin}/invitation#`)
    await pressButton(page, 'Copy: Invitation link')
    await page.getByRole('button', { name: 'Copied: Invitation link' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link)
    const token = link.slice(link.indexOf('#') + 1)
    const readInvitation = () => e2e.server.request('POST', '/portal/api/invitation', { body: { token } })
    expect((await readInvitation()).body.invitation.roles).toMatchObject([{ name: 'Trainer' }])
    await pressButton(page, 'Done')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('For Wren').waitFor()
    expect((await page.content()).includes(token)).toBe(false)
    await pressButton(page, 'Withdraw: For Wren')
    await page.getByRole('dialog', { name: 'Withdraw the invitation “For Wren”?' }).waitFor()
    await pressButton(page, 'Withdraw invitation')
    await page.getByText('Withdrew the invitation.').waitFor()
    await page.getByText('No pending invitations').waitFor()
    expect((await readInvitation()).status).toBe(404)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test.each([
    { name: 'desktop', browser: DESKTOP },
    { name: 'phone', browser: PHONE },
  ])(
    'keep on a $name what was typed and chosen when their kind is changed, and ask before it is lost',
    async ({ browser }) => {
      const tab = await e2e.openPeopleScreen(e2e.owner.session, '', browser)
      const { page } = tab
      const trainer = page.getByRole('checkbox', { name: 'Trainer', exact: true })
      const choose = (method: string) => page.getByText(method, { exact: true }).click()
      await pressButton(page, 'Invite')
      await fillIn(page, { Note: 'For Wren' })
      await page.getByLabel('Valid for').selectOption('86400')
      await trainer.click()
      await choose('By username')
      expect(await trainer.isChecked()).toBe(true)
      // The note is not on the screen, and is not lost either.
      await pressButton(page, 'Cancel')
      await pressButton(page, 'Keep editing')
      await fillIn(page, { Username: 'wren' })
      await choose('With a link')
      expect([await readField(page, 'Note'), await readField(page, 'Valid for')]).toEqual([
        'For Wren',
        '86400',
      ])
      expect(await trainer.isChecked()).toBe(true)
      await choose('By username')
      expect(await readField(page, 'Username')).toBe('wren')
      await expectFitsWindow(page)
      await page.keyboard.press('Escape')
      await pressButton(page, 'Discard changes')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectNoPageErrors(tab)
    },
  )

  test('of someone who can no longer invite members are marked', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'sorrel', ['members.manage', 'members.view'])
    const { body } = await e2e.server.requestOk('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: e2e.workspaceId, note: 'From sorrel' },
    })
    const { page } = await e2e.openPeopleScreen(e2e.owner.session, '?tab=invitations')
    await page.getByText('From sorrel').waitFor()
    expect(await page.getByText('Cannot be accepted').count()).toBe(0)
    await e2e.addMember('sorrel-2')
    const { accountId } = (
      await e2e.server.requestOk(
        'GET',
        `/portal/api/members?workspaceId=${e2e.workspaceId}&q=sorrel`,
        e2e.owner,
      )
    ).body.members[0]
    const query = `workspaceId=${e2e.workspaceId}`
    await e2e.server.requestOk('DELETE', `/portal/api/members?${query}&accountId=${accountId}`, e2e.owner)
    await page.reload()
    await page.getByText('Cannot be accepted').waitFor()
    await page.getByText('sorrel can no longer invite members').waitFor()
    await e2e.server.requestOk(
      'DELETE',
      `/portal/api/invitations?${query}&id=${body.invitation.id}`,
      e2e.owner,
    )
  })
})

test('scripts in names and notes are shown as plain text', async () => {
  const script = '<img src=x onerror=planted=1>'
  await e2e.addMember(script)
  await e2e.server.requestOk('POST', '/portal/api/invitations', {
    session: e2e.owner.session,
    body: { workspaceId: e2e.workspaceId, note: script },
  })
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page } = tab
  await page.getByText(script, { exact: true }).waitFor()
  await pressButton(page, `Actions for ${script}`)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog', { name: `Remove ${script} from ${GROUP}?` }).waitFor()
  await pressButton(page, 'Cancel')
  await page.getByRole('tab', { name: 'Invitations' }).click()
  await page.getByText(script, { exact: true }).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})
