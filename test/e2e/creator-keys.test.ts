import { expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, pressButton, reloadAndFollow, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)

const createKey = async (session: string, name: string, workspaceId = e2e.workspaceId): Promise<string> =>
  String(
    (
      await e2e.server.requestOk('POST', '/portal/api/api-keys', {
        session,
        body: { workspaceId, name, permissions: 'departments.view' },
      })
    ).body.secret,
  )
const readWithKey = async (key: string, workspaceId = e2e.workspaceId) =>
  (await e2e.server.requestWithKey(key, `/api/departments?workspaceId=${workspaceId}`)).status
/** A member who manages API keys and has created two. */
async function createKeyLead(username: string) {
  const session = await e2e.server.createMember(e2e.owner, username, [
    'departments.view',
    'api_keys.manage',
    'members.view',
  ])
  return { session, first: await createKey(session, 'First'), second: await createKey(session, 'Second') }
}

test('removing a member revokes their API keys unless they are kept, and Home and the list mark those', async () => {
  const { first, second } = await createKeyLead('heron')
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page } = tab
  await chooseMenuItem(page, 'Actions for heron', 'Remove')
  const dialog = page.getByRole('dialog', { name: `Remove heron from ${GROUP}?` })
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByRole('checkbox', { name: 'Revoke Second' }).click()
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Remove heron' }).click()
  await page.getByText('Removed heron.').waitFor()
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([401, 200])
  const home = await e2e.openScreen(`/w/${e2e.workspaceId}`, { heading: GROUP })
  await home.page.getByText('1 API key works although the creator is gone').waitFor()
  await expectNoPageErrors(home)
  await home.page.getByRole('main').getByRole('link', { name: 'API keys' }).click()
  await waitForHeading(home.page, 'API keys')
  await home.page.getByText('Creator has left').waitFor()
})

test('an open list marks the API keys of a member who is removed', async () => {
  const { session } = await createKeyLead('teal')
  const { account } = (await e2e.server.requestOk('GET', '/portal/api/me', { session })).body
  const keys = await e2e.openScreen(`/w/${e2e.workspaceId}/configuration/api/keys`, { heading: 'API keys' })
  await reloadAndFollow(keys)
  const rows = keys.page.getByRole('list', { name: 'Active keys' }).getByRole('listitem')
  const ofMember = rows.filter({ hasText: 'teal' })
  await ofMember.first().waitFor()
  const path = `/portal/api/members?workspaceId=${e2e.workspaceId}&accountId=${account.id}`
  await e2e.server.requestOk('DELETE', path, e2e.owner)
  await ofMember.getByText('Creator has left').nth(1).waitFor()
})

test('a demotion revokes the API keys of the member unless they are kept; a promotion does not ask', async () => {
  const { first, second } = await createKeyLead('plover')
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page } = tab
  await chooseMenuItem(page, 'Actions for plover', 'Change roles')
  const dialog = page.getByRole('dialog', { name: 'Roles of plover' })
  await dialog.getByRole('checkbox', { name: 'Senior moderator' }).click()
  await dialog.getByText('plover will be able to').waitFor()
  expect(await dialog.getByText('API keys to revoke').count()).toBe(0)
  await dialog.getByRole('checkbox', { name: 'Role of plover' }).click()
  await dialog.getByText('2 API keys to revoke').waitFor()
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await page.getByText('Changed the roles of plover.').waitFor()
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([401, 401])
})

test('leaving revokes the own API keys unless they are kept', async () => {
  const { session, first, second } = await createKeyLead('dunlin')
  const { page } = await e2e.openPeopleScreen(session)
  await chooseMenuItem(page, 'Your actions', 'Leave this workspace')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You created these keys').waitFor()
  await dialog.getByRole('checkbox', { name: 'Revoke First' }).click()
  await dialog.getByRole('button', { name: `Leave ${GROUP}` }).click()
  await waitForHeading(page, 'Your workspaces')
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([200, 401])
})

test('an ownership transfer lists the API keys of the former owner', async () => {
  const { workspaceId, session } = await e2e.createWorkspaceFixture()
  await e2e.server.createMember({ workspaceId, session }, 'godwit', [...permissions])
  const [first, second] = [
    await createKey(session, 'First', workspaceId),
    await createKey(session, 'Second', workspaceId),
  ]
  const { page } = await e2e.openScreen(`/w/${workspaceId}/configuration/workspace`, { heading: 'Workspace' })
  await pressButton(page, 'Transfer ownership…')
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership' })
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByRole('checkbox', { name: 'Revoke Second' }).click()
  await dialog.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: 'godwit' }).click()
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByText('godwit now owns').waitFor()
  expect([await readWithKey(first, workspaceId), await readWithKey(second, workspaceId)]).toEqual([401, 200])
})

test('an operator who disables an account revokes its API keys in all workspaces unless they are kept', async () => {
  const { first, second } = await createKeyLead('curlew')
  const tab = await e2e.openScreen('/operator/accounts?q=curlew', { heading: 'Accounts' })
  const { page } = tab
  await chooseMenuItem(page, 'Actions for curlew', 'Disable…')
  const dialog = page.getByRole('dialog', { name: 'Disable curlew?' })
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByText(GROUP).first().waitFor()
  await dialog.getByRole('checkbox', { name: 'Revoke First' }).click()
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Disable account' }).click()
  await page.getByText('Disabled curlew.').waitFor()
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([200, 401])
})

test('an operator who disables an account with more API keys than are listed learns how many go on working, and where they end', async () => {
  const session = await e2e.server.createMember(e2e.owner, 'knot', ['departments.view'])
  const [workspaces, keysOfEach] = [3, 35]
  const created: { key: string; workspaceId: string }[] = []
  for (let count = 0; count < workspaces; count++) {
    const { body } = await e2e.server.requestOk('POST', '/api/workspaces', {
      session,
      body: { groupName: `Shore ${count}` },
    })
    const workspaceId = String(body.workspace.id)
    for (let number = 0; number < keysOfEach; number++)
      created.push({ key: await createKey(session, `Key ${number}`, workspaceId), workspaceId })
  }
  const tab = await e2e.openScreen('/operator/accounts?q=knot', { heading: 'Accounts' })
  const { page } = tab
  await chooseMenuItem(page, 'Actions for knot', 'Disable…')
  const dialog = page.getByRole('dialog', { name: 'Disable knot?' })
  await dialog.getByText('100 API keys to revoke').waitFor()
  await dialog
    .getByText(
      '5 more API keys are not listed, and can still be used. Revoke those that are not needed in their workspaces, under Configuration → API keys.',
    )
    .waitFor()
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Disable account' }).click()
  await page.getByText('Disabled knot.').waitFor()
  const statuses = [created[0], created.at(-1)].map((one) => one && readWithKey(one.key, one.workspaceId))
  expect(await Promise.all(statuses)).toEqual([200, 401])
})

test('an operator deletes an account, and decides which of its API keys are revoked', async () => {
  const { session, first, second } = await createKeyLead('whimbrel')
  const tab = await e2e.openScreen('/operator/accounts?q=whimbrel', { heading: 'Accounts' })
  const { page } = tab
  await chooseMenuItem(page, 'Actions for whimbrel', 'Delete…')
  const dialog = page.getByRole('dialog', { name: 'Delete whimbrel?' })
  await dialog.getByRole('checkbox', { name: 'Revoke First' }).click()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('Deleted whimbrel.').waitFor()
  await page.getByText('No matching accounts').waitFor()
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([200, 401])
  expect((await e2e.server.request('GET', '/portal/api/me', { session })).status).toBe(401)
})

test('people delete their own account, and decide which of their API keys are revoked', async () => {
  const { session, first, second } = await createKeyLead('avocet')
  const tab = await e2e.openScreen('/account', { session, heading: 'Your account' })
  const { page } = tab
  await pressButton(page, 'Delete account…')
  const dialog = page.getByRole('dialog', { name: 'Delete your account avocet?' })
  await dialog.getByRole('checkbox', { name: 'Revoke Second' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL('**/sign-in')
  expect([await readWithKey(first), await readWithKey(second)]).toEqual([401, 200])
  expect((await e2e.server.request('GET', '/portal/api/me', { session })).status).toBe(401)
})
