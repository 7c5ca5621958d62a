import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  DESKTOP,
  fillIn,
  pressButton,
  readField,
  reloadAndFollow,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const TEXT = 'They train new moderators on Fridays, and keep the list of scripts.'

/** A screen that follows changes, for a member whose permissions can be replaced. */
async function openAsMember(path: string, heading: string, permissions: readonly Permission[]) {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const tab = await workspace.openScreen(path, { heading, browser: DESKTOP })
  await reloadAndFollow(tab)
  await waitForHeading(tab.page, heading)
  const setPermissions = async (...remaining: readonly Permission[]) => {
    const { roles } = await workspace.readAsOwner('/portal/api/roles')
    const { id } = roles.find(({ name }: { name: string }) => name === `Role of ${workspace.username}`)
    const body = { id, permissions: JSON.stringify(remaining) }
    await workspace.requestAsOwner('PATCH', '/portal/api/roles', body)
  }
  return { ...workspace, tab, page: tab.page, setPermissions }
}

describe('what is typed while somebody removes the permission to view the screen', () => {
  test('stays in the form of an event, which is saved if that is still allowed', async () => {
    const { tab, page, setPermissions, readAsOwner } = await openAsMember('/events', 'Events', [
      'events.view',
      'events.manage',
    ])
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Drill', Starts: '2031-02-02T18:00', Description: TEXT })
    await setPermissions('events.manage')
    await page.getByText('You don’t have access').waitFor()
    expect(await readField(page, 'Description')).toBe(TEXT)
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Drill” as a draft.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { events } = await readAsOwner('/api/events')
    expect(events).toMatchObject([{ title: 'Drill', description: TEXT }])
    await expectNoPageErrors(tab)
  })

  test('into a dialog is shown once more', async () => {
    const { page, setPermissions } = await openAsMember('/departments', 'Departments', [
      'departments.view',
      'departments.manage',
    ])
    await pressButton(page, 'New department')
    await fillIn(page, { Name: 'Trainers', Description: TEXT })
    await setPermissions('departments.manage')
    await page.getByText('You don’t have access').waitFor()
    const rescued = page.getByRole('dialog', { name: 'Your text was not sent' })
    expect(await rescued.getByLabel('Description', { exact: true }).inputValue()).toBe(TEXT)
    expect(await rescued.getByLabel('Name', { exact: true }).inputValue()).toBe('Trainers')
    await rescued.getByRole('button', { name: 'Discard text' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('into a dialog that was closed before is not', async () => {
    const { page, setPermissions } = await openAsMember('/departments', 'Departments', [
      'departments.view',
      'departments.manage',
    ])
    await pressButton(page, 'New department')
    await fillIn(page, { Name: 'Trainers', Description: TEXT })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await pressButton(page, 'Discard changes')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await setPermissions('departments.manage')
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('into the form of a batch is shown once more', async () => {
    const path = '/batches?new=action'
    const { tab, page, setPermissions } = await openAsMember(path, 'Batches', [
      'moderation.view',
      'moderation.ban',
      'moderation.bulk',
    ])
    await fillIn(page, { 'IDs of players': '261\n262', Reason: TEXT })
    // What keeps the text is loaded when the first one is entered.
    await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    await setPermissions('moderation.view', 'moderation.ban')
    await page.getByText('You don’t have access').waitFor()
    const rescued = page.getByRole('dialog', { name: 'Your text was not sent' })
    expect(await rescued.getByLabel('Players', { exact: true }).inputValue()).toBe('261\n262')
    expect(await rescued.getByLabel('Reason', { exact: true }).inputValue()).toBe(TEXT)
    await expectNoPageErrors(tab)
  })

  test('into the form of a batch is not shown again once the batch was started', async () => {
    const path = '/batches?new=action'
    const { page, setPermissions } = await openAsMember(path, 'Batches', [
      'moderation.view',
      'moderation.ban',
      'moderation.bulk',
    ])
    await fillIn(page, { 'IDs of players': '261\n262', Reason: TEXT })
    await page.getByRole('combobox', { name: 'Duration' }).click()
    await page.getByRole('option', { name: '7 days', exact: true }).click()
    await pressButton(page, 'Preview')
    await pressButton(page, 'Start: 2 targets')
    await page.getByText('Started the batch.').waitFor()
    await page.getByRole('heading', { name: 'Batch', exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await setPermissions('moderation.view', 'moderation.ban')
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
