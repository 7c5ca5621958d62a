import type { Queries } from '@reeve/db'

/** The kind of the target of an audit entry → the field of the API that contains the resource. */
export const resourceFields: Readonly<Record<string, string>> = {
  record: 'record',
  retention_run: 'deleted',
  appeal: 'appeal',
  event: 'event',
  department: 'department',
  member: 'member',
  role: 'role',
  workspace: 'workspace',
  api_key: 'apiKey',
  endpoint_control: 'control',
}

/**
 * Reads a resource as the API returns it, records without comments and evidence. The packages of the resources do that, which this one does
 * not know.
 * @param kind one of `resourceFields`
 * @returns null if it no longer exists
 */
export type ReadResource = (
  db: Queries,
  workspaceId: string,
  kind: string,
  id: string,
) => Promise<object | null>
