import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { archiveWorkspace, createWorkspaceRequests, type Workspace } from '../contract/workspaces/fixture.ts'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { idLiteral } from '../support/engine.ts'
import { ARCHIVED, expectBlocked, fillIn, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { readLastJob, runJobUntil } from '../support/workspace-jobs.ts'

const NAME = 'Harbour staff'
const SETTINGS = '/configuration/workspace'

const server = useInstancePerTest({ finishesJobs: false })

/** Opens a screen of a workspace as its owner, or as somebody else. */
async function openScreen(workspace: Workspace, path = SETTINGS, session = workspace.ownerSession) {
  const tab = await server.openScreen(`/w/${workspace.id}${path}`, { session })
  if (path === SETTINGS) {
    await waitForHeading(tab.page, 'Workspace')
    await tab.page.getByRole('list', { name: 'Archives' }).or(tab.page.getByText('No archives yet')).waitFor()
  }
  return tab
}

/** A workspace with a record, an archive of it and, since then, a second record. */
async function createWorkspaceWithArchive() {
  const { instance } = server
  const workspace = await instance.workspace(NAME)
  const requests = createWorkspaceRequests(instance, workspace)
  await requests.moderate({ action: 'ban', userId: '1', reason: 'Spam' })
  const archive = await archiveWorkspace(instance, workspace)
  await requests.workspaces({ id: workspace.id, archive: false })
  await requests.moderate({ action: 'unban', userId: '1' })
  return { workspace, archive, requests }
}

async function createArchivedWorkspace() {
  const created = await createWorkspaceWithArchive()
  await archiveWorkspace(server.instance, created.workspace)
  return created
}

const dialog = (page: Page) => page.getByRole('dialog')
const progressBar = (page: Page, name = 'Rolling this workspace back') =>
  page.getByRole('progressbar', { name, exact: true })
const rowProgressBar = (page: Page) =>
  page.getByRole('listitem').getByRole('progressbar', { name: /^Preparing the archive of/ })

/** Waits until a progress bar has a value in words. */
async function waitForProgress(page: Page, name: string, text: string): Promise<void> {
  await progressBar(page, name)
    .and(page.locator(`[aria-valuetext^="${text}"]`))
    .waitFor()
  await page.getByText(text).first().waitFor()
}

async function rollBack(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: /^Roll back to/ })
  await buttons.last().click()
  await fillIn(page, { [`Type ${NAME} to confirm`]: NAME })
  await pressButton(page, 'Roll back')
}

const openMember = async (workspace: Workspace, permissions: readonly Permission[], path = SETTINGS) =>
  openScreen(workspace, path, (await server.instance.member(workspace.id, permissions)).session)

describe('a job', () => {
  test('shows its step and its progress, to other staff and after a reload too, until it ends', async () => {
    const { workspace } = await createArchivedWorkspace()
    const tab = await openScreen(workspace)
    const onlooker = await openMember(workspace, ['workspace.view'])
    const pages = [tab.page, onlooker.page]
    await rollBack(tab.page)
    const name = 'Rolling this workspace back'
    for (const page of pages) await waitForProgress(page, name, 'Starting')
    await runJobUntil(server.instance, workspace, 'compare')
    for (const page of pages) await waitForProgress(page, name, 'Comparing with the archive · 50%')
    expect(await onlooker.page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
    await expectBlocked(tab.page, 'Restore…', 'Wait for the roll-back to finish, or cancel it.')
    await tab.page.reload()
    await waitForProgress(tab.page, name, 'Comparing with the archive · 50%')
    await runJobUntil(server.instance, workspace, 'apply')
    await tab.page.getByText('this can no longer be cancelled').waitFor()
    expect(await tab.page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
    await server.instance.runJobs()
    for (const page of pages) {
      await progressBar(page).waitFor({ state: 'detached' })
      await page.getByRole('alert').getByText(ARCHIVED).waitFor({ state: 'detached' })
    }
    await expectNoPageErrors(tab)
  })

  test('says how many jobs of other workspaces run before it', async () => {
    const other = await server.instance.workspace()
    await createWorkspaceRequests(server.instance, other).workspaces({ id: other.id, archive: true })
    const workspace = await server.instance.workspace(NAME)
    const { page } = await openScreen(workspace)
    await pressButton(page, 'Archive…')
    await pressButton(page, 'Archive workspace')
    await waitForProgress(page, 'Archiving this workspace', 'Waiting for 1 other job')
    await server.instance.runJobs()
    await page.getByText(`Archived ${NAME}.`).waitFor()
    await page.getByRole('button', { name: /^Download the archive of/ }).waitFor()
  })

  test('is cancelled after confirmation: the workspace is active again, and there is no archive', async () => {
    const workspace = await server.instance.workspace(NAME)
    const { page } = await openScreen(workspace)
    await pressButton(page, 'Archive…')
    await pressButton(page, 'Archive workspace')
    await rowProgressBar(page).waitFor()
    await pressButton(page, 'Cancel the archive')
    await dialog(page).getByText('The workspace becomes active again, and the unfinished archive').waitFor()
    // The page hears of it before it has the response.
    await page.route('**/portal/api/jobs/cancel', async (route) => {
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
      const response = await route.fetch({ headers })
      await rowProgressBar(page).waitFor({ state: 'detached' })
      await route.fulfill({ response })
    })
    await pressButton(page, 'Stop archiving')
    await page.getByText('Cancelled the archive.').waitFor()
    await page.getByText('No archives yet').waitFor()
    await page.getByRole('button', { name: 'Archive…', disabled: false }).waitFor()
    expect(await page.getByText('Someone cancelled').count()).toBe(0)
  })

  test('that changes the workspace since the dialog was opened is not cancelled, with the reason', async () => {
    const { workspace } = await createArchivedWorkspace()
    const { page } = await openScreen(workspace)
    await rollBack(page)
    await progressBar(page).waitFor()
    await runJobUntil(server.instance, workspace, 'compare')
    await pressButton(page, 'Cancel the roll-back')
    await runJobUntil(server.instance, workspace, 'apply')
    await pressButton(page, 'Stop rolling back')
    await dialog(page).getByText('The roll-back has begun to change the workspace').waitFor()
    await server.instance.runJobs()
    await page.getByText(`Rolled ${NAME} back to`).waitFor()
  })

  test('that somebody else cancels says so to the person who started it', async () => {
    const { workspace } = await createArchivedWorkspace()
    const { page } = await openScreen(workspace)
    await rollBack(page)
    const { page: colleague } = await openMember(workspace, ['workspace.view', 'workspace.restore'])
    await pressButton(colleague, 'Cancel the roll-back')
    await pressButton(colleague, 'Stop rolling back')
    await page.getByText('Someone cancelled the roll-back.').waitFor()
  })

  test('that fails says what failed and what to do, also after a reload', async () => {
    const { workspace, archive } = await createArchivedWorkspace()
    const { page } = await openScreen(workspace)
    await server.instance.storage.query(
      `update archive set sha256 = 'other' where id = ${idLiteral(archive.id)}`,
    )
    await rollBack(page)
    await progressBar(page).waitFor()
    await server.instance.runJobs()
    await page.getByRole('alert').getByText('The archive is damaged').waitFor()
    await page.reload()
    const result = page.getByRole('status').filter({ hasText: 'Rolling this workspace back: failed' })
    await result.getByText('try again, use another archive, or restore it').waitFor()
    await result.getByRole('button', { name: 'Close' }).click()
    await result.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore…', disabled: false }).waitFor()
  })
})

describe('a copy', () => {
  test('that is complete while its owner is on another screen says so there, and opens', async () => {
    const { workspace } = await createWorkspaceWithArchive()
    const { page } = await openScreen(workspace)
    await page.getByRole('button', { name: /^New workspace from/ }).click()
    await dialog(page).getByLabel('Group name').fill('Second house')
    await pressButton(page, 'Create workspace')
    await progressBar(page, 'Creating a workspace from an archive').waitFor()
    await page.getByRole('button', { name: /switch workspace/ }).click()
    await page.getByRole('option', { name: 'All your workspaces' }).click()
    await waitForHeading(page, 'Your workspaces')
    await server.instance.runJobs()
    await page.getByText('Created Second house. You are the owner.').waitFor()
    await pressButton(page, 'Open')
    await waitForHeading(page, 'Second house')
    const { page: later } = await openScreen(workspace)
    await later.getByRole('link', { name: 'Open Second house' }).click()
    await waitForHeading(later, 'Second house')
  })
})

describe('an archive', () => {
  test('is prepared, then saved, and offered again without another job', async () => {
    const { workspace } = await createWorkspaceWithArchive()
    const { page } = await openScreen(workspace)
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    await rowProgressBar(page).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), server.instance.runJobs()])
    expect(download.suggestedFilename()).toStartWith('harbour-staff-')
    const { id } = await readLastJob(server.instance, workspace)
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Save the archive of/ }).click(),
    ])
    expect((await readLastJob(server.instance, workspace)).id).toBe(id)
    server.instance.clock.advance(60 * 60_000)
    await page.reload()
    await page.getByRole('button', { name: /^Download the archive of/ }).waitFor()
  })

  test('that is prepared while its owner is on another screen is offered there', async () => {
    const { workspace } = await createWorkspaceWithArchive()
    const { page } = await openScreen(workspace)
    await page.getByRole('button', { name: /^Download the archive of/ }).click()
    await page.getByRole('progressbar').first().waitFor()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await waitForHeading(page, NAME)
    await server.instance.runJobs()
    await page.getByText('The archive can be downloaded.').waitFor()
    await Promise.all([page.waitForEvent('download'), pressButton(page, 'Save')])
  })

  test('is deleted after its name is typed, which says how much space that frees', async () => {
    const { workspace } = await createWorkspaceWithArchive()
    const { page } = await openScreen(workspace)
    await page.getByRole('button', { name: /^Delete the archive of/ }).click()
    await dialog(page)
      .getByText(/^This frees [\d.]+ (bytes|kB)/)
      .waitFor()
    const submitButton = page.getByRole('button', { name: 'Delete archive', exact: true })
    expect(await submitButton.isDisabled()).toBe(true)
    await fillIn(page, { [`Type ${NAME} to confirm`]: NAME })
    await submitButton.click()
    await page.getByText('No archives yet').waitFor()
    await page.getByText(/^Deleted the archive of/).waitFor()
  })

  test('cannot be deleted or used while a job runs, with the reason', async () => {
    const { workspace } = await createArchivedWorkspace()
    const { page } = await openScreen(workspace)
    await rollBack(page)
    await progressBar(page).waitFor()
    for (const action of ['Delete', 'Download', 'New workspace from', 'Roll back to']) {
      const button = page
        .getByRole('button', { name: RegExp(`^${action} the archive of`), disabled: true })
        .first()
      await button.waitFor()
      const reason = page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`)
      expect(await reason.textContent()).toBe('Wait for the roll-back to finish, or cancel it.')
    }
  })
})

test('the banner of an archived workspace says that it is being rolled back, and leads to the progress', async () => {
  const { workspace, archive, requests } = await createArchivedWorkspace()
  const { page } = await openMember(workspace, ['workspace.view', 'moderation.view'], '/moderation')
  const banner = page.getByRole('alert').filter({ hasText: ARCHIVED })
  await banner.waitFor()
  await requests.workspaces({ id: workspace.id, fromArchive: archive.id })
  await banner.getByText('It is being rolled back to an archive').waitFor()
  await banner.getByRole('link', { name: 'See the progress' }).click()
  await progressBar(page).waitFor()
  await server.instance.runJobs()
  await banner.waitFor({ state: 'detached' })
})
