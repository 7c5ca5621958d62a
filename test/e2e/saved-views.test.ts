import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { openDialog, openModerationSession } from '../support/moderation.ts'
import { chooseMenuItem, expectSettled, fillIn, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

test('filters are saved as a view, overwritten, shared, deleted and restored', async () => {
  const { session, toPath, moderate, createMember } = await e2e.createModerationWorkspace()
  await moderate({ action: 'warn', userId: '1', reason: 'Spam' })
  await moderate({ action: 'note', userId: '2', reason: 'Hello' })
  const tab = await e2e.openScreen(toPath('/records?action=warn'), { session, heading: 'All cases' })
  const { page } = tab
  const filtersInUrl = () => {
    const { view: _, ...filters } = Object.fromEntries(new URL(page.url()).searchParams)
    return filters
  }
  await pressButton(page, 'Save view')
  await fillIn(page, { Name: 'Warnings' })
  await openDialog(page).getByRole('button', { name: 'Save view' }).click()
  await openDialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'View: Warnings' }).waitFor()
  await pressButton(page, 'Clear filters')
  await page.getByText('Hello').waitFor()
  await chooseMenuItem(page, 'Saved views', 'Warnings')
  await page.getByText('Hello').waitFor({ state: 'detached' })
  expect(filtersInUrl()).toEqual({ action: 'warn' })
  await page.getByLabel('Text', { exact: true }).fill('spam')
  await page.getByRole('button', { name: 'View: Warnings (changed)' }).waitFor()
  await pressButton(page, 'Save changes')
  await chooseMenuItem(page, 'View: Warnings', 'Rename or share')
  await fillIn(page, { Name: 'Spam warnings' })
  await openDialog(page).getByLabel('Share with the workspace').check()
  await pressButton(page, 'Save')
  await page.getByRole('button', { name: 'View: Spam warnings' }).waitFor()

  const { session: kim } = await createMember('moderation.view')
  const other = (await e2e.openScreen(toPath('/records'), { session: kim, heading: 'All cases' })).page
  await chooseMenuItem(other, 'Saved views', 'Spam warnings')
  await other.getByText('Hello').waitFor({ state: 'detached' })
  await other.getByRole('button', { name: 'View: Spam warnings' }).click()
  expect(await other.getByRole('menuitem', { name: 'Delete this view' }).count()).toBe(0)

  await chooseMenuItem(page, 'View: Spam warnings', 'Delete this view')
  await page.getByText('Deleted the view “Spam warnings”.').waitFor()
  await other.getByRole('button', { name: 'View: Spam warnings' }).waitFor({ state: 'detached' })
  await pressButton(page, 'Undo')
  await page.getByRole('button', { name: 'View: Spam warnings' }).waitFor()
  await expectSettled(async () => filtersInUrl(), { action: 'warn', text: 'spam' })
  await expectNoPageErrors(tab)
})

test('a view that somebody else has renamed meanwhile can be saved, after a look at their change', async () => {
  const { session, workspaceId, toPath } = await e2e.createModerationWorkspace()
  const { savedView } = await e2e.requestAsOwner(
    'POST',
    '/portal/api/saved-views',
    { list: 'records', name: 'Warnings', filters: 'action=warn', shared: 'true' },
    workspaceId,
  )
  const { id } = savedView
  const tab = await e2e.openScreen(toPath(`/records?action=warn&view=${id}`), {
    session,
    heading: 'All cases',
  })
  const { page } = tab
  await chooseMenuItem(page, 'View: Warnings', 'Rename or share')
  await openDialog(page).waitFor()
  await e2e.requestAsOwner('PATCH', '/portal/api/saved-views', { id, name: 'Warned' }, workspaceId)
  await fillIn(page, { Name: 'All warnings' })
  await pressButton(page, 'Save')
  const conflict = openDialog(page).getByRole('region', { name: 'Changed by someone else' })
  await conflict.getByText('Warned').waitFor()
  await expectSettled(() => openDialog(page).getByLabel('Name', { exact: true }).inputValue(), 'All warnings')
  await pressButton(page, 'Save')
  await page.getByRole('button', { name: 'View: All warnings' }).waitFor()
  await expectNoPageErrors(tab)
})
