import { waitForJob } from '../../support/workspace-jobs.ts'
import { type LoadContext, type Prepared, repeatAction, type Scenario } from '../scenario.ts'
import { sendOk } from '../support/requests.ts'

/** Changes the large workspace, or creates one from its archive. Waits for the job that does it. */
async function changeWorkspace({ url, dataset }: LoadContext, body: object) {
  const as = { workspace: dataset.large, kind: 'session' } as const
  const response = await sendOk(url, { path: '/api/workspaces', body, as })
  const job = await waitForJob(
    response,
    async (id) => [(await sendOk(url, { path: `/api/workspaces?id=${id}`, as })).job],
    Number.POSITIVE_INFINITY,
  )
  if (job !== null && job.state !== 'succeeded') throw new Error(`the job has ${job.state}: ${job.error}`)
  return response
}

const archiveLarge = async (context: LoadContext): Promise<string> =>
  (await changeWorkspace(context, { id: context.dataset.large.workspaceId, archive: 'true' })).archive.id

const restoreLarge = (context: LoadContext) =>
  changeWorkspace(context, { id: context.dataset.large.workspaceId, archive: 'false' })

/** Archives the large workspace, and makes it active again. @returns the archive */
async function createArchive(context: LoadContext): Promise<string> {
  const archiveId = await archiveLarge(context)
  await restoreLarge(context)
  return archiveId
}

const archive: Scenario = {
  name: 'archive',
  title: 'archive of a large workspace',
  async run(context) {
    const count = await repeatAction(context, async () => {
      await createArchive(context)
    })
    return `${count} archives`
  },
}

const copy: Scenario = {
  name: 'copy',
  title: 'copy of a large workspace',
  prepare: async (context): Promise<Prepared> => ({ archiveId: await createArchive(context) }),
  async run(context, { archiveId }) {
    const count = await repeatAction(context, async (index) => {
      await changeWorkspace(context, { fromArchive: archiveId, groupName: `Copy ${index}` })
    })
    return `${count} copies`
  },
}

const rollback: Scenario = {
  name: 'roll-back',
  title: 'roll-back of a large workspace',
  prepare: async (context): Promise<Prepared> => ({ archiveId: await createArchive(context) }),
  async run(context, { archiveId }) {
    const id = context.dataset.large.workspaceId
    const count = await repeatAction(context, async () => {
      await archiveLarge(context)
      await changeWorkspace(context, { id, fromArchive: archiveId })
    })
    return `${count} roll-backs`
  },
}

/** Work on a whole workspace. */
export const workspaceScenarios: readonly Scenario[] = [archive, copy, rollback]
