import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const readDeleteAt = async (id: string) =>
  (await e2e.server.requestOk('GET', `/api/workspaces?id=${id}`, { session: e2e.owner.session })).body
    .workspace.deleteAt

/** An archived workspace of the owner of the instance. */
async function createArchived(groupName: string): Promise<string> {
  const id = await e2e.createWorkspace(groupName)
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session: e2e.owner.session,
    body: { id, action: 'archive' },
  })
  return id
}

test('the owner deletes an archived workspace by typing its name, sees when, and undoes it', async () => {
  const id = await createArchived('Autumn Crew')
  const tab = await e2e.openScreen(`/w/${id}/configuration/workspace`, { heading: 'Workspace' })
  const { page } = tab
  await pressButton(page, 'Delete…')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('all of this is deleted for good').waitFor()
  await dialog.getByText('You or an operator can undo this on this page.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true)
  await fillIn(page, { 'Type Autumn Crew to confirm': 'Autumn Crew' })
  await pressButton(page, 'Delete workspace')
  await page.getByText(/^This workspace is archived and read-only\. It will be deleted on /).waitFor()
  await page.getByRole('heading', { name: 'This workspace will be deleted' }).waitFor()
  expect(Date.parse(await readDeleteAt(id)) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  expect(await page.getByRole('button', { name: 'Restore…' }).getAttribute('aria-disabled')).toBe('true')
  await pressButton(page, 'Undo the deletion…')
  await pressButton(page, 'Undo the deletion')
  await page.getByRole('button', { name: 'Delete…' }).waitFor()
  expect(await readDeleteAt(id)).toBe(null)
  await expectNoPageErrors(tab)
})

test('operators see which workspaces will be deleted, and undo it', async () => {
  const id = await createArchived('Winter Crew')
  await e2e.server.requestOk('POST', '/portal/api/workspace/delete', {
    session: e2e.owner.session,
    body: { workspaceId: id, groupName: 'Winter Crew' },
  })
  const tab = await e2e.openScreen('/operator/workspaces', { heading: 'Workspaces' })
  const { page } = tab
  await page.getByText('To be deleted', { exact: true }).first().click()
  const line = page.getByRole('listitem').filter({ hasText: 'Winter Crew' })
  await line.getByText(/^Everything in it will be deleted on /).waitFor()
  await pressButton(page, 'Undo the deletion of Winter Crew')
  await pressButton(page, 'Undo the deletion')
  await page.getByText('No workspaces to be deleted').waitFor()
  expect(await readDeleteAt(id)).toBe(null)
  await page.getByText('Deleted', { exact: true }).click()
  await page.getByText('No deleted workspaces').waitFor()
  await expectNoPageErrors(tab)
})
