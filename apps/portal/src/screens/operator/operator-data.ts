import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** Query keys of instance-wide data. */
export const accountsKey = ['operator', 'accounts'] as const
export const workspacesKey = ['operator', 'workspaces'] as const
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
export const readWorkspaces = (q: string | undefined, cursor: PageQuery) =>
  unwrap(
    api.GET('/admin/api/workspaces', { params: { query: { ...(q !== undefined && { q }), ...cursor } } }),
  )

/** A workspace as operators see it. */
export type WorkspaceRow = Awaited<ReturnType<typeof readWorkspaces>>['workspaces'][number]

export const readInstance = async () => (await unwrap(api.GET('/admin/api/instance'))).instance

/** The state of the instance. */
export type InstanceState = Awaited<ReturnType<typeof readInstance>>

/** Refetches all operator data: one change can affect several lists. */
export function useOperatorRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['operator'] })
}
