import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { archiveWorkspace, createWorkspaceRequests } from '../contract/workspaces/fixture.ts'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
} from '../support/browser.ts'
import { fillIn, pressButton, WAIT_MS, waitForHeading } from '../support/page-actions.ts'

setDefaultTimeout(60_000)

const NAME = 'Harbour staff'

let server: InstanceServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([openInstanceServer({ workspaceJobsPerDay: 2 }), openBrowser()])
})
afterAll(() => Promise.all([browser.close(), server.close()]))

/** Opens the settings of a workspace that has started as many jobs as allowed: the last one 18 hours after the first. */
async function openSettingsAtLimit(isArchived: boolean): Promise<Page> {
  const { instance, origin } = server
  const workspace = await instance.workspace(NAME)
  const { workspaces } = createWorkspaceRequests(instance, workspace)
  await archiveWorkspace(instance, workspace)
  instance.clock.advance(18 * 60 * 60_000)
  await workspaces({ id: workspace.id, archive: false })
  await archiveWorkspace(instance, workspace)
  if (!isArchived) await workspaces({ id: workspace.id, archive: false })
  const cookie = { name: 'reeve_session', value: workspace.ownerSession, url: origin, httpOnly: true }
  const { page } = await openTab(browser.reused, `${origin}/w/${workspace.id}/configuration/workspace`, {}, [
    cookie,
  ])
  page.setDefaultTimeout(WAIT_MS)
  await waitForHeading(page, 'Workspace')
  return page
}

const EXPLANATION =
  'This workspace has started 2 jobs in the last 24 hours, which is the limit for archives, copies, roll-backs and ' +
  'downloads together. Try again in 6 hours. An operator of this instance can raise the limit (REEVE_WORKSPACE_JOBS_PER_DAY).'

test('at the daily limit of jobs, the archive, the copy, the download and the roll-back say the limit, how long to wait and who can raise it', async () => {
  const page = await openSettingsAtLimit(false)
  await pressButton(page, 'Archive…')
  await pressButton(page, 'Archive workspace')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('alert').getByText(EXPLANATION).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page
    .getByRole('button', { name: /^New workspace from/ })
    .first()
    .click()
  await dialog.getByLabel('Group name').fill('Second house')
  await pressButton(page, 'Create workspace')
  await dialog.getByRole('alert').getByText(EXPLANATION).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page
    .getByRole('button', { name: /^Download the archive of/ })
    .first()
    .click()
  await page.getByRole('alert').getByText(EXPLANATION).waitFor()
  const archived = await openSettingsAtLimit(true)
  await archived
    .getByRole('button', { name: /^Roll back to/ })
    .last()
    .click()
  await fillIn(archived, { [`Type ${NAME} to confirm`]: NAME })
  await pressButton(archived, 'Roll back')
  await archived.getByRole('dialog').getByRole('alert').getByText(EXPLANATION).waitFor()
})
