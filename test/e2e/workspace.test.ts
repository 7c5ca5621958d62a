import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/instance.ts'
import { OWNER } from '../support/place.ts'
import { expectSoon, fillIn, heading, press, typedIn } from '../support/portal.ts'
import { openStay, PLANTED, type Stay } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

let stay: Stay
beforeAll(async () => {
  stay = await openStay()
}, 60_000)
afterEach(() => stay.leave())
afterAll(() => stay?.close())

const settings = (id: string, session = stay.owner.session, options = {}) =>
  stay.visit(session, `/w/${id}/configuration/workspace`, 'Workspace', options)
const act = (id: string, body: object) =>
  stay.place.must('POST', '/api/workspaces', { session: stay.owner.session, body: { id, ...body } })
const note = (id: string, userId: string) =>
  stay.asOwner('POST', '/api/moderation', { action: 'note', userId, reason: 'Asked for help' }, id)
const archives = async (id: string) =>
  (await stay.place.must('GET', `/api/workspaces?id=${id}&archives=true`, { session: stay.owner.session }))
    .body.archives
const nameOf = async (id: string) =>
  (await stay.place.must('GET', `/api/workspaces?id=${id}`, { session: stay.owner.session })).body.workspace
    .groupName
const records = async (id: string) =>
  (await stay.place.must('GET', `/api/moderation?workspaceId=${id}`, { session: stay.owner.session })).body
    .records.length
const dialog = (page: Page) => page.getByRole('dialog')
/** A number of the table that says what a workspace holds. */
const held = (page: Page, kind: string) =>
  dialog(page)
    .getByRole('row', { name: RegExp(`^${kind} `) })
    .textContent()

/** A workspace that was sealed with one record and has two by now. */
async function sealed(groupName: string): Promise<string> {
  const id = await stay.workspace(groupName)
  await note(id, '1')
  await act(id, { action: 'archive' })
  await act(id, { action: 'restore' })
  await note(id, '2')
  return id
}

describe('the name', () => {
  test('is changed, and shows everywhere at once', async () => {
    const id = await stay.workspace('Day Shift')
    const opened = await settings(id)
    const { page } = opened
    await fillIn(page, { 'Group name': '  Late Shift ' })
    await press(page, 'Rename')
    await page.getByRole('button', { name: /^Late Shift.*switch workspace/ }).waitFor()
    expect(await nameOf(id)).toBe('Late Shift')
    await expectSoon(() => typedIn(page, 'Group name'), 'Late Shift')
    await expectCalm(opened)
  })

  test('one that is too long is refused beside the field, and stays typed', async () => {
    const id = await stay.workspace('Short')
    const { page } = await settings(id)
    await fillIn(page, { 'Group name': 'x'.repeat(101) })
    await press(page, 'Rename')
    await page.getByText('Group name must be').waitFor()
    await expectSoon(() => typedIn(page, 'Group name'), 'x'.repeat(101))
    expect(await nameOf(id)).toBe('Short')
  })

  test('changed by somebody else meanwhile, it is not gone over unseen', async () => {
    const id = await stay.workspace('Twice')
    const { page } = await settings(id)
    await page.getByLabel('Group name').waitFor()
    await page.route('**/portal/api/live?*', (route) => route.abort())
    await page.route('**/api/workspaces?id=*', (route) => route.abort())
    await act(id, { action: 'rename', groupName: 'Theirs' })
    await fillIn(page, { 'Group name': 'Mine' })
    await press(page, 'Rename')
    await page.getByText('has changed since').waitFor()
    expect([await nameOf(id), await typedIn(page, 'Group name')]).toEqual(['Theirs', 'Mine'])
  })
})

describe('archiving', () => {
  test('tells what is sealed and what follows, and can be undone', async () => {
    const id = await stay.workspace('Harbour')
    await note(id, '1')
    const { page } = await settings(id)
    await press(page, 'Archive…')
    await page.getByText('Archive Harbour?').waitFor()
    await dialog(page).getByText('Nobody can ban, note or plan anything in it').waitFor()
    await dialog(page).getByRole('row', { name: 'records 1' }).waitFor()
    expect(await held(page, 'members')).toBe('members1')
    await press(page, 'Archive the workspace')
    await page.getByText('This workspace is archived: it can be read, but not changed.').waitFor()
    await page.getByRole('button', { name: /^Download the archive of/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
    await press(page, 'Restore')
    await page.getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect(await archives(id)).toHaveLength(1)
  })

  test('without a connection the dialog stays and says so, and nothing is archived', async () => {
    const id = await stay.workspace('Lighthouse')
    const { page, context } = await settings(id)
    await press(page, 'Archive…')
    await dialog(page).getByRole('row', { name: 'members 1' }).waitFor()
    await context.setOffline(true)
    await press(page, 'Archive the workspace')
    await dialog(page).getByText('You are offline. Try again once you are connected.').waitFor()
    expect(await archives(id)).toHaveLength(0)
    await context.setOffline(false)
    await press(page, 'Archive the workspace')
    await page.getByText('Lighthouse is archived.').waitFor()
    expect(await archives(id)).toHaveLength(1)
  })

  test('one that is archived is taken back into use as it is', async () => {
    const id = await sealed('Winter')
    await act(id, { action: 'archive' })
    const { page } = await settings(id)
    await press(page, 'Restore…')
    await dialog(page).getByRole('row', { name: 'records 2' }).waitFor()
    await press(page, 'Restore the workspace')
    await page.getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect(await records(id)).toBe(2)
  })
})

describe('an archive', () => {
  test('is downloaded as it was sealed, and shows its checksum', async () => {
    const id = await sealed('Download')
    const [{ sha256, sizeBytes }] = await archives(id)
    const { page } = await settings(id)
    await page.getByText(sha256).waitFor()
    const arrives = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    const download = await arrives
    expect(download.suggestedFilename()).toMatch(/^download-\d{4}-\d\d-\d\d\.ndjson\.zst$/)
    const bytes = await Bun.file(await download.path()).bytes()
    expect([String(bytes.length), createHash('sha256').update(bytes).digest('hex')]).toEqual([
      sizeBytes,
      sha256,
    ])
  })

  test('that holds what was redacted since is not given out, and why is told', async () => {
    const id = await stay.workspace('Redacted')
    const { record } = await note(id, '1')
    await act(id, { action: 'archive' })
    await act(id, { action: 'restore' })
    await stay.asOwner('POST', '/api/moderation', { action: 'redact', id: record.id, reason: 'Private' }, id)
    const { page } = await settings(id)
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    await page.getByText('Texts were redacted since this archive was sealed').waitFor()
  })

  test('becomes a new workspace, which one is led into', async () => {
    const id = await sealed('Original')
    const { page } = await settings(id)
    await page.getByRole('button', { name: /^New workspace from/ }).click()
    await dialog(page).getByLabel('Group name').fill('Second house')
    await press(page, 'Make the workspace')
    await heading(page, 'Second house')
    const copy = new URL(page.url()).pathname.split('/')[2] ?? ''
    expect(copy).not.toBe(id)
    expect([await records(copy), await records(id)]).toEqual([1, 2])
  })

  test('is what an archived workspace is rolled back to, once its name is typed', async () => {
    const id = await sealed('Roll Call')
    await act(id, { action: 'archive' })
    const { page } = await settings(id)
    await page
      .getByRole('button', { name: /^Roll back to/ })
      .nth(1)
      .click()
    await dialog(page).getByRole('row', { name: 'records 2 1' }).waitFor()
    const go = page.getByRole('button', { name: 'Roll it back' })
    await expectSoon(() => go.isDisabled(), true)
    await fillIn(page, { 'Type Roll Call to go on': 'Roll' })
    await expectSoon(() => go.isDisabled(), true)
    await fillIn(page, { 'Type Roll Call to go on': 'Roll Call' })
    await go.click()
    await page.getByText('This workspace is archived').waitFor({ state: 'detached' })
    expect([await records(id), (await archives(id)).length]).toEqual([1, 3])
  })

  test('of a workspace in use offers no roll-back, and says what to do first', async () => {
    const id = await sealed('In use')
    const { page } = await settings(id)
    await page.getByText('To roll this workspace back to one of them, archive it first.').waitFor()
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0)
  })
})

describe('the ownership', () => {
  test('goes to another member with the owner’s password, and not without', async () => {
    const id = await stay.workspace('Handover')
    await stay.place.member({ ...stay.owner, workspaceId: id }, 'heir', ['moderation.view'])
    const { page } = await settings(id)
    await press(page, 'Transfer the ownership…')
    await page.getByRole('combobox', { name: 'New owner' }).fill('hei')
    await page.getByRole('option', { name: 'heir' }).click()
    await page.getByRole('combobox', { name: 'Roles you keep' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Role of heir' }).click()
    await page.keyboard.press('Escape')
    if ((await dialog(page).count()) === 0) throw new Error('closing the choice closed the dialog')
    await fillIn(page, { 'Your password': 'not the password' })
    await press(page, 'Transfer the ownership')
    await page.getByText('Your password is not your present password.').waitFor()
    await fillIn(page, { 'Your password': PASSWORD })
    await press(page, 'Transfer the ownership')
    await page.getByText('heir owns Handover now.').waitFor()
    const { body } = await stay.place.must('GET', `/portal/api/members?workspaceId=${id}`, {
      session: await stay.place.session('heir'),
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
    await page.getByText('This is not for you to see').waitFor()
  })
})

describe('who may not', () => {
  test('sees the archives and nothing to do with them', async () => {
    const id = await sealed('Looking on')
    const session = await stay.place.member({ ...stay.owner, workspaceId: id }, 'onlooker', [
      'workspace.view',
    ])
    const { page } = await settings(id, session)
    await page.getByText('SHA-256').waitFor()
    for (const name of [/Download/, /New workspace/, /Roll back/, /^Archive/, /Rename/, /Transfer/]) {
      expect([String(name), await page.getByRole('button', { name }).count()]).toEqual([String(name), 0])
    }
  })

  test('comes to no more than a word of why by the address', async () => {
    const id = await stay.workspace('Closed')
    const session = await stay.place.member({ ...stay.owner, workspaceId: id }, 'stranger', ['events.view'])
    const { page } = await settings(id, session)
    await page.getByText('This is not for you to see').waitFor()
    expect(await page.getByRole('heading', { name: 'Archives' }).count()).toBe(0)
  })
})

test('a name that looks like script is shown as it is wherever it is asked about, and runs nothing', async () => {
  const id = await stay.workspace(PLANTED)
  await act(id, { action: 'archive' })
  const opened = await settings(id)
  const { page } = opened
  await page.getByRole('button', { name: /^Roll back to/ }).click()
  await page.getByLabel(`Type ${PLANTED} to go on`).fill(PLANTED)
  await press(page, 'Roll it back')
  await page.getByText('This workspace is archived').waitFor({ state: 'detached' })
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opened)
})
