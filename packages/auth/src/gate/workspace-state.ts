import { type Platforms, type Ports, parsePlatforms, ReadThroughCache } from '@reeve/core'
import { openPlayerKey } from '@reeve/core/player-hashes'
import { type Database, type EndpointControlTable, statement } from '@reeve/db'

const workspaceById = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace')
    .select(['id', 'owner_id', 'archived_at', 'monthly_quota', 'platforms', 'pseudonym_key'])
    .where('id', '=', p.workspaceId)
    .where('hidden', 'is', null),
)
const controlsByWorkspace = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['endpoint', 'mode', 'message'])
    .where('workspace_id', '=', p.workspaceId),
)

/** The fields of a workspace that the gate needs for every request. */
export interface WorkspaceState {
  readonly id: string
  readonly ownerId: string
  readonly isArchived: boolean
  readonly monthlyQuota: number | null
  readonly platforms: Platforms
  readonly pseudonymKey: Uint8Array | null
  readonly controls: ReadonlyMap<string, Pick<EndpointControlTable, 'mode' | 'message'>>
}

const MAX_CACHED_WORKSPACES = 10_000

/** A read-through cache of workspaces, invalidated on every change: a change applies from the next request. */
export function createWorkspaceStateCache(
  db: Database,
  ports: Pick<Ports, 'deriveKey'>,
): (workspaceId: string) => WorkspaceState | Promise<WorkspaceState | undefined> {
  const cache = new ReadThroughCache<WorkspaceState>(MAX_CACHED_WORKSPACES)
  db.onChange((change) => {
    if (change.kind === 'workspace' || change.kind === 'endpoint_control')
      cache.invalidate(change.workspaceId)
  })
  db.onMissedChanges(() => cache.invalidateAll())
  const load = async (workspaceId: string): Promise<WorkspaceState | undefined> => {
    const row = await db.read.first(workspaceById, { workspaceId })
    if (!row) return undefined
    const controls = await db.read.all(controlsByWorkspace, { workspaceId })
    return {
      id: row.id,
      ownerId: row.owner_id,
      isArchived: row.archived_at !== null,
      monthlyQuota: row.monthly_quota,
      platforms: parsePlatforms(row.platforms),
      pseudonymKey: openPlayerKey(ports, 'pseudonyms', row.id, row.pseudonym_key),
      controls: new Map(controls.map(({ endpoint, mode, message }) => [endpoint, { mode, message }])),
    }
  }
  return (workspaceId) => cache.get(workspaceId, load)
}
