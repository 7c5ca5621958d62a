import { describe, expect, test } from 'bun:test'
import { chooseDepartmentAction } from '../support/departments.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { changes, choose, fieldChoice, listFields, readOptions } from '../support/edit-conflicts.ts'
import {
  chooseMenuItem,
  expectSettled,
  fillIn,
  PHONE,
  pressButton,
  readField,
  waitForRefetch,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

describe('a change by someone else while editing', () => {
  test('a case is shown field by field, and each field is kept or taken', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const moderate = async (body: object) =>
      (await workspace.requestAsOwner('POST', '/api/moderation', body)).record
    const { id } = await moderate({ action: 'ban', userId: '261', reason: 'Exploiting', evidence: 'Clip 1' })
    const tab = await workspace.openScreen(`/moderation/cases/${id}`, { heading: 'Case 1: ban' })
    const { page } = tab
    await pressButton(page, 'Edit')
    await fillIn(page, { Reason: 'Exploiting in the vault', 'Player name': 'StormRider' })
    await moderate({
      action: 'edit',
      id,
      reason: 'Walked through walls',
      severity: 'critical',
      evidence: 'Clip 2',
    })
    await moderate({ action: 'comment', id, value: 'Appeal is open' })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this case while you were editing.').waitFor()
    expect(await listFields(page)).toEqual(['Reason', 'Severity', 'Evidence'])
    expect(await readOptions(page, 'Reason')).toEqual([
      ['Take theirs Walked through walls', false],
      ['Keep mine Exploiting in the vault', true],
    ])
    expect(await readOptions(page, 'Severity')).toEqual([
      ['Take theirs Critical', true],
      ['Keep mine High', false],
    ])
    await fieldChoice(page, 'Reason').getByText('Before: Exploiting', { exact: true }).waitFor()
    await changes(page).getByText('robin: Appeal is open').waitFor()
    await choose(page, 'Reason', /^Take theirs/)
    await expectSettled(() => readField(page, 'Reason'), 'Walked through walls')
    await choose(page, 'Reason', /^Keep mine/)
    await expectSettled(() => readField(page, 'Reason'), 'Exploiting in the vault')
    await choose(page, 'Evidence', /^Keep mine/)
    await expectSettled(
      () => page.getByRole('textbox', { name: 'Evidence', exact: true }).inputValue(),
      'Clip 1',
    )
    await pressButton(page, 'Save')
    await page.getByText('Saved case 1.').waitFor()
    expect((await workspace.readAsOwner('/api/moderation', { id })).record).toMatchObject({
      reason: 'Exploiting in the vault',
      severity: 'critical',
      evidence: ['Clip 1'],
      userUsername: 'StormRider',
    })
    await expectNoPageErrors(tab)
  })

  test('a case follows what is typed afterwards', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const moderate = async (body: object) =>
      (await workspace.requestAsOwner('POST', '/api/moderation', body)).record
    const { id } = await moderate({ action: 'warn', userId: '261', reason: 'Spam' })
    const { page } = await workspace.openScreen(`/moderation/cases/${id}`, { heading: 'Case 1: warning' })
    await pressButton(page, 'Edit')
    await fillIn(page, { Reason: 'Spam in trade' })
    await moderate({ action: 'edit', id, reason: 'Spam in chat' })
    await pressButton(page, 'Save')
    await choose(page, 'Reason', /^Take theirs/)
    await fillIn(page, { Reason: 'Spam in trade and chat' })
    expect(await readOptions(page, 'Reason')).toEqual([
      ['Take theirs Spam in chat', false],
      ['Keep mine Spam in trade and chat', true],
    ])
    await pressButton(page, 'Save')
    await page.getByText('Saved case 1.').waitFor()
    expect((await workspace.readAsOwner('/api/moderation', { id })).record.reason).toBe(
      'Spam in trade and chat',
    )
  })

  test('an event is shown with types, times and visibility in words, on a phone', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const { event } = await workspace.requestAsOwner('POST', '/api/events', {
      title: 'Patrol',
      scheduledFor: '2031-02-01T18:00:00Z',
    })
    const { page } = await workspace.openScreen(`/events?event=${event.id}`, {
      heading: 'Events',
      browser: PHONE,
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
    await fillIn(page, { Title: 'Late patrol', Description: 'At the gate.' })
    await workspace.requestAsOwner('PATCH', '/api/events', {
      id: event.id,
      title: 'Night patrol',
      eventType: 'meeting',
      published: 'true',
    })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this event while you were editing.').waitFor()
    expect((await listFields(page)).toSorted()).toEqual(['Title', 'Type', 'Visibility'])
    expect(await readOptions(page, 'Visibility')).toEqual([
      ['Take theirs Published', true],
      ['Keep mine Draft', false],
    ])
    expect(await readOptions(page, 'Type')).toEqual([
      ['Take theirs Meeting', true],
      ['Keep mine Event', false],
    ])
    const overflow = 'document.documentElement.scrollWidth - innerWidth'
    await expectSettled(() => page.evaluate<number>(overflow), 0)
    await choose(page, 'Title', /^Take theirs/)
    await choose(page, 'Type', /^Keep mine/)
    await pressButton(page, 'Save')
    await page.getByText('Saved “Night patrol”.').waitFor()
    expect((await workspace.readAsOwner('/api/events', { id: event.id })).event).toMatchObject({
      title: 'Night patrol',
      eventType: 'event',
      published: 'true',
      description: 'At the gate.',
    })
  })

  test('a department is shown', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const { department } = await workspace.requestAsOwner('POST', '/api/departments', { name: 'Scouts' })
    const { page } = await workspace.openScreen('/departments', { heading: 'Departments' })
    await chooseDepartmentAction(page, 'Scouts', 'Name, color and description')
    await fillIn(page, { Name: 'Rangers' })
    await workspace.requestAsOwner('PATCH', '/api/departments', {
      id: department.id,
      name: 'Trackers',
      description: 'Look behind.',
    })
    await pressButton(page, 'Save')
    await changes(page).waitFor()
    expect(await listFields(page)).toEqual(['Name', 'Description'])
    expect(await readOptions(page, 'Description')).toEqual([
      ['Take theirs Look behind.', true],
      ['Keep mine empty', false],
    ])
    await choose(page, 'Name', /^Take theirs/)
    await choose(page, 'Description', /^Keep mine/)
    await pressButton(page, 'Save')
    await page.getByText('Saved the department “Trackers”.').waitFor()
    const { departments } = await workspace.readAsOwner('/portal/api/departments')
    expect(departments).toMatchObject([{ name: 'Trackers', description: null }])
  })

  test('a role is shown, and a change of its permissions only does not interfere', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const body = { name: 'Helper', rank: '20', permissions: '[]' }
    const { role } = await workspace.requestAsOwner('POST', '/portal/api/roles', body)
    const { page } = await workspace.openScreen('/roles', { heading: 'Roles' })
    const editRole = (name: string) => chooseMenuItem(page, `Actions for ${name}`, 'Name, color and rank')
    await editRole('Helper')
    await fillIn(page, { Name: 'Trainee', Rank: '25' })
    await workspace.requestAsOwner('PATCH', '/portal/api/roles', { id: role.id, name: 'Junior', rank: '30' })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this role while you were editing.').waitFor()
    expect(await listFields(page)).toEqual(['Name', 'Rank'])
    await choose(page, 'Name', /^Take theirs/)
    await pressButton(page, 'Save')
    await page.getByText('Saved the role “Junior”.').waitFor()
    await editRole('Junior')
    await fillIn(page, { Name: 'Trainee' })
    await workspace.requestAsOwner('PATCH', '/portal/api/roles', {
      id: role.id,
      permissions: '["moderation.view"]',
    })
    await pressButton(page, 'Save')
    await page.getByText('Saved the role “Trainee”.').waitFor()
    const { roles } = await workspace.readAsOwner('/portal/api/roles')
    expect(roles.find(({ id }: { id: string }) => id === role.id)).toMatchObject({
      name: 'Trainee',
      rank: '25',
      permissions: '["moderation.view"]',
    })
  })

  test('the limits of a role are shown, although the page already lists the new ones', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const body = { name: 'Helper', rank: '20', permissions: '["moderation.ban"]' }
    const { role } = await workspace.requestAsOwner('POST', '/portal/api/roles', body)
    const { page } = await workspace.openScreen('/roles', { heading: 'Roles' })
    await chooseMenuItem(page, 'Actions for Helper', 'Limits')
    await fillIn(page, { 'Bans per hour': '5' })
    await waitForRefetch(page, '/portal/api/roles', () =>
      workspace.requestAsOwner('PATCH', '/portal/api/roles', {
        id: role.id,
        bansPerHour: '2',
        longestBanSeconds: '86400',
        permanentBansNeedApproval: 'true',
      }),
    )
    await pressButton(page, 'Save limits')
    await page.getByText('Someone else changed this role while you were editing.').waitFor()
    expect(await listFields(page)).toEqual([
      'Longest ban',
      'Bans per hour',
      'Permanent bans need the approval of another person',
    ])
    expect(await readOptions(page, 'Longest ban')).toEqual([
      ['Take theirs 1 day', true],
      ['Keep mine No limit', false],
    ])
    expect(await readOptions(page, 'Permanent bans need the approval of another person')).toEqual([
      ['Take theirs Yes', true],
      ['Keep mine No', false],
    ])
    await choose(page, 'Permanent bans need the approval of another person', /^Keep mine/)
    await page.getByRole('status').getByText('bans up to 1 day, 5 bans per hour').waitFor()
    await pressButton(page, 'Save limits')
    await page.getByText('Saved the limits of the role “Helper”.').waitFor()
    const { roles } = await workspace.readAsOwner('/portal/api/roles')
    expect(roles.find(({ id }: { id: string }) => id === role.id)).toMatchObject({
      bansPerHour: '5',
      longestBanSeconds: '86400',
      permanentBansNeedApproval: 'false',
    })
  })

  test('a webhook is shown, although the page already shows the new one; a pause does not interfere', async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const fields = { name: 'Ban log', url: 'https://bots.example/bans', events: 'ban.created' }
    const { webhook } = await workspace.requestAsOwner('POST', '/api/webhooks', fields)
    const { id } = webhook
    const { page } = await workspace.openScreen(`/configuration/webhooks/${id}`, { heading: 'Ban log' })
    await chooseMenuItem(page, 'Change Ban log', 'Edit')
    await fillIn(page, { Name: 'Ban feed' })
    await waitForRefetch(page, '/api/webhooks', () =>
      workspace.requestAsOwner('PATCH', '/api/webhooks', {
        id,
        url: 'https://bots.example/moderation',
        events: 'ban.created,ban.ended',
      }),
    )
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this webhook while you were editing.').waitFor()
    expect(await listFields(page)).toEqual(['URL', 'Events'])
    expect(await readOptions(page, 'Events')).toEqual([
      ['Take theirs ban.created, ban.ended', true],
      ['Keep mine ban.created', false],
    ])
    await choose(page, 'URL', /^Keep mine/)
    await expectSettled(() => page.getByRole('checkbox', { name: 'ban.ended' }).isChecked(), true)
    await workspace.requestAsOwner('POST', '/api/webhooks', { action: 'pause', id })
    await pressButton(page, 'Save')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await workspace.readAsOwner('/api/webhooks', { id })).webhook).toMatchObject({
      name: 'Ban feed',
      url: 'https://bots.example/bans',
      events: ['ban.created', 'ban.ended'],
      state: 'paused',
    })
  })

  test('the players of a member are shown, although the page has read the new ones', async () => {
    const { openScreen, requestAsOwner, readAsOwner } = await e2e.createWorkspaceFixture()
    const [{ accountId }] = (await readAsOwner('/portal/api/members')).members
    const { page } = await openScreen('/people', { heading: 'People' })
    const path = '/portal/api/members/players'
    await chooseMenuItem(page, 'Your actions', 'Players')
    await fillIn(page, { 'Player IDs': '261' })
    await waitForRefetch(page, path, () => requestAsOwner('PATCH', path, { accountId, userIds: '156, 300' }))
    await pressButton(page, 'Save players')
    await page.getByText('Someone else changed this list of players while you were editing.').waitFor()
    await choose(page, 'Player IDs', /^Take theirs 156, 300/)
    await fillIn(page, { 'Player IDs': '156, 261, 300' })
    await pressButton(page, 'Save players')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await readAsOwner(path, { accountId })).userIds).toEqual(['156', '261', '300'])
  })
})
