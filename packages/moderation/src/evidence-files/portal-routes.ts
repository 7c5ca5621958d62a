import type { AppContext, Rule } from '@reeve/auth'
import { MAX_EVIDENCE_FILE_BYTES, requireFields } from '@reeve/core'
import { errorResponses, readContentLength, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { RecordResponse } from '../records/model.ts'
import { assertCanAttach, attachEvidenceFile, removeEvidenceFile } from './attach.ts'
import { downloadEvidenceFile } from './download.ts'
import {
  EvidenceDownloadQuery,
  EvidenceRemovalQuery,
  EvidenceUploadQuery,
  EvidenceUploadResponse,
} from './model.ts'
import { uploadPendingFile } from './pending.ts'

const PATH = '/portal/api/moderation/evidence-files'

const evidenceRule: Rule = {
  caller: 'session',
  permission: 'moderation.evidence',
  writesTo: 'moderation',
}

/** `/portal/api/moderation/evidence-files`: uploads, downloads and removes files of records. */
export const evidenceFilePortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'evidence-files-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      PATH,
      async ({ actor, requestContext, query, request }) => {
        const { name } = requireFields(query, 'name')
        const { id } = query
        if (id !== undefined) await assertCanAttach(app.db.read, actor, id)
        const announced = readContentLength(request) ?? 0
        await app.storage.assertFits(
          app.db.read,
          actor.workspaceId,
          Math.min(announced, MAX_EVIDENCE_FILE_BYTES),
        )
        const sender = { id: actor.id, isAuthenticated: true, rejection: null }
        return app.files.receive(request, MAX_EVIDENCE_FILE_BYTES, sender, async (bytes) => {
          // Receiving can take minutes.
          await requestContext.assertStillAuthorized()
          return id === undefined
            ? uploadPendingFile(app, actor, requestContext, { name, bytes })
            : attachEvidenceFile(app, actor, requestContext, { id, name, bytes })
        })
      },
      {
        permission: { ...evidenceRule, storage: 'optional', streamsBody: true },
        query: EvidenceUploadQuery,
        response: {
          200: EvidenceUploadResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found'),
        },
        detail: {
          summary: 'Attach a file, which is the body of the request, to a record, or upload it for a new one',
        },
      },
    )
    .get(
      PATH,
      async ({ actor, query }) => downloadEvidenceFile(app, actor, requireFields(query, 'fileId').fileId),
      {
        permission: { ...evidenceRule, rejectsCrossSite: true },
        query: EvidenceDownloadQuery,
        response: errorResponses('missing_workspace_id', 'not_found'),
        detail: { summary: 'Download a file of a record' },
      },
    )
    .delete(
      PATH,
      async ({ actor, requestContext, query }) =>
        removeEvidenceFile(app, actor, requestContext, requireFields(query, 'id', 'fileId')),
      {
        permission: evidenceRule,
        query: EvidenceRemovalQuery,
        response: {
          200: RecordResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Remove a file from a record' },
      },
    )
