import { appendAuditEntry } from '@reeve/audit'
import { findMembershipPermissions, isWorkspaceOpenTo, listWorkspaceIds } from '@reeve/auth'
import {
  type Actor,
  AppError,
  endpoints,
  hasPermission,
  invalidRequest,
  type Ports,
  requireFields,
  switchableEndpoints,
} from '@reeve/core'
import {
  type EndpointControlTable,
  onFormerMember,
  type Queries,
  selectListedName,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import { type ControlInput, defaultControl, presentControl } from './model.ts'

const controlsByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('endpoint_control').selectAll().where('workspace_id', '=', p.workspaceId),
)
const controlsWithUsernames = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .leftJoin('account', 'account.id', 'endpoint_control.updated_by')
    .leftJoin('former_member', onFormerMember('endpoint_control'))
    .selectAll('endpoint_control')
    .select((eb) => selectListedName(eb).as('username'))
    .where('endpoint_control.workspace_id', '=', p.workspaceId),
)
const controlByEndpoint = statement<{ workspaceId: string; endpoint: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', p.endpoint),
)
const upsertControl = statement<EndpointControlTable>()((sql, p) =>
  upsertAll(sql, 'endpoint_control', p, ['workspace_id', 'endpoint']),
)

/** The endpoint controls of a workspace that are stored; the others have their defaults. */
export const listStoredControls = (db: Queries, workspaceId: string): Promise<EndpointControlTable[]> =>
  db.all(controlsByWorkspace, { workspaceId })

const switchable: ReadonlySet<string> = new Set(switchableEndpoints)

/** The controls of an API key's workspace, or of every workspace in which an account may view them, oldest first. */
export async function listControls(db: Queries, ports: Ports, actor: Actor) {
  const controls = []
  for (const workspaceId of await listViewableWorkspaces(db, ports, actor)) {
    const rows = await listStoredControls(db, workspaceId)
    for (const endpoint of endpoints) {
      const row = rows.find((control) => control.endpoint === endpoint)
      controls.push(row ? presentControl(row) : defaultControl(workspaceId, endpoint))
    }
  }
  return { controls }
}

/** The control of an endpoint, as the API returns it; null if it was never changed. */
export async function findControl(db: Queries, workspaceId: string, endpoint: string) {
  const row = await db.first(controlByEndpoint, { workspaceId, endpoint })
  return row ? presentControl(row) : null
}

/** The controls of the actor's workspace, each with the username of the account that last changed it. */
export async function listControlsWithUsernames(db: Queries, { workspaceId }: Actor) {
  const rows = await db.all(controlsWithUsernames, { workspaceId })
  return {
    controls: endpoints.map((endpoint) => {
      const row = rows.find((control) => control.endpoint === endpoint)
      return {
        ...(row ? presentControl(row) : defaultControl(workspaceId, endpoint)),
        updatedByUsername: row?.username ?? null,
      }
    }),
  }
}

async function listViewableWorkspaces(db: Queries, ports: Ports, actor: Actor): Promise<string[]> {
  if (actor.workspaceId !== '') return [actor.workspaceId]
  const viewable: string[] = []
  for (const workspaceId of await listWorkspaceIds(db, actor.id)) {
    const membership = await findMembershipPermissions(db, workspaceId, actor.id)
    if (!membership || !hasPermission(membership, 'endpoint_controls.view')) continue
    if (await isWorkspaceOpenTo(db, membership, actor.sessionId, ports.now())) viewable.push(workspaceId)
  }
  return viewable
}

/**
 * Sets the mode of an endpoint, from the next request.
 * @throws AppError `invalid_request` for an endpoint that cannot be turned off, `version_mismatch`
 */
export async function setControl(tx: Transaction, ports: Ports, actor: Actor, input: ControlInput) {
  const { endpoint, mode } = requireFields(input, 'endpoint', 'mode')
  if (!switchable.has(endpoint)) {
    throw invalidRequest({
      field: 'endpoint',
      message: `cannot be turned off, to prevent a lockout; endpoints that can: ${switchableEndpoints.join(', ')}`,
    })
  }
  const { workspaceId } = actor
  const before = await tx.first(controlByEndpoint, { workspaceId, endpoint })
  const { expectedUpdatedAt } = input
  if (expectedUpdatedAt !== undefined && expectedUpdatedAt !== (before?.updated_at ?? null))
    throw new AppError('version_mismatch', {
      message: 'The control has been changed since expectedUpdatedAt; read it again and retry.',
    })
  const row: EndpointControlTable = {
    workspace_id: workspaceId,
    endpoint,
    mode,
    message: input.message || null,
    updated_at: ports.now(),
    updated_by: actor.id,
  }
  const controlBefore = before ? presentControl(before) : defaultControl(workspaceId, endpoint)
  const control = presentControl(row)
  if (control.mode === controlBefore.mode && control.message === controlBefore.message) {
    return { control: controlBefore }
  }
  await tx.run(upsertControl, row)
  await appendAuditEntry(tx, ports, actor, {
    action: 'endpoint_controls.set',
    target: { kind: 'endpoint_control', id: endpoint },
    before: controlBefore,
    after: control,
  })
  tx.announce({ kind: 'endpoint_control', workspaceId, id: endpoint })
  return { control }
}
