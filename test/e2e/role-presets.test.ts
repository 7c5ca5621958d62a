import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  chooseMenuItem,
  DESKTOP,
  expectSettled,
  fillIn,
  PHONE,
  pressButton,
  readField,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const openRoles = async (permissions?: readonly Permission[], query = '', browser: object = DESKTOP) => {
  const fixture = await e2e.createWorkspaceFixture(permissions)
  const tab = await fixture.openScreen(`/roles${query}`, { heading: 'Roles', browser })
  const listRoles = async () => (await fixture.readAsOwner('/portal/api/roles')).roles
  return { ...fixture, tab, page: tab.page, listRoles }
}
const chooseStart = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check()
const readDetails = async (page: Page) => [
  await readField(page, 'Name'),
  await readField(page, 'Rank'),
  await readField(page, 'Color'),
]

describe('a new role', () => {
  test('starts as a moderator in a new workspace: reviewed, changed, and created with its permissions at once', async () => {
    const { tab, page, listRoles, readAsOwner } = await openRoles(undefined, '', PHONE)
    await pressButton(page, 'New role')
    await page.getByRole('radio', { name: 'Moderator', exact: true, checked: true }).waitFor()
    expect(await readDetails(page)).toEqual(['Moderator', '20', '#3f9b4f'])
    const review = page.getByRole('region', { name: 'Permissions of the new role' })
    expect(
      await review.getByRole('region', { name: 'Moderation' }).getByRole('listitem').allTextContents(),
    ).toEqual([
      'View bans, ban history and moderation records',
      'Add notes, comments and evidence, and mark records as seen by the player',
      'Warn players',
      'Mute players and lift mutes',
      'Record kicks',
      'Ban players and extend bans',
      'View, attach and remove evidence files',
    ])
    await review.getByRole('button', { name: 'Change permissions' }).click()
    await page.getByRole('checkbox', { name: 'Ban players and extend bans' }).uncheck()
    await page.getByRole('checkbox', { name: 'View how much the workspace uses the service' }).check()
    await fillIn(page, { Name: 'Junior moderator' })
    await pressButton(page, 'Create role')
    await page.getByText('Created the role “Junior moderator” with 12 permissions.').waitFor()
    const role = (await listRoles()).find(({ name }: { name: string }) => name === 'Junior moderator')
    expect(role).toMatchObject({ rank: '20', color: '#3f9b4f', version: '1' })
    expect(JSON.parse(role.permissions)).toEqual([
      'moderation.view',
      'moderation.note',
      'moderation.warn',
      'moderation.mute',
      'moderation.kick',
      'moderation.evidence',
      'appeals.view',
      'departments.view',
      'events.view',
      'roles.view',
      'members.view',
      'usage.view',
    ])
    const { entries } = await readAsOwner('/portal/api/audit', { targetId: role.id })
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['roles.create'])
    expect(entries[0].changes.after.permissions).toBe(role.permissions)
    await expectNoPageErrors(tab)
  })

  test('takes over a suggestion only where the user has not typed, and never a name that is taken', async () => {
    const { page, requestAsOwner } = await openRoles()
    await requestAsOwner('POST', '/portal/api/roles', { name: 'EVENT HOST', rank: '10' })
    await page.reload()
    await page.getByText('EVENT HOST', { exact: true }).waitFor()
    await pressButton(page, 'New role')
    await page.getByRole('radio', { name: 'No permissions', checked: true }).waitFor()
    expect(await readDetails(page)).toEqual(['', '10', ''])
    await chooseStart(page, 'Administrator')
    expect(await readDetails(page)).toEqual(['Administrator', '100', '#9a4fc9'])
    await fillIn(page, { Rank: '70' })
    await chooseStart(page, 'Event host')
    expect(await readDetails(page)).toEqual(['Event host 2', '70', '#e07b21'])
    await chooseStart(page, 'A copy of a role')
    expect(await readDetails(page)).toEqual(['EVENT HOST 2', '70', ''])
  })

  test('says what a suggestion leaves out because the creator cannot grant it, and ranks below the creator', async () => {
    const { page, listRoles } = await openRoles([
      'roles.view',
      'roles.manage',
      'moderation.view',
      'moderation.warn',
    ])
    await pressButton(page, 'New role')
    await chooseStart(page, 'Moderator')
    await page
      .getByText('Cannot lift a ban. Without 9 permissions that you don’t have.', { exact: false })
      .waitFor()
    await page
      .getByRole('note')
      .getByText('Left out, because you don’t have them yourself: Add notes', { exact: false })
      .waitFor()
    await page.getByText('3 of 12 permissions granted').waitFor()
    expect(Number(await readField(page, 'Rank'))).toBeLessThan(20)
    await pressButton(page, 'Create role')
    await page.getByText('Created the role “Moderator” with 3 permissions.').waitFor()
    const role = (await listRoles()).find(({ name }: { name: string }) => name === 'Moderator')
    expect(JSON.parse(role.permissions)).toEqual(['moderation.view', 'moderation.warn', 'roles.view'])
  })

  test('can start without permissions, and then shows where to choose them', async () => {
    const { page } = await openRoles()
    await pressButton(page, 'New role')
    await chooseStart(page, 'No permissions')
    await fillIn(page, { Name: 'Guest' })
    await pressButton(page, 'Create role')
    await page.getByText('Created the role “Guest”. Now choose its permissions.').waitFor()
    await page.getByRole('tab', { name: 'Permissions', selected: true }).waitFor()
  })

  test('is offered by the first steps on Home, where closing the form leaves no trace in the address', async () => {
    const { openScreen, workspaceId } = await e2e.createWorkspaceFixture()
    const { page } = await openScreen('', { browser: PHONE })
    await page.getByRole('link', { name: 'Event host', exact: true }).click()
    await page.getByRole('dialog', { name: 'New role' }).waitFor()
    await expectSettled(() => readField(page, 'Name'), 'Event host')
    await pressButton(page, 'Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/w/${workspaceId}/roles`)
  })

  test('that a link suggests is not offered to someone who cannot create roles', async () => {
    const { page } = await openRoles(['roles.view'], '?open=moderator')
    await page.getByRole('list', { name: 'Roles, highest rank first' }).waitFor()
    await expectSettled(() => page.getByRole('dialog').count(), 0)
  })
})

test('an existing role is edited without suggestions', async () => {
  const { page, requestAsOwner } = await openRoles()
  await requestAsOwner('POST', '/portal/api/roles', { name: 'Scribe', rank: '10' })
  await chooseMenuItem(page, 'Actions for Scribe', 'Name, color and rank')
  await expectSettled(() => readField(page, 'Name'), 'Scribe')
  expect(await page.getByRole('radio').count()).toBe(0)
})
