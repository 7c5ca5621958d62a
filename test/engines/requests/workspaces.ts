import { endpoints } from '@reeve/core'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const profileUrls = [
  'https://example.com/Ä/{id}',
  'https://example.com/',
  'http://example.com/{id}',
  '',
  null,
]

export function generateWorkspaceRead(context: GeneratorContext): RequestTemplate {
  const { chance, pick } = context.random
  const { read, pickId, pickPageFields, withPrefix } = createRequestBuilder(context)
  const workspacesRequest = (query: Record<string, string>): RequestTemplate => ({
    method: 'GET',
    path: withPrefix('/workspaces'),
    query,
  })
  const pageQuery = Object.fromEntries(
    Object.entries(pickPageFields()).map(([name, value]) => [name, String(value)]),
  )
  return pick([
    () => workspacesRequest(pageQuery),
    () => workspacesRequest({ id: pickId('workspace') }),
    () =>
      workspacesRequest({
        ...pageQuery,
        archives: 'true',
        ...(chance(0.8) ? { id: pickId('workspace') } : {}),
      }),
    () => read('/portal/api/content'),
    () => read('/portal/api/archive', { id: pickId('archive') }),
    () => read('/portal/api/overview'),
  ])()
}

export function generateWorkspaceWrite(context: GeneratorContext): RequestTemplate {
  const { random, state, workspace } = context
  const { chance, pick, pickFields } = random
  const { withPrefix, pickId, write } = createRequestBuilder(context)
  const createAction = (body: object): RequestTemplate => ({
    method: 'POST',
    path: withPrefix('/workspaces'),
    body,
  })
  const groupName = pickName(random)
  const pickEither = (firstOption: object, secondOption: object) => ({
    id: pickId('workspace'),
    ...(chance(0.5) ? firstOption : secondOption),
  })
  // Restores are more frequent than archiving: an archived workspace rejects most other requests.
  const isArchived = state.isArchived(workspace.id)
  return random.pickWeighted<() => RequestTemplate>([
    [1, () => createAction({ groupName, ...(chance(0.5) ? { action: 'create' } : {}) })],
    [2, () => createAction({ groupName, ...pickEither({ action: 'rename' }, {}) })],
    [
      1,
      () =>
        write(
          'PATCH',
          '/portal/api/workspace',
          pickFields({
            groupName: [0.5, () => pickName(random)],
            profileUrl: [0.7, () => pick(profileUrls)],
          }),
        ),
    ],
    [isArchived ? 0.5 : 3, () => createAction(pickEither({ action: 'archive' }, { archive: true }))],
    [isArchived ? 6 : 0.7, () => createAction(pickEither({ action: 'restore' }, { archive: 'false' }))],
    [isArchived ? 6 : 0.7, () => createAction({ fromArchive: pickId('archive'), id: pickId('workspace') })],
    [1.5, () => createAction({ fromArchive: pickId('archive'), groupName })],
    [0.3, () => createAction({ action: pick(['create', 'archive']), id: pickId('workspace'), groupName })],
  ])()
}

/** Changes and reads of endpoint controls, and changes of the quota. */
export function generateControlRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick } = random
  const { write, read, withPrefix, workspaceId } = createRequestBuilder(context)
  const changeControl = () =>
    write('POST', '/portal/api/endpoint-controls', {
      endpoint: pick([...endpoints, 'nothing']),
      mode: random.pickWeighted([
        [16, 'on'],
        [1, 'read_only'],
        [1, 'off'],
        [0.2, 'loud'],
      ]),
      ...(chance(0.4) ? { message: pick([pickName(random), null]) } : {}),
    })
  // 0 and not a few requests: only SQLite, which one process uses, knows when exactly these have been made.
  const setQuota = () => ({
    method: 'POST',
    path: '/admin/api/quotas',
    body: { workspaceId, monthlyQuota: pick([null, null, null, null, null, '100000', '0', '-1']) },
  })
  return random.pickWeighted<() => RequestTemplate>([
    [3, changeControl],
    [
      5,
      () => ({
        method: pick(['GET', 'POST']),
        path: withPrefix('/endpoint-controls'),
        ...(chance(0.15) ? { query: { workspaceId } } : {}),
      }),
    ],
    [1, () => read('/portal/api/endpoint-controls')],
    [0.5, setQuota],
  ])()
}
