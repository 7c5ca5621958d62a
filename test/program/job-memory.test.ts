import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MAX_IMAGE_BYTES } from '@reeve/core'
import { populate, type WorkspaceCredentials } from '../faults/support/populate.ts'
import { LOAD_SERVER_ENV } from '../faults/support/server-settings.ts'
import { sendOk } from '../load/support/requests.ts'
import { watchMemory } from '../load/support/resources.ts'
import { createRandomPng, dataUrl } from '../support/images.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitForJob } from '../support/workspace-jobs.ts'

/** What the process may use whatever its users do. */
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024
const IMAGES = 20
const ROUNDS = 4

const folder = temporaryFolder()
let workspace: WorkspaceCredentials

const start = (): Promise<RunningServer> => startServer({ dataDir: folder.data, env: LOAD_SERVER_ENV })

/** Uploads events with images of the maximum size, which do not compress. */
async function uploadImages({ url }: RunningServer): Promise<void> {
  for (let index = 0; index < IMAGES; index++) {
    const image = createRandomPng(MAX_IMAGE_BYTES)
    const { workspaceId } = workspace
    const title = `Event ${index}`
    const scheduledFor = '2040-01-01T18:00:00.000Z'
    const body = { workspaceId, title, scheduledFor, imageDataUrl: dataUrl(image) }
    await sendOk(url, { path: '/api/events', body, as: { workspace, kind: 'key' } })
  }
}

/** Changes a workspace, and waits for the job that does it. */
async function change({ url }: RunningServer, body: object) {
  const as = { workspace, kind: 'session' } as const
  const response = await sendOk(url, { path: '/api/workspaces', body, as })
  const job = await waitForJob(response, async (id) => [
    (await sendOk(url, { path: `/api/workspaces?id=${id}`, as })).job,
  ])
  expect(job?.state ?? 'succeeded').toBe('succeeded')
  return response
}

beforeAll(async () => {
  const [created] = await populate(folder.data, 1)
  if (!created) throw new Error('no workspace was created')
  workspace = created
  const server = await start()
  await uploadImages(server)
  await server.stop()
}, 120_000)
afterAll(() => folder.remove())

test('archives, copies and roll-backs of a workspace with large images do not fill the memory', async () => {
  const server = await start()
  const memory = watchMemory(server.pid)
  const id = workspace.workspaceId
  for (let round = 0; round < ROUNDS; round++) {
    const { archive } = await change(server, { id, archive: 'true' })
    await change(server, { id, fromArchive: archive.id })
    await change(server, { fromArchive: archive.id, groupName: `Copy ${round}` })
  }
  expect(memory.stop().peak).toBeLessThan(MAX_RESIDENT_BYTES)
  await server.stop()
}, 180_000)
