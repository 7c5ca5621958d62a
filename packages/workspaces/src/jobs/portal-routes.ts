import type { AppContext } from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { cancelJob } from './end-job.ts'
import { listJobs } from './list-jobs.ts'
import { JobRequest, JobResponse, JobsQuery, JobsResponse, presentJob } from './model.ts'

/** `/portal/api/jobs`: the jobs of a workspace. */
export const workspaceJobs = (app: AppContext) =>
  new Elysia({ name: 'workspace-jobs', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/jobs', async ({ actor, query }) => listJobs(app.db.read, actor, query), {
      permission: { caller: 'session', permission: 'workspace.view' },
      query: JobsQuery,
      response: { 200: JobsResponse, ...errorResponses('missing_workspace_id') },
      detail: { summary: 'List the jobs of the workspace' },
    })
    .post(
      '/portal/api/jobs/cancel',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, async (tx) => {
          const { id } = requireFields(body, 'id')
          return { job: await presentJob(tx, await cancelJob(tx, app.ports, actor, id)) }
        }),
      {
        // The kind of the job decides which permission is required.
        permission: { caller: 'session', permission: null, allowWhenArchived: true },
        query: workspaceQuery,
        body: JobRequest,
        response: { 200: JobResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Cancel a job' },
      },
    )
