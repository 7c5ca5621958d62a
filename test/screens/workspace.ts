import type { Page } from 'playwright-core'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const OWNER_NAME = 'aspen'
const NEW_OWNER = 'birch'
const workspaceIds = new Map<string, string>()
const path = (groupName: string) => () => `/w/${workspaceIds.get(groupName)}/configuration/workspace`

/** An active workspace with archives, and an archived one. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(OWNER_NAME)
  const session = await server.session(OWNER_NAME)
  for (const groupName of ['Harbour Watch', 'Winter Break']) {
    const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    const { id } = body.workspace
    workspaceIds.set(groupName, id)
    const act = (action: string) =>
      server.requestOk('POST', '/api/workspaces', { session, body: { id, action } })
    const note = (userId: string) =>
      server.requestOk('POST', '/api/moderation', {
        session,
        body: { workspaceId: id, action: 'note', userId, reason: 'Asked for help' },
      })
    if (groupName === 'Harbour Watch')
      await server.createMember({ workspaceId: id, session }, NEW_OWNER, ['moderation.view'])
    for (const userId of ['1', '2', '3']) await note(userId)
    await act('archive')
    await act('restore')
    for (const userId of ['4', '5']) await note(userId)
    await act('archive')
    if (groupName === 'Harbour Watch') await act('restore')
  }
}

const as = ({ server }: ScreenContext) => server.session(OWNER_NAME)
const heading = 'Workspace'

/** A job at a step, as the API describes it. */
const rollBackJob = {
  id: '0198c0de-0000-7000-8000-000000000001',
  kind: 'roll_back',
  state: 'running',
  step: 'compare',
  progress: '0.567',
  jobsAhead: '0',
  canBeCancelled: 'true',
  archiveId: null,
  newArchiveId: null,
  newWorkspaceId: null,
  error: null,
  finishedAt: null,
}

/** Opens the screen again while a job is at a step, which takes milliseconds. */
async function showJob(page: Page, changes: object, text: string): Promise<void> {
  const jobs = [{ ...rollBackJob, createdAt: new Date(), startedAt: new Date(), ...changes }]
  await page.route('**/portal/api/jobs?*', (route) => route.fulfill({ json: { jobs, nextCursor: null } }))
  await page.reload()
  await page.getByText(text).first().waitFor()
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .waitFor()
}

/** The workspace settings. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'workspace',
      path: path('Harbour Watch'),
      heading,
      as,
      arrange: (page) =>
        page
          .getByRole('button', { name: /^Download/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-archived',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) =>
        page
          .getByRole('button', { name: /^Roll back/ })
          .first()
          .waitFor(),
    },
    {
      name: 'workspace-job',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) => showJob(page, {}, 'Comparing with the archive · 56%'),
    },
    {
      name: 'workspace-job-final',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) =>
        showJob(page, { step: 'apply', canBeCancelled: 'false' }, 'this can no longer be cancelled'),
    },
    {
      name: 'workspace-job-queued',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) =>
        showJob(page, { state: 'queued', progress: '0', jobsAhead: '2' }, 'Waiting for 2 other jobs'),
    },
    {
      name: 'workspace-job-cancel',
      path: path('Winter Break'),
      heading,
      as,
      async arrange(page) {
        await showJob(page, {}, 'Comparing with the archive')
        await pressButton(page, 'Cancel the roll-back')
        await page.getByRole('dialog').getByText('The workspace stays archived').waitFor()
      },
    },
    {
      name: 'workspace-job-failed',
      path: path('Winter Break'),
      heading,
      as,
      arrange: (page) =>
        showJob(
          page,
          { state: 'failed', finishedAt: new Date(), error: 'The archive is damaged. Nothing was changed.' },
          'The archive is damaged.',
        ),
    },
    {
      name: 'workspace-delete-archive',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await page
          .getByRole('button', { name: /^Delete/ })
          .first()
          .click()
        await page.getByRole('dialog').getByText('This frees').waitFor()
      },
    },
    {
      name: 'workspace-archive',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await pressButton(page, 'Archive…')
        await page.getByRole('dialog').getByText('earlier case versions').waitFor()
      },
    },
    {
      name: 'workspace-roll-back',
      path: path('Winter Break'),
      heading,
      as,
      async arrange(page) {
        await page
          .getByRole('button', { name: /^Roll back/ })
          .last()
          .click()
        await page
          .getByRole('dialog')
          .getByText('The workspace stays read-only until the roll-back is complete')
          .waitFor()
      },
    },
    {
      name: 'workspace-copy',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await page
          .getByRole('button', { name: /^New workspace/ })
          .first()
          .click()
        await page.getByRole('dialog').getByLabel('Group name').waitFor()
      },
    },
    {
      name: 'workspace-transfer',
      path: path('Harbour Watch'),
      heading,
      as,
      async arrange(page) {
        await pressButton(page, 'Transfer ownership…')
        await page.getByRole('combobox', { name: 'New owner' }).click()
        await page.getByRole('option', { name: NEW_OWNER }).click()
      },
    },
    {
      name: 'workspace-not-for-you',
      path: path('Harbour Watch'),
      heading,
      as: ({ server }) => server.session(NEW_OWNER),
    },
  ],
}
