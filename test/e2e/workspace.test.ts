import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  ARCHIVED,
  expectBlocked,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
  XSS_PAYLOAD,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSession)

const openWorkspaceSettings = (id: string, session = e2e.owner.session, options = {}) =>
  e2e.openScreen(`/w/${id}/configuration/workspace`, { session, heading: 'Workspace', browser: options })
const postWorkspaceAction = (id: string, body: object) =>
  e2e.server.requestOk('POST', '/api/workspaces', { session: e2e.owner.session, body: { id, ...body } })
const addNote = (id: string, userId: string) =>
  e2e.requestAsOwner('POST', '/api/moderation', { action: 'note', userId, reason: 'Asked for help' }, id)
const listArchives = async (id: string) =>
  (
    await e2e.server.requestOk('GET', `/api/workspaces?id=${id}&archives=true`, {
      session: e2e.owner.session,
    })
  ).body.archives
const readGroupName = async (id: string) =>
  (await e2e.server.requestOk('GET', `/api/workspaces?id=${id}`, { session: e2e.owner.session })).body
    .workspace.groupName
const countRecords = async (id: string) =>
  (await e2e.server.requestOk('GET', `/api/moderation?workspaceId=${id}`, { session: e2e.owner.session }))
    .body.records.length
const dialog = (page: Page) => page.getByRole('dialog')
/** A number in the content table of a workspace. */
const readCountRow = (page: Page, kind: string) =>
  dialog(page)
    .getByRole('row', { name: RegExp(`^${kind} `) })
    .textContent()

/** A workspace that had one record when it was archived and has two now. */
async function createArchivedWorkspace(groupName: string): Promise<string> {
  const id = await e2e.createWorkspace(groupName)
  await addNote(id, '1')
  await postWorkspaceAction(id, { action: 'archive' })
  await postWorkspaceAction(id, { action: 'restore' })
  await addNote(id, '2')
  return id
}

describe('the name', () => {
  test('is changed, and shown everywhere immediately', async () => {
    const id = await e2e.createWorkspace('Day Shift')
    const tab = await openWorkspaceSettings(id)
    const { page } = tab
    await fillIn(page, { 'Group name': '  Late Shift ' })
    await pressButton(page, 'Save')
    await page.getByRole('button', { name: /^Late Shift.*switch workspace/ }).waitFor()
    expect(await readGroupName(id)).toBe('Late Shift')
    await expectSettled(() => readField(page, 'Group name'), 'Late Shift')
    await expectNoPageErrors(tab)
  })

  test('is rejected if it is too long, with the error next to the field, and the input stays', async () => {
    const id = await e2e.createWorkspace('Short')
    const { page } = await openWorkspaceSettings(id)
    await fillIn(page, { 'Group name': 'x'.repeat(101) })
    await pressButton(page, 'Save')
    await page.getByText('Group name must be').waitFor()
    await expectSettled(() => readField(page, 'Group name'), 'x'.repeat(101))
    expect(await readGroupName(id)).toBe('Short')
  })

  test('is not overwritten after a concurrent change by someone else', async () => {
    const id = await e2e.createWorkspace('Twice')
    const { page } = await openWorkspaceSettings(id)
    await fillIn(page, { 'Group name': 'Mine' })
    await postWorkspaceAction(id, { action: 'rename', groupName: 'Theirs' })
    await page.getByRole('button', { name: /^Theirs.*switch workspace/ }).waitFor()
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this workspace while you were editing.').waitFor()
    expect([await readGroupName(id), await readField(page, 'Group name')]).toEqual(['Theirs', 'Mine'])
    await page.getByRole('radio', { name: 'Take theirs Theirs' }).check()
    await expectSettled(() => readField(page, 'Group name'), 'Theirs')
    await page.getByRole('radio', { name: 'Keep mine Mine' }).check()
    await pressButton(page, 'Save')
    await page.getByText('Saved the workspace Mine.').waitFor()
    expect(await readGroupName(id)).toBe('Mine')
    await page.getByRole('region', { name: 'Changed by someone else' }).waitFor({ state: 'detached' })
    await postWorkspaceAction(id, { action: 'rename', groupName: 'Theirs again' })
    await page.getByRole('button', { name: /^Theirs again.*switch workspace/ }).waitFor()
    await expectSettled(() => readField(page, 'Group name'), 'Theirs again')
  })
})

describe('archiving', () => {
  test('lists the content and the consequences, and can be undone', async () => {
    const id = await e2e.createWorkspace('Harbour')
    await addNote(id, '1')
    const { page } = await openWorkspaceSettings(id)
    await pressButton(page, 'Archive…')
    await page.getByText('Archive Harbour?').waitFor()
    await dialog(page).getByText('The workspace becomes read-only for members and API keys').waitFor()
    await dialog(page).getByRole('row', { name: 'cases 1' }).waitFor()
    expect(await readCountRow(page, 'members')).toBe('members1')
    await pressButton(page, 'Archive workspace')
    await page.getByRole('alert').getByText('This workspace is archived and read-only.').waitFor()
    await page.getByRole('button', { name: /^Download the archive of/ }).waitFor()
    await expectBlocked(page, 'Save', ARCHIVED)
    await pressButton(page, 'Restore')
    await page.getByRole('alert').getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect(await listArchives(id)).toHaveLength(1)
  })

  test('offline shows an error in the dialog, and nothing is archived', async () => {
    const id = await e2e.createWorkspace('Lighthouse')
    const { page, context } = await openWorkspaceSettings(id)
    await pressButton(page, 'Archive…')
    await dialog(page).getByRole('row', { name: 'members 1' }).waitFor()
    await context.setOffline(true)
    await pressButton(page, 'Archive workspace')
    await dialog(page).getByText('You are offline. Try again once you are connected.').waitFor()
    expect(await listArchives(id)).toHaveLength(0)
    await context.setOffline(false)
    await pressButton(page, 'Archive workspace')
    await page.getByText('Archived Lighthouse.').waitFor()
    expect(await listArchives(id)).toHaveLength(1)
  })

  test('is reversed by restoring the workspace as it is', async () => {
    const id = await createArchivedWorkspace('Winter')
    await postWorkspaceAction(id, { action: 'archive' })
    const { page } = await openWorkspaceSettings(id)
    await pressButton(page, 'Restore…')
    await dialog(page).getByRole('row', { name: 'cases 2' }).waitFor()
    await pressButton(page, 'Restore workspace')
    await page.getByRole('alert').getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect(await countRecords(id)).toBe(2)
  })
})

describe('an archive', () => {
  test('is downloaded unchanged, and shows its checksum', async () => {
    const id = await createArchivedWorkspace('Download')
    const [{ sha256, sizeBytes }] = await listArchives(id)
    const { page } = await openWorkspaceSettings(id)
    await page.getByText(sha256).waitFor()
    const downloadEvent = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    const download = await downloadEvent
    expect(download.suggestedFilename()).toMatch(/^download-\d{4}-\d\d-\d\d\.ndjson\.zst$/)
    const bytes = await Bun.file(await download.path()).bytes()
    expect([String(bytes.length), createHash('sha256').update(bytes).digest('hex')]).toEqual([
      sizeBytes,
      sha256,
    ])
  })

  test('with content that was redacted later cannot be downloaded, with the reason', async () => {
    const id = await e2e.createWorkspace('Redacted')
    const { record } = await addNote(id, '1')
    await postWorkspaceAction(id, { action: 'archive' })
    await postWorkspaceAction(id, { action: 'restore' })
    await e2e.requestAsOwner(
      'POST',
      '/api/moderation',
      { action: 'redact', id: record.id, reason: 'Private' },
      id,
    )
    const { page } = await openWorkspaceSettings(id)
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    await page.getByText('This archive contains texts that have been redacted since it was created').waitFor()
  })

  test('is copied to a new workspace, which opens from the message that it is complete', async () => {
    const id = await createArchivedWorkspace('Original')
    const { page } = await openWorkspaceSettings(id)
    await page.getByRole('button', { name: /^New workspace from/ }).click()
    await dialog(page).getByLabel('Group name').fill('Second house')
    await pressButton(page, 'Create workspace')
    await page.getByText('Created Second house. You are the owner.').waitFor()
    await pressButton(page, 'Open')
    await waitForHeading(page, 'Second house')
    const copy = new URL(page.url()).pathname.split('/')[2] ?? ''
    expect(copy).not.toBe(id)
    expect([await countRecords(copy), await countRecords(id)]).toEqual([1, 2])
  })

  test('is rolled back to after typing the name of the workspace', async () => {
    const id = await createArchivedWorkspace('Roll Call')
    await postWorkspaceAction(id, { action: 'archive' })
    const { page } = await openWorkspaceSettings(id)
    await page
      .getByRole('button', { name: /^Roll back to/ })
      .nth(1)
      .click()
    await dialog(page).getByRole('row', { name: 'cases 2 1' }).waitFor()
    const submitButton = page.getByRole('button', { name: 'Roll back', exact: true })
    await expectSettled(() => submitButton.isDisabled(), true)
    await fillIn(page, { 'Type Roll Call to confirm': 'Roll' })
    await expectSettled(() => submitButton.isDisabled(), true)
    await fillIn(page, { 'Type Roll Call to confirm': 'Roll Call' })
    await submitButton.click()
    await page.getByRole('alert').getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect([await countRecords(id), (await listArchives(id)).length]).toEqual([1, 3])
  })

  test('of an active workspace offers no roll-back, and says what to do first', async () => {
    const id = await createArchivedWorkspace('In use')
    const { page } = await openWorkspaceSettings(id)
    await page.getByText('To roll back to an archive, archive this workspace first.').waitFor()
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
  })
})

describe('the ownership', () => {
  test('is transferred to a member, with the roles that the owner keeps', async () => {
    const id = await e2e.createWorkspace('Handover')
    await e2e.server.createMember({ ...e2e.owner, workspaceId: id }, 'heir', ['moderation.view'])
    const { page } = await openWorkspaceSettings(id)
    // What the page or the dialog still loads would move the options of the fields.
    await page.getByText('No archives yet').waitFor()
    await page.getByText('Your own account has no second factor yet').waitFor()
    await pressButton(page, 'Transfer ownership…')
    await dialog(page).locator('button:enabled', { hasText: 'Transfer ownership' }).waitFor()
    await page.getByRole('combobox', { name: 'New owner' }).fill('hei')
    await page.getByRole('option', { name: 'heir' }).click()
    await page.getByRole('combobox', { name: 'Roles you keep' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Role of heir' }).click()
    await page.keyboard.press('Escape')
    if ((await dialog(page).count()) === 0) throw new Error('closing the choice closed the dialog')
    await pressButton(page, 'Transfer ownership')
    await page.getByText('heir now owns Handover.').waitFor()
    const { body } = await e2e.server.requestOk('GET', `/portal/api/members?workspaceId=${id}`, {
      session: await e2e.server.session('heir'),
    })
    expect(
      body.members.map(
        ({ username, isOwner, roles }: { username: string; isOwner: string; roles: { name: string }[] }) => [
          username,
          isOwner,
          roles.map(({ name }) => name).includes('Role of heir'),
        ],
      ),
    ).toEqual([
      ['heir', 'true', true],
      [OWNER, 'false', true],
    ])
    await page.getByText('You don’t have access').waitFor()
  })
})

describe('without permission', () => {
  test('archives are listed without actions', async () => {
    const id = await createArchivedWorkspace('Looking on')
    const session = await e2e.server.createMember({ ...e2e.owner, workspaceId: id }, 'onlooker', [
      'workspace.view',
    ])
    const { page } = await openWorkspaceSettings(id, session)
    await page.getByText('SHA-256').waitFor()
    for (const name of [/Download/, /New workspace/, /Roll back/, /^Archive/, /Rename/, /Transfer/]) {
      expect([String(name), await page.getByRole('button', { name }).count()]).toEqual([String(name), 0])
    }
  })

  test('the URL only leads to an explanation', async () => {
    const id = await e2e.createWorkspace('Closed')
    const session = await e2e.server.createMember({ ...e2e.owner, workspaceId: id }, 'stranger', [
      'events.view',
    ])
    const { page } = await openWorkspaceSettings(id, session)
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('heading', { name: 'Archives' }).count()).toBe(0)
  })
})

test('a script as name is shown as plain text in all dialogs', async () => {
  const id = await e2e.createWorkspace(XSS_PAYLOAD)
  await postWorkspaceAction(id, { action: 'archive' })
  const tab = await openWorkspaceSettings(id)
  const { page } = tab
  await page.getByRole('button', { name: /^Roll back to/ }).click()
  await page.getByLabel(`Type ${XSS_PAYLOAD} to confirm`).fill(XSS_PAYLOAD)
  await pressButton(page, 'Roll back')
  await page.getByRole('alert').getByText('This workspace is archived').waitFor({ state: 'detached' })
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})
