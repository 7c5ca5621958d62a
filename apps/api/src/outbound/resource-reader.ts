import type { Settings } from '@reeve/auth'
import { findApiKey } from '@reeve/auth'
import { type Actor, createSystemActor, hasErrorCode, OWNER_RANK, type Ports, permissions } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findDepartment } from '@reeve/departments'
import { findControl } from '@reeve/endpoint-controls'
import { findEvent } from '@reeve/events'
import { getMember } from '@reeve/members'
import { findAppealSummary, findRecordSummary } from '@reeve/moderation'
import { getRole } from '@reeve/permissions'
import type { ReadResource } from '@reeve/webhooks'
import { presentWorkspace, requireWorkspace } from '@reeve/workspaces'

type Read = (db: Queries, actor: Actor, id: string) => Promise<object | null | undefined>

/** Reads what events are about, as the API returns it. */
export function createResourceReader(
  ports: Ports,
  settings: Pick<Settings, 'publicUrl' | 'oidcProviders'>,
): ReadResource {
  const readers: Readonly<Record<string, Read>> = {
    record: (db, { workspaceId }, id) => findRecordSummary(db, ports, workspaceId, id),
    appeal: (db, actor, id) => findAppealSummary(db, ports, actor, id),
    event: (db, { workspaceId }, id) => findEvent(db, ports, settings.publicUrl, workspaceId, id),
    department: (db, { workspaceId }, id) => findDepartment(db, workspaceId, id),
    member: async (db, actor, id) => (await getMember(db, settings, actor, id)).member,
    role: async (db, actor, id) => (await getRole(db, actor, id)).role,
    workspace: async (db, { workspaceId }) => presentWorkspace(await requireWorkspace(db, workspaceId)),
    api_key: (db, { workspaceId }, id) => findApiKey(db, ports, workspaceId, id),
    endpoint_control: (db, { workspaceId }, id) => findControl(db, workspaceId, id),
  }
  return async (db, workspaceId, kind, id) => {
    const read = readers[kind]
    if (!read) return null
    try {
      return (await read(db, createReader(workspaceId), id)) ?? null
    } catch (error) {
      if (hasErrorCode(error, 'not_found')) return null
      throw error
    }
  }
}

/** What a webhook may receive was checked when it was subscribed. */
const createReader = (workspaceId: string): Actor => ({
  ...createSystemActor(workspaceId),
  permissions: new Set(permissions),
  rank: OWNER_RANK,
})
