import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import {
  DESKTOP,
  expectSettled,
  failRequests,
  fillIn,
  isLoaded,
  PHONE,
  pressButton,
  readField,
  readFieldNote,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { openStaffSession } from '../support/staff-session.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openStaffSession)

const openRolesScreen = (session: string, query = '', options: object = DESKTOP) =>
  e2e.openScreen(`/w/${e2e.workspaceId}/roles${query}`, { session, heading: 'Roles', browser: options })

interface RoleJson {
  readonly id: string
  readonly name: string
  readonly rank: string
  readonly color: string | null
  readonly permissions: string
}

const listRoles = async (): Promise<RoleJson[]> => (await e2e.readAsOwner('/portal/api/roles')).roles
const findRole = async (name: string): Promise<RoleJson | undefined> =>
  (await listRoles()).find((createRole) => createRole.name === name)
const readPermissions = async (name: string): Promise<string[]> =>
  JSON.parse((await findRole(name))?.permissions ?? '[]')

/** Creates a role that only one test uses. */
async function createRole(name: string, rank = '15', permissions: readonly string[] = []): Promise<string> {
  const body = { name, rank, permissions: JSON.stringify(permissions) }
  return (await e2e.requestAsOwner('POST', '/portal/api/roles', body)).role.id
}

const permissionCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

describe('roles by rank', () => {
  test('are created with a color and a rank, and copy only permissions that their creator can grant', async () => {
    const tab = await openRolesScreen(e2e.staff.lead)
    const { page } = tab
    await pressButton(page, 'New role')
    await fillIn(page, { Name: 'Helper', Rank: '40' })
    await pressButton(page, 'Teal')
    await expectSettled(() => readField(page, 'Color'), '#1f9c93')
    expect((await readFieldNote(page, 'Rank'))[1]).toStartWith('Ranks below Senior moderator, above')
    await page.getByRole('radio', { name: 'A copy of a role' }).check()
    await page.getByLabel('Role to copy').selectOption({ label: 'Senior moderator' })
    await page
      .getByRole('note')
      .getByText(
        'Left out, because you don’t have them yourself: Ban players and extend bans; Lift and shorten bans.',
      )
      .waitFor()
    await expectSettled(() => readField(page, 'Name'), 'Helper')
    await pressButton(page, 'Create role')
    await page.getByText('Created the role “Helper” with 2 permissions.').waitFor()
    expect(await findRole('Helper')).toMatchObject({ rank: '40', color: '#1f9c93' })
    expect(await readPermissions('Helper')).toEqual(['moderation.view', 'moderation.warn'])
    const list = page.getByRole('list', { name: 'Roles, highest rank first' })
    await expectSettled(
      async () => (await list.getByRole('listitem').locator('bdi').allTextContents()).slice(0, 5),
      ['Owner', 'Administrator', 'Lead', 'Senior moderator', 'Helper'],
    )
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('can be edited; invalid input stays and shows why', async () => {
    await createRole('Scribe')
    const { page } = await openRolesScreen(e2e.owner.session)
    await pressButton(page, 'Actions for Scribe')
    await page.getByRole('menuitem', { name: 'Name, color and rank' }).click()
    await fillIn(page, { Name: 'TRAINER', Rank: '1.5', Color: 'red' })
    await pressButton(page, 'Save')
    await page.getByText('Rank must be').waitFor()
    expect((await readFieldNote(page, 'Color'))[0]).toBe('true')
    await fillIn(page, { Rank: '16', Color: '#abc' })
    await pressButton(page, 'Save')
    await page.getByText('A role named TRAINER already exists.').waitFor()
    await expectSettled(() => readField(page, 'Name'), 'TRAINER')
    await fillIn(page, { Name: 'Writer' })
    await pressButton(page, 'Save')
    await page.getByText('Saved the role “Writer”.').waitFor()
    expect(await findRole('Writer')).toMatchObject({ rank: '16', color: '#aabbcc' })
  })

  test('are deleted after a warning that lists the permissions people lose', async () => {
    const id = await createRole('Night watch', '15', ['moderation.view', 'usage.view'])
    await e2e.addMember('owl', `${id},${e2e.staff.roles.moderator}`)
    await e2e.addMember('bat', id)
    const { page } = await openRolesScreen(e2e.owner.session)
    await pressButton(page, 'Actions for Night watch')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the role “Night watch”?' })
    await dialog.getByText('2 people lose this role immediately.').waitFor()
    await expectSettled(
      () => dialog.getByRole('listitem').allTextContents(),
      [
        'View bans, ban history and moderation records (1 person)',
        'View how much the workspace uses the service (2 people)',
      ],
    )
    await dialog.getByRole('button', { name: 'Delete role' }).click()
    await page.getByText('Deleted the role “Night watch”.').waitFor()
    expect(await findRole('Night watch')).toBeUndefined()
  })
})

describe('the matrix', () => {
  test('shows the impact of a change before it is saved', async () => {
    const id = await createRole('Caster', '15', ['events.view'])
    const session = await e2e.addMember('lark', id)
    await e2e.addMember('wren', `${id},${e2e.staff.roles.moderator}`)
    const tab = await openRolesScreen(e2e.owner.session, '?view=permissions')
    const { page } = tab
    await permissionCheckbox(page, 'Caster: Warn players').click()
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('1 unsaved change in 1 role').waitFor()
    await bar.getByText('1 person gains permissions.').waitFor()
    await permissionCheckbox(page, 'Caster: View published events').click()
    await permissionCheckbox(page, 'Caster: View roles and their permissions').click()
    await bar.getByText('2 people gain permissions and 2 people lose permissions.').waitFor()
    expect(await readPermissions('Caster')).toEqual(['events.view'])
    await pressButton(page, 'Review and save')
    const dialog = page.getByRole('dialog', { name: 'Save these changes?' })
    await dialog.getByText('2 people gain permissions and 2 people lose permissions.').waitFor()
    const role = dialog.getByRole('region', { name: 'Caster' })
    expect((await role.allInnerTexts())[0]?.split('\n').filter(Boolean)).toEqual([
      'Caster',
      '2 members',
      'Grants',
      'Warn players',
      'View roles and their permissions',
      'Revokes',
      'View published events',
    ])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 role.').waitFor()
    await bar.waitFor({ state: 'detached' })
    expect(await readPermissions('Caster')).toEqual(['moderation.warn', 'roles.view'])
    const { body } = await e2e.server.requestOk('GET', '/portal/api/me', { session })
    expect(JSON.parse(body.workspaces[0].permissions)).toEqual(['moderation.warn', 'roles.view'])
    await expectNoPageErrors(tab)
  })

  test('locks permissions that the user cannot grant, and says why: rank, or lacking them', async () => {
    const { page } = await openRolesScreen(e2e.staff.lead, '?view=permissions')
    const before = await listRoles()
    await permissionCheckbox(page, 'Moderator: Lift and shorten bans').click({ force: true })
    await page.getByText('You don’t have this permission yourself, so you cannot grant it.').waitFor()
    await permissionCheckbox(page, 'Administrator: Warn players').click({ force: true })
    await page.getByText('Its rank (500) is not below yours (100).').waitFor()
    await permissionCheckbox(page, 'Owner: Warn players').click({ force: true })
    await page.getByText('The owner role always has every permission and cannot be changed.').waitFor()
    await expectSettled(
      () => permissionCheckbox(page, 'Owner: Warn players').getAttribute('aria-disabled'),
      'true',
    )
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    expect(
      await permissionCheckbox(page, 'Senior moderator: Ban players and extend bans').getAttribute(
        'aria-disabled',
      ),
    ).toBe('false')
    expect(await listRoles()).toEqual(before)
  })

  test('on a phone shows one role at a time, with the same locks and impact', async () => {
    await e2e.addMember('swift', await createRole('Medic', '15', ['moderation.view']))
    const { page } = await openRolesScreen(e2e.staff.lead, '?view=permissions', PHONE)
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Administrator · rank 500' })
    await page.getByText('Its rank (500) is not below yours (100).').waitFor()
    await expectSettled(() => permissionCheckbox(page, 'Warn players').isDisabled(), true)
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Medic · rank 15' })
    await page.getByText('1 person has this role.').waitFor()
    await expectSettled(() => permissionCheckbox(page, 'Lift and shorten bans').isDisabled(), true)
    await page.getByText('Warn players', { exact: true }).tap()
    await page.getByText('1 person gains it').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap()
    await page.getByText('Saved 1 role.').waitFor()
    expect(await readPermissions('Medic')).toEqual(['moderation.view', 'moderation.warn'])
  })

  test('is navigated with the arrow keys, and changed with the space bar', async () => {
    const { page } = await openRolesScreen(e2e.owner.session, '?view=permissions')
    const now = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
    await permissionCheckbox(page, 'Owner: View bans, ban history and moderation records').focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft'])
      await page.keyboard.press(key)
    expect(await now()).toBe(
      'Administrator: Add notes, comments and evidence, and mark records as seen by the player',
    )
    await page.keyboard.press('Space')
    expect(await now()).toEndWith(', unsaved')
    await expectSettled(() => page.locator('[role=grid] [tabindex="0"]').count(), 1)
    await pressButton(page, 'Discard')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  test('keeps both the changes by others and the unsaved changes', async () => {
    const id = await createRole('Judge')
    const tab = await openRolesScreen(e2e.owner.session, '?view=permissions')
    const { page } = tab
    await permissionCheckbox(page, 'Judge: Warn players').click()
    // Keeps the page from learning of the change before it saves.
    await page.route('**/portal/api/roles?*', (route) => route.abort())
    await e2e.requestAsOwner('PATCH', '/portal/api/roles', { id, permissions: 'usage.view' })
    await pressButton(page, 'Review and save')
    await pressButton(page, 'Save')
    await page.getByText('Nothing was saved. “Judge” was changed by someone else in the meantime.').waitFor()
    expect(await readPermissions('Judge')).toEqual(['usage.view'])
    await page.unroute('**/portal/api/roles?*')
    await pressButton(page, 'Save')
    await page.getByText('was changed by someone else in the meantime').waitFor()
    await permissionCheckbox(page, 'Judge: View how much the workspace uses the service')
      .and(page.locator('[aria-checked=true]'))
      .waitFor({ state: 'attached' })
    await pressButton(page, 'Save')
    await page.getByText('Saved 1 role.').waitFor()
    expect(await readPermissions('Judge')).toEqual(['moderation.warn', 'usage.view'])
  })

  test('asks before leaving with unsaved changes', async () => {
    const { page } = await openRolesScreen(e2e.owner.session, '?view=permissions')
    await permissionCheckbox(page, 'Trainer: Warn players').click()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await pressButton(page, 'Stay')
    await page.getByText('1 unsaved change in 1 role').waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    await pressButton(page, 'Leave and discard')
    await waitForHeading(page, 'People')
    expect(await readPermissions('Trainer')).toEqual(['moderation.view', 'events.view'])
  })
})

test('names that contain script are shown as text and never run', async () => {
  const script = '"><img src=x onerror=planted=1>'
  await createRole(script, '1')
  const tab = await openRolesScreen(e2e.owner.session)
  const { page } = tab
  await page.getByText(script, { exact: true }).waitFor()
  await pressButton(page, `Actions for ${script}`)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: `Delete the role “${script}”?` }).waitFor()
  await pressButton(page, 'Cancel')
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await permissionCheckbox(page, `${script}: Warn players`).click()
  await pressButton(page, 'Review and save')
  await page.getByRole('dialog').getByText(script, { exact: true }).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('offline, unsaved changes stay and can be saved once online', async () => {
  await createRole('Ranger')
  const { page, context } = await openRolesScreen(e2e.owner.session, '?view=permissions')
  await permissionCheckbox(page, 'Ranger: Warn players').click()
  await waitUntil(page, isLoaded('roles-deferred-'))
  await context.setOffline(true)
  await pressButton(page, 'Review and save')
  await pressButton(page, 'Save')
  await page.getByText('Nothing was saved. You are offline.').waitFor()
  await context.setOffline(false)
  await pressButton(page, 'Save')
  await page.getByText('Saved 1 role.').waitFor()
  expect(await readPermissions('Ranger')).toEqual(['moderation.warn'])
})

test('a failed request shows an error with a retry button', async () => {
  const { page } = await e2e.openScreen(`/w/${e2e.workspaceId}/people`, { heading: 'People' })
  await failRequests(page, '**/portal/api/roles/holdings?*')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByText('This failed here.').waitFor()
  await page.unroute('**/portal/api/roles/holdings?*')
  await pressButton(page, 'Try again')
  await page.getByText('Senior moderator', { exact: true }).waitFor()
})
