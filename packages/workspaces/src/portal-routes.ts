import { type AppContext, type Rule, requireVerification, SCAN_COST } from '@reeve/auth'
import { matchesIfNoneMatch, wire } from '@reeve/core'
import { errorResponses, inputField, requestObject, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { countContent } from './archive/counts.ts'
import { openArchiveFile, prepareDownload, recordDownload } from './archive-download.ts'
import { deleteArchive } from './delete-archive.ts'
import { updateWorkspaceDetails } from './details.ts'
import { JobResponse } from './jobs/model.ts'
import {
  ArchiveResponse,
  ContentResponse,
  ReadSecondFactorPolicyResponse,
  SecondFactorPolicyRequest,
  SecondFactorPolicyResponse,
  WorkspaceDetailsRequest,
  WorkspaceResponse,
} from './model.ts'
import { readSecondFactorPolicy, setSecondFactorPolicy } from './second-factor-policy.ts'

const ArchiveQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The archive'),
})

const ContentQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

/** `/portal/api/content`: the contents of a workspace, shown before it is archived. */
export const workspaceContent = (app: AppContext) =>
  new Elysia({ name: 'workspace-content', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/content', async ({ actor }) => countContent(app.db.read, actor), {
      permission: { caller: 'session', permission: 'workspace.view', cost: SCAN_COST },
      query: ContentQuery,
      response: { 200: ContentResponse, ...errorResponses('missing_workspace_id') },
      detail: { summary: 'Count the contents of the workspace' },
    })

/** `/portal/api/workspace`: the name and the settings of a workspace. */
export const workspaceDetails = (app: AppContext) =>
  new Elysia({ name: 'workspace-details', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .patch(
      '/portal/api/workspace',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          updateWorkspaceDetails(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: { caller: 'session', permission: 'workspace.rename', writesTo: 'workspaces' },
        query: workspaceQuery,
        body: WorkspaceDetailsRequest,
        response: {
          200: WorkspaceResponse,
          ...writeErrorResponses('missing_workspace_id', 'version_mismatch'),
        },
        detail: { summary: 'Change the name, the profile link or the default platform of the workspace' },
      },
    )

const policyRule: Rule = { caller: 'session', permission: null }

/** `/portal/api/second-factor-policy`: of whom a workspace requires a second factor. The service requires the rank of the owner. */
export const secondFactorPolicyRoutes = (app: AppContext) =>
  new Elysia({ name: 'second-factor-policy', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/second-factor-policy',
      async ({ actor }) => readSecondFactorPolicy(app.db.read, actor),
      {
        permission: { ...policyRule, cost: SCAN_COST },
        query: ContentQuery,
        response: { 200: ReadSecondFactorPolicyResponse, ...errorResponses('missing_workspace_id') },
        detail: { summary: 'Get of whom the workspace requires a second factor' },
      },
    )
    .patch(
      '/portal/api/second-factor-policy',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => setSecondFactorPolicy(tx, app.ports, actor, body)),
      {
        permission: requireVerification(policyRule),
        query: workspaceQuery,
        body: SecondFactorPolicyRequest,
        response: { 200: SecondFactorPolicyResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Decide of whom the workspace requires a second factor' },
      },
    )

const archiveRule = requireVerification({ caller: 'session', permission: 'workspace.archive' })
/** An archived workspace can be downloaded, and its archives deleted. */
const manageArchiveRule: Rule = { ...archiveRule, allowWhenArchived: true }

/** `/portal/api/archive`: downloads or deletes an archive. */
export const archiveRoutes = (app: AppContext) =>
  new Elysia({ name: 'archives', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/archive/download',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => prepareDownload(tx, app, actor, body)),
      {
        permission: manageArchiveRule,
        query: workspaceQuery,
        body: ArchiveQuery,
        response: { 200: JobResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Prepare the download of an archive' },
      },
    )
    .get(
      '/portal/api/archive',
      async ({ actor, query, request, set }) => {
        const file = await openArchiveFile(app.db, app.ports, actor, query)
        const etag = `"${file.sha256}"`
        set.headers.etag = etag
        // A 304 sends no data, so the portal can check access this way before it follows the download link.
        if (matchesIfNoneMatch(request, etag)) return new Response(null, { status: 304 })
        await recordDownload(app.db, app.ports, actor, query.id ?? '', file)
        return new Response(file.bytes(), {
          headers: {
            'content-type': 'application/zstd',
            'content-disposition': `attachment; filename="${file.name}"`,
          },
        })
      },
      {
        permission: { ...archiveRule, rejectsCrossSite: true },
        query: ArchiveQuery,
        response: errorResponses('missing_workspace_id', 'not_found', 'conflict'),
        detail: { summary: 'Download an archive' },
      },
    )
    .delete(
      '/portal/api/archive',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => deleteArchive(tx, app.ports, actor, query)),
      {
        permission: manageArchiveRule,
        query: ArchiveQuery,
        response: { 200: ArchiveResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Delete an archive' },
      },
    )
