import { expect } from 'bun:test'
import type { Instance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import {
  archiveWorkspace,
  createFilledWorkspace,
  createWorkspaceRequests,
  type Workspace,
} from './fixture.ts'

/** A job that has been requested and not started. */
export interface QueuedJob {
  readonly workspace: Workspace
  readonly id: string
  readonly body: Record<string, { id: string; workspaceId: string }>
}

/** A workspace with an archive and later changes of every kind, archived again. */
async function createChangedWorkspace(instance: Instance) {
  const workspace = await createFilledWorkspace(instance)
  const requests = createWorkspaceRequests(instance, workspace)
  const archive = await archiveWorkspace(instance, workspace)
  await instance.runJobs()
  await requests.workspaces({ id: workspace.id, archive: false })
  await requests.setEndpointControl('events', 'on')
  await requests.moderate({ action: 'unban', userId: '6' })
  await requests.moderate({ action: 'ban', userId: '4', reason: 'Again', userUsername: 'Later' })
  await requests.moderate({ action: 'ban', userId: '3', reason: 'Another' })
  const note = await requests.moderate({ action: 'note', userId: '1', reason: 'Later' })
  await requests.moderate({ action: 'comment', id: note.id, value: 'Later' })
  await requests.writeEvent({ title: 'Later', scheduledFor: '2099-03-01T18:00:00.000Z' })
  await requests.writeDepartment({ name: 'Later' })
  await requests.workspaces({ id: workspace.id, archive: true })
  await instance.runJobs()
  return { workspace, archive }
}

/** Requests a job of each kind. The instance must have `finishesJobs: false`. */
export const queueJob = {
  async archive(instance: Instance): Promise<QueuedJob> {
    const workspace = await createFilledWorkspace(instance)
    return send(instance, workspace, { id: workspace.id, archive: true })
  },
  async copy(instance: Instance): Promise<QueuedJob> {
    const { workspace, archive } = await createChangedWorkspace(instance)
    return send(instance, workspace, { fromArchive: archive.id })
  },
  async roll_back(instance: Instance): Promise<QueuedJob> {
    const { workspace, archive } = await createChangedWorkspace(instance)
    return send(instance, workspace, { id: workspace.id, fromArchive: archive.id })
  },
  async download(instance: Instance): Promise<QueuedJob> {
    const workspace = await createFilledWorkspace(instance)
    // Texts that are redacted at the time of an archive could be in it.
    instance.clock.advance(1000)
    const archive = await archiveWorkspace(instance, workspace)
    await instance.runJobs()
    const response = await instance.request('POST', '/portal/api/archive/download', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, id: archive.id },
    })
    expect(response.status, response.text).toBe(200)
    return { workspace, id: response.body.job.id, body: response.body }
  },
}

async function send(instance: Instance, workspace: Workspace, body: Record<string, unknown>) {
  const credentials = body.id ? { key: workspace.key } : { session: workspace.ownerSession }
  const response = await createWorkspaceRequests(instance, workspace).workspaces(body, credentials)
  expect(response.status, response.text).toBe(200)
  return { workspace, id: response.body.job.id, body: response.body }
}

export const cancelJob = (instance: Instance, { workspace, id }: QueuedJob) =>
  instance.request('POST', '/portal/api/jobs/cancel', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, id },
  })

/** All stored rows but those that every job changes: the jobs, audit entries and the workspace. */
export async function readContentRows(instance: Instance) {
  const {
    job: _,
    workspace_job: __,
    audit: ___,
    workspace_head: ____,
    workspace: _____,
    ...rows
  } = await readStoredRows(instance)
  return rows
}
