import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { fillIn, pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const TEXT = 'Your brother has a ban of his own, so please keep your password to yourself.'

/** A workspace with two people who decide: one in a browser, one who sends requests. */
async function createDeciders(name: string) {
  const workspace = await e2e.createWorkspaceFixture([
    'moderation.view',
    'moderation.approve',
    'appeals.view',
    'appeals.decide',
  ])
  const { workspaceId } = workspace
  const ref = { workspaceId, session: e2e.owner.session }
  const session = await e2e.server.createMember(ref, name, ['moderation.approve', 'appeals.decide'])
  const decide = (path: string, body: object) =>
    e2e.server.requestOk('POST', path, { session, body: { workspaceId, ...body } })
  return { ...workspace, ref, decide }
}

test('a message to a player stays when a colleague decides the appeal, and says what they decided', async () => {
  const workspace = await createDeciders('mara')
  const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'ban',
    userId: '261',
    reason: 'Exploiting',
  })
  const { appeal } = await workspace.requestAsOwner('POST', '/api/appeals', {
    code: record.appealCode,
    message: 'It was my brother.',
  })
  const tab = await workspace.openScreen(`/appeals/${appeal.id}`, { heading: 'Appeal of 261' })
  const { page } = tab
  await page.getByLabel('Deny: keep the ban').check()
  await fillIn(page, { 'Message to the player (optional)': TEXT })
  await page.getByLabel('The player can read it').check()
  await fillIn(page, { 'Message to the player': 'One moment.' })

  await workspace.decide('/portal/api/appeals/decide', { id: appeal.id, decision: 'accepted' })
  const unsent = page.locator('form').filter({ hasText: 'Your message was not sent' })
  await unsent.getByText(/mara\W+has decided the appeal already\. The ban is lifted/).waitFor()
  const field = unsent.getByLabel('Message to the player', { exact: true })
  expect([await field.inputValue(), await field.isEditable()]).toEqual([TEXT, false])
  expect(await page.getByRole('button', { name: /the ban of 261/ }).count()).toBe(0)
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await pressButton(page, 'Copy message')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(TEXT)
  // The thread accepts only internal messages from now on.
  await page.getByText('The player can no longer read new messages').waitFor()
  expect(await readField(page, 'Internal message')).toBe('One moment.')

  await page.getByRole('link', { name: 'All appeals' }).click()
  await pressButton(page, 'Keep editing')
  await pressButton(page, 'Discard message')
  await field.waitFor({ state: 'detached' })
  await expectNoPageErrors(tab)
})

test('a reason stays when a colleague approves the ban, and says what they decided', async () => {
  const workspace = await createDeciders('nils')
  const moderator = await e2e.server.createMember(workspace.ref, 'juno', ['moderation.ban'])
  const { roles } = await workspace.readAsOwner('/portal/api/roles')
  const { id } = roles.find(({ name }: { name: string }) => name === 'Role of juno')
  await workspace.requestAsOwner('PATCH', '/portal/api/roles', { id, permanentBansNeedApproval: 'true' })
  const { body } = await e2e.server.requestOk('POST', '/api/moderation', {
    session: moderator,
    body: { workspaceId: workspace.workspaceId, action: 'ban', userId: '261', reason: 'Exploiting' },
  })
  const tab = await workspace.openScreen('/moderation/approvals', { heading: 'Approvals' })
  const { page } = tab
  await pressButton(page, 'Reject')
  const dialog = page.getByRole('dialog', { name: 'Reject case 1?' })
  await dialog.getByLabel('Reason').fill(TEXT)

  await workspace.decide('/api/moderation/approvals', { id: body.approval.id, action: 'approve' })
  await dialog.getByText(/^nils approved the permanent ban that juno requested/).waitFor()
  expect(await dialog.getByLabel('Reason').inputValue()).toBe(TEXT)
  expect(await dialog.getByRole('button', { name: 'Reject the ban' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await pressButton(page, 'Discard changes')
  await dialog.waitFor({ state: 'detached' })
  await expectNoPageErrors(tab)
})

test('settings that are being changed stay when a colleague saves others, and saving shows both', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const tab = await workspace.openScreen('/configuration/appeals', { heading: 'Appeal form' })
  const { page } = tab
  await fillIn(page, { Introduction: TEXT })
  const settings = (await workspace.readAsOwner('/portal/api/appeals/settings')).settings
  const changed = { afterDays: '3', introduction: 'Be honest.' }
  await workspace.requestAsOwner('PATCH', '/portal/api/appeals/settings', { ...changed })
  expect(settings.afterDays).not.toBe('3')
  await pressButton(page, 'Save')
  const changes = page.getByRole('region', { name: 'Changed by someone else' })
  await changes.getByRole('radio', { name: 'Keep mine Your brother' }).waitFor()
  expect(await changes.locator('legend').allTextContents()).toEqual([
    'Days until a ban can be appealed',
    'Introduction',
  ])
  expect([
    await readField(page, 'Introduction'),
    await readField(page, 'Days until a ban can be appealed'),
  ]).toEqual([TEXT, '3'])
  await pressButton(page, 'Save')
  await page.getByText('Saved how appeals work.').waitFor()
  expect((await workspace.readAsOwner('/portal/api/appeals/settings')).settings).toMatchObject({
    afterDays: '3',
    introduction: TEXT,
  })
  await changes.waitFor({ state: 'detached' })
  await expectNoPageErrors(tab)
})
