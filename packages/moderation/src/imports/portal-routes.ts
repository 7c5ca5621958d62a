import { type AppContext, type Rule, requireVerification } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { toBase64BodyLimit } from '../base64-codec.ts'
import { cancelImport, getImport, listImportIssues, listImports } from './manage.ts'
import {
  ImportIdRequest,
  ImportIssuesQuery,
  ImportIssuesResponse,
  ImportPartRequest,
  ImportRequest,
  ImportResponse,
  ImportsQuery,
  ImportsResponse,
  MAX_PART_BYTES,
} from './model.ts'
import { addImportPart, applyDryRun, beginImport } from './start.ts'

const rule: Rule = { caller: 'session', permission: 'moderation.import' }
const startRule: Rule = { ...requireVerification(rule), writesTo: 'moderation', storage: 'optional' }
/** A piece in base64, and the other fields. */
const partRule: Rule = {
  ...rule,
  writesTo: 'moderation',
  storage: 'optional',
  bodyLimit: toBase64BodyLimit(MAX_PART_BYTES),
  rejectsIdempotencyKey: true,
}
const responses = { 200: ImportResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') }

/** `/portal/api/imports`: imports of records from other tools. */
export const importPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'imports-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/imports', async ({ actor, query }) => listImports(app.db.read, actor, query), {
      permission: rule,
      query: ImportsQuery,
      response: { 200: ImportsResponse, ...errorResponses('missing_workspace_id') },
      detail: { summary: 'List the imports of the workspace' },
    })
    .get('/portal/api/imports/import', async ({ actor, query }) => getImport(app.db.read, actor, query), {
      permission: rule,
      query: ImportIdRequest,
      response: { 200: ImportResponse, ...errorResponses('missing_workspace_id', 'not_found') },
      detail: { summary: 'Get an import' },
    })
    .get(
      '/portal/api/imports/issues',
      async ({ actor, query }) => listImportIssues(app.db.read, actor, query),
      {
        permission: rule,
        query: ImportIssuesQuery,
        response: { 200: ImportIssuesResponse, ...errorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'List what became of the entries of a file' },
      },
    )
    .post(
      '/portal/api/imports',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => beginImport(tx, app, actor, body)),
      {
        permission: startRule,
        query: workspaceQuery,
        body: ImportRequest,
        response: responses,
        detail: { summary: 'Begin an import, whose file is sent in pieces' },
      },
    )
    .post(
      '/portal/api/imports/part',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => addImportPart(tx, app.ports, actor, body)),
      {
        permission: partRule,
        query: workspaceQuery,
        body: ImportPartRequest,
        response: responses,
        detail: { summary: 'Send the next piece of the file' },
      },
    )
    .post(
      '/portal/api/imports/apply',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => applyDryRun(tx, app.ports, actor, body)),
      {
        permission: startRule,
        query: workspaceQuery,
        body: ImportIdRequest,
        response: responses,
        detail: { summary: 'Import the file of a dry run' },
      },
    )
    .post(
      '/portal/api/imports/cancel',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => cancelImport(tx, app.ports, actor, body)),
      {
        permission: { ...rule, allowWhenArchived: true },
        query: workspaceQuery,
        body: ImportIdRequest,
        response: responses,
        detail: { summary: 'Cancel an import' },
      },
    )
