import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, fillIn, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)

/** A member whose role only they have, with two API keys of rank 10. */
async function createKeyLead(username: string) {
  const session = await e2e.server.createMember(e2e.owner, username, [
    'departments.view',
    'api_keys.manage',
    'members.view',
  ])
  const create = async (name: string) =>
    (
      await e2e.server.requestOk('POST', '/portal/api/api-keys', {
        session,
        body: {
          workspaceId: e2e.workspaceId,
          name: `${name} of ${username}`,
          permissions: 'departments.view',
        },
      })
    ).body
  const [first, second] = [await create('First'), await create('Second')]
  return { role: `Role of ${username}`, first, second }
}
interface Key {
  readonly secret: string
  readonly apiKey: { readonly id: string }
}
const readStatus = async ({ secret }: Key) =>
  (await e2e.server.requestWithKey(secret, `/api/departments?workspaceId=${e2e.workspaceId}`)).status
const readRank = async ({ apiKey: { id } }: Key): Promise<string> =>
  (await e2e.readAsOwner('/portal/api/api-keys')).apiKeys.find((key: { id: string }) => key.id === id).rank
const openRoles = (query = '') =>
  e2e.openScreen(`/w/${e2e.workspaceId}/roles${query}`, { session: e2e.owner.session, heading: 'Roles' })

/** Keeps the second key in an open dialog, in which both are to be revoked. */
async function keepSecond(page: Page, username: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByText(username, { exact: true }).first().waitFor()
  const checkbox = dialog.getByRole('checkbox', { name: `Revoke Second of ${username}` })
  expect(await checkbox.isChecked()).toBe(true)
  await checkbox.click()
  return dialog
}

describe('the dialog lists the API keys of those who lose something, and revokes them unless they are kept, when', () => {
  test('a role is deleted', async () => {
    const { role, first, second } = await createKeyLead('heron')
    const tab = await openRoles()
    await chooseMenuItem(tab.page, `Actions for ${role}`, 'Delete')
    const dialog = await keepSecond(tab.page, 'heron')
    await expectNoPageErrors(tab)
    await dialog.getByRole('button', { name: 'Delete role' }).click()
    await tab.page.getByText(`Deleted the role “${role}”.`).waitFor()
    expect([await readStatus(first), await readStatus(second), await readRank(second)]).toEqual([
      401,
      200,
      '0',
    ])
  })

  test('permissions of a role are revoked', async () => {
    const { role, first, second } = await createKeyLead('plover')
    const tab = await openRoles('?view=permissions')
    await tab.page.getByRole('checkbox', { name: `${role}: View the list of members`, exact: true }).click()
    await pressButton(tab.page, 'Review and save')
    const dialog = await keepSecond(tab.page, 'plover')
    await expectNoPageErrors(tab)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await tab.page.getByText('Saved 1 role.').waitFor()
    expect([await readStatus(first), await readStatus(second)]).toEqual([401, 200])
  })

  test('a lower rank is typed; a higher one lists none', async () => {
    const { role, first, second } = await createKeyLead('dunlin')
    const tab = await openRoles()
    await chooseMenuItem(tab.page, `Actions for ${role}`, 'Name, color and rank')
    await fillIn(tab.page, { Rank: '12' })
    expect(await tab.page.getByText('API keys to revoke').count()).toBe(0)
    await fillIn(tab.page, { Rank: '6' })
    const dialog = await keepSecond(tab.page, 'dunlin')
    await expectNoPageErrors(tab)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText(`Saved the role “${role}”.`).waitFor()
    expect([await readStatus(first), await readStatus(second), await readRank(second)]).toEqual([
      401,
      200,
      '6',
    ])
  })

  test('a role is moved down', async () => {
    const { role, first, second } = await createKeyLead('godwit')
    const { role: lowest } = await e2e.requestAsOwner('POST', '/portal/api/roles', {
      name: 'Lowest',
      rank: '2',
    })
    expect(lowest.rank).toBe('2')
    const tab = await openRoles()
    await tab.page.getByRole('button', { name: `Move ${role}` }).focus()
    await tab.page.keyboard.press('End')
    await pressButton(tab.page, 'Save ranks')
    const dialog = await keepSecond(tab.page, 'godwit')
    await expectNoPageErrors(tab)
    await dialog.getByRole('button', { name: 'Save ranks' }).click()
    await tab.page.getByText(`“${role}” now has rank 1.`).waitFor()
    expect([await readStatus(first), await readStatus(second), await readRank(second)]).toEqual([
      401,
      200,
      '1',
    ])
  })
})
