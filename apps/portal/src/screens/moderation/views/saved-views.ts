import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, type PortalSchemas, unwrap } from '../../../api/client.ts'
import { useWorkspace } from '../../../api/me.ts'
import { stringifySearchParams } from '../../../app/search-params.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import type { RecordListKind } from '../list-kinds.ts'
import { moderationKey } from '../queries.ts'
import type { RecordListFilters } from '../record-filters.ts'

export type SavedView = PortalSchemas['SavedView']

const savedViewsKey = (workspaceId: string) => moderationKey(workspaceId, 'saved-views')

/** The user's own views and the shared ones, by name. */
export const savedViewsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: savedViewsKey(workspaceId),
    queryFn: async () => {
      const query = { workspaceId }
      return (await unwrap(api.GET('/portal/api/saved-views', { params: { query } }))).savedViews
    },
  })

/** The filters as a saved view stores them; the same for any order. */
export const toViewFilters = (filters: RecordListFilters): string =>
  stringifySearchParams(
    Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))),
  ).slice(1)

/** Creates, changes and deletes saved views. */
export function useSavedViewActions() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const refetch = () => client.invalidateQueries({ queryKey: savedViewsKey(workspaceId) })

  /** @returns what is stored now; undefined if the view no longer exists or is no longer shared with the user */
  const readLatest = async (id: string): Promise<SavedView | undefined> =>
    (await client.fetchQuery({ ...savedViewsQuery(workspaceId), staleTime: 0 })).find(
      (view) => view.id === id,
    )

  const create = async (view: {
    readonly list: RecordListKind
    readonly name: string
    readonly filters: string
    readonly shared: string
  }): Promise<SavedView> => {
    const { savedView } = await unwrap(
      api.POST('/portal/api/saved-views', { body: { workspaceId, ...view } }),
    )
    await refetch()
    return savedView
  }

  const change = async (
    { id, version }: SavedView,
    fields: { readonly name?: string; readonly filters?: string; readonly shared?: string },
  ): Promise<SavedView> => {
    const request = api.PATCH('/portal/api/saved-views', {
      body: { workspaceId, id, ...fields },
      headers: ifMatch(version),
    })
    const { savedView } = await unwrap(request).finally(refetch)
    return savedView
  }

  /** Deletes a view, and offers to undo that. */
  const remove = async (view: SavedView, onRestored: (restored: SavedView) => void): Promise<void> => {
    const { id, list, name, filters, shared } = view
    await unwrap(api.DELETE('/portal/api/saved-views', { params: { query: { workspaceId, id } } })).finally(
      refetch,
    )
    notifySuccess(`Deleted the view “${name}”.`, {
      label: 'Undo',
      run: async () => onRestored(await create({ list: list as RecordListKind, name, filters, shared })),
    })
  }
  return { readLatest, create, change, remove }
}
