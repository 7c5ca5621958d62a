import type { COPY_ARCHIVE_PERMISSIONS } from '@reeve/core'
import type { ServiceCase } from './service-case.ts'

const COPY = 'workspaces/src/copy-from-archive.ts'

/** A copy shows all of this to its owner (`docs/api.md`). */
const COPY_PERMISSIONS = [
  'workspace.restore',
  'moderation.view',
  'moderation.evidence',
  'appeals.view',
  'departments.view',
  'events.view',
  'events.manage',
  'roles.view',
  'members.view',
  'endpoint_controls.view',
] as const satisfies readonly (typeof COPY_ARCHIVE_PERMISSIONS)[number][]

/** What `docs/api.md` and `docs/portal.md` say about archives, copies and jobs beyond the permission of the route. */
export const workspaceCases: readonly ServiceCase[] = [
  {
    name: 'copy a workspace from an archive',
    reaches: [COPY],
    requires: COPY_PERMISSIONS,
    prepare: async ({ createArchive, sendUnscoped }) =>
      sendUnscoped('POST', '/api/workspaces', { fromArchive: await createArchive(), groupName: 'Copy' }),
  },
  {
    name: 'copy a workspace from an archive with an API key',
    reaches: [COPY],
    requires: ['workspace.restore', 'workspace.create'],
    callers: 'key',
    prepare: async ({ createArchive, sendUnscoped }) =>
      sendUnscoped('POST', '/api/workspaces', { fromArchive: await createArchive(), groupName: 'Copy' }),
  },
  {
    name: 'prepare the download of an archive',
    reaches: ['workspaces/src/archive-download.ts'],
    requires: ['workspace.archive', ...COPY_PERMISSIONS],
    prepare: async ({ createArchive, send }) =>
      send('POST', '/portal/api/archive/download', { id: await createArchive() }),
  },
  {
    name: 'cancel the job that archives a workspace',
    reaches: ['workspaces/src/jobs/end-job.ts'],
    requires: ['workspace.archive'],
    prepare: async ({ startArchiving, send }) =>
      send('POST', '/portal/api/jobs/cancel', { id: await startArchiving() }),
  },
]
