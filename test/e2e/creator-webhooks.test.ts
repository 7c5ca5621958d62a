import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, expectFitsWindow, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession } from '../support/staff-session.ts'
import {
  createWebhookLead as createLead,
  createWebhook,
  readWebhookState,
  type WorkspaceRef,
} from '../support/webhook-lead.ts'

const e2e = useSession(openStaffSession)

const createWebhookLead = (username: string) => createLead(e2e.server, e2e.owner, username)
const readState = (id: string, viewer: WorkspaceRef = e2e.owner) => readWebhookState(e2e.server, viewer, id)

test('removing a member pauses their webhooks unless they are kept, and Home and the list say why', async () => {
  const { log, bot } = await createWebhookLead('bittern')
  const tab = await e2e.openPeopleScreen(e2e.owner.session, '', PHONE)
  const { page } = tab
  await chooseMenuItem(page, 'Actions for bittern', 'Remove')
  const dialog = page.getByRole('dialog', { name: `Remove bittern from ${GROUP}?` })
  await dialog.getByText('2 webhooks to pause').waitFor()
  await dialog.getByText('example.com · Nothing delivered yet').first().waitFor()
  await dialog.getByRole('checkbox', { name: 'Pause Bot of bittern' }).click()
  await expectFitsWindow(page)
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Remove bittern' }).click()
  await page.getByText('Removed bittern.').waitFor()
  expect([await readState(log), await readState(bot)]).toEqual(['paused', 'active'])

  const home = await e2e.openScreen(`/w/${e2e.workspaceId}`, { heading: GROUP, browser: PHONE })
  await home.page.getByText('Log of bittern is paused because its creator lost access').waitFor()
  await home.page.getByText('Bot of bittern still sends although its creator is gone').waitFor()
  await expectNoPageErrors(home)
  const list = await e2e.openScreen(`/w/${e2e.workspaceId}/configuration/webhooks`, {
    heading: 'Webhooks',
    browser: PHONE,
  })
  await list.page.getByRole('link', { name: 'Bot of bittern' }).getByText('Creator has left').waitFor()
  await list.page.getByRole('link', { name: 'Log of bittern' }).click()
  await list.page.getByText('It was paused when its creator lost access.').waitFor()
  await expectFitsWindow(list.page)
  await expectNoPageErrors(list)
  await pressButton(list.page, 'Resume')
  await list.page.getByText('It was paused when its creator lost access.').waitFor({ state: 'hidden' })
  expect(await readState(log)).toBe('active')
})

test('a demotion pauses the webhooks of the member unless they are kept; a promotion does not ask', async () => {
  const { log, bot } = await createWebhookLead('dotterel')
  const tab = await e2e.openPeopleScreen(e2e.owner.session)
  const { page } = tab
  await chooseMenuItem(page, 'Actions for dotterel', 'Change roles')
  const dialog = page.getByRole('dialog', { name: 'Roles of dotterel' })
  await dialog.getByRole('checkbox', { name: 'Senior moderator' }).click()
  await dialog.getByText('dotterel will be able to').waitFor()
  expect(await dialog.getByText('webhooks to pause').count()).toBe(0)
  await dialog.getByRole('checkbox', { name: 'Role of dotterel' }).click()
  await dialog.getByText('2 webhooks to pause').waitFor()
  await dialog.getByRole('checkbox', { name: 'Pause Log of dotterel' }).click()
  await expectNoPageErrors(tab)
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await page.getByText('Changed the roles of dotterel.').waitFor()
  expect([await readState(log), await readState(bot)]).toEqual(['active', 'paused'])
})

test('an ownership transfer lists the webhooks of the former owner', async () => {
  const { workspaceId, session } = await e2e.createWorkspaceFixture()
  const successor = await e2e.server.createMember({ workspaceId, session }, 'sanderling', [])
  const [log, bot] = [
    await createWebhook(e2e.server, { workspaceId, session }, 'Log'),
    await createWebhook(e2e.server, { workspaceId, session }, 'Bot'),
  ]
  const { page } = await e2e.openScreen(`/w/${workspaceId}/configuration/workspace`, { heading: 'Workspace' })
  await pressButton(page, 'Transfer ownership…')
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership' })
  await dialog.getByText('You created these webhooks').waitFor()
  await dialog.getByRole('checkbox', { name: 'Pause Bot' }).click()
  await dialog.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: 'sanderling' }).click()
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByText('sanderling now owns').waitFor()
  const newOwner = { workspaceId, session: successor }
  expect([await readState(log, newOwner), await readState(bot, newOwner)]).toEqual(['paused', 'active'])
})

test('an operator who disables an account pauses its webhooks in all workspaces unless they are kept', async () => {
  const { log, bot } = await createWebhookLead('crake')
  const { page } = await e2e.openScreen('/operator/accounts?q=crake', { heading: 'Accounts' })
  await chooseMenuItem(page, 'Actions for crake', 'Disable…')
  const dialog = page.getByRole('dialog', { name: 'Disable crake?' })
  await dialog.getByText(`${GROUP} · example.com`).first().waitFor()
  await dialog.getByRole('checkbox', { name: 'Pause Log of crake' }).click()
  await dialog.getByRole('button', { name: 'Disable account' }).click()
  await page.getByText('Disabled crake.').waitFor()
  expect([await readState(log), await readState(bot)]).toEqual(['active', 'paused'])
})

test('people who delete their account pause their webhooks unless they are kept', async () => {
  const { session, log, bot } = await createWebhookLead('shrike')
  const { page } = await e2e.openScreen('/account', { session, heading: 'Your account' })
  await pressButton(page, 'Delete account…')
  const dialog = page.getByRole('dialog', { name: 'Delete your account shrike?' })
  await dialog.getByText('You created these webhooks').waitFor()
  await dialog.getByRole('checkbox', { name: 'Pause Bot of shrike' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL('**/sign-in')
  expect([await readState(log), await readState(bot)]).toEqual(['paused', 'active'])
})
