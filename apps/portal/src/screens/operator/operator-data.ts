import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** Query keys of instance-wide data. */
export const accountsKey = ['operator', 'accounts'] as const
export const workspacesKey = ['operator', 'workspaces'] as const
export const deletedWorkspacesKey = ['operator', 'deleted-workspaces'] as const
export const instanceAuditKey = ['operator', 'audit'] as const
export const reportsKey = ['operator', 'reports'] as const
export const instanceKey = ['operator', 'instance'] as const

interface PageQuery {
  readonly cursor?: string
}

async function readAccountList(query: object) {
  const response = await unwrap(api.GET('/admin/api/accounts', { params: { query } }))
  return response as Extract<typeof response, { readonly accounts: unknown }>
}
async function readOneAccount(id: string) {
  const response = await unwrap(api.GET('/admin/api/accounts', { params: { query: { id } } }))
  return response as Extract<typeof response, { readonly account: unknown }>
}

/** An account of the instance. */
export type AccountRow = Awaited<ReturnType<typeof readAccountList>>['accounts'][number]

interface AccountFilters {
  readonly q?: string
  readonly only?: 'operators' | 'disabled'
}

/** Reads one page of the accounts, by name. */
export const readAccounts = ({ q, only }: AccountFilters, cursor: PageQuery) =>
  readAccountList({
    ...(q !== undefined && { q }),
    ...(only !== undefined && { [only]: 'true' }),
    ...cursor,
  })

/** An account with its workspaces. */
export const accountQuery = (id: string) => ({
  queryKey: [...accountsKey, 'one', id],
  queryFn: () => readOneAccount(id),
})

/** Reads one page of the workspaces, newest first. */
export const readWorkspaces = (
  { q, onlyDeleting }: { readonly q: string | undefined; readonly onlyDeleting: boolean },
  cursor: PageQuery,
) =>
  unwrap(
    api.GET('/admin/api/workspaces', {
      params: {
        query: { ...(q !== undefined && { q }), ...(onlyDeleting && { deleting: 'true' }), ...cursor },
      },
    }),
  )

/** A workspace as operators see it. */
export type WorkspaceRow = Awaited<ReturnType<typeof readWorkspaces>>['workspaces'][number]

/** Reads one page of the workspaces that were deleted, newest first. */
export const readDeletedWorkspaces = (cursor: PageQuery) =>
  unwrap(api.GET('/admin/api/workspaces/deleted', { params: { query: cursor } }))

/** A workspace that was deleted. */
export type DeletedWorkspaceRow = Awaited<
  ReturnType<typeof readDeletedWorkspaces>
>['deletedWorkspaces'][number]

/** Reads one page of the reports about workspaces, newest first. */
export const readReports = (isOpen: boolean, cursor: PageQuery) =>
  unwrap(api.GET('/admin/api/reports', { params: { query: { ...(isOpen && { open: 'true' }), ...cursor } } }))

/** A report about a workspace. */
export type ReportRow = Awaited<ReturnType<typeof readReports>>['reports'][number]

export const readInstance = async () => (await unwrap(api.GET('/admin/api/instance'))).instance

/** The state of the instance. */
export type InstanceState = Awaited<ReturnType<typeof readInstance>>

interface InstanceAuditFilters {
  readonly actorId?: string
  readonly action?: string
  readonly targetId?: string
  readonly from?: string
  readonly to?: string
}

/** Reads one page of the log of the instance, newest first. */
export const readInstanceAudit = (filters: InstanceAuditFilters, cursor: PageQuery) =>
  unwrap(api.GET('/admin/api/audit', { params: { query: { ...filters, ...cursor } } }))

/** One change of the instance. */
export type InstanceAuditEntry = Awaited<ReturnType<typeof readInstanceAudit>>['entries'][number]

/** Refetches all operator data: one change can affect several lists. */
export function useOperatorRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['operator'] })
}
