import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type PortalSchemas, unwrap } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { invalidateModeration } from '../mutations.ts'
import type { PlayerLink } from '../queries.ts'

/** Who works on a case, and who is to. */
export interface CaseWork {
  readonly claim: PortalSchemas['Claim'] | null
  readonly assignment: PortalSchemas['Assignment'] | null
}

export const caseWorkQuery = (workspaceId: string, recordId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'claims', recordId],
    queryFn: async (): Promise<CaseWork> => {
      const query = { workspaceId, recordIds: recordId }
      const { claims, assignments } = await unwrap(api.GET('/portal/api/case-work', { params: { query } }))
      return { claim: claims[0] ?? null, assignment: assignments[0] ?? null }
    },
  })

/** The first members who can view cases and whose names contain a text. */
export const assigneesQuery = (workspaceId: string, q: string) =>
  queryOptions({
    queryKey: [workspaceId, 'members', 'assignees', q],
    queryFn: async () => {
      const query = { workspaceId, ...(q !== '' && { q }) }
      return (await unwrap(api.GET('/portal/api/assignees', { params: { query } }))).members
    },
    placeholderData: (previous) => previous,
  })

const refetchWork = async (workspaceId: string): Promise<void> => {
  await Promise.all(
    ['claims', 'inbox'].map((resource) =>
      queryClient.invalidateQueries({ queryKey: [workspaceId, resource] }),
    ),
  )
}

/** Claims a case, or renews the claim. */
export async function claimCase(workspaceId: string, recordId: string): Promise<void> {
  await unwrap(api.POST('/portal/api/claims', { body: { workspaceId, recordId } }))
  await refetchWork(workspaceId)
}

export async function releaseCase(workspaceId: string, recordId: string): Promise<void> {
  await unwrap(api.DELETE('/portal/api/claims', { params: { query: { workspaceId, recordId } } }))
  await refetchWork(workspaceId)
}

export async function assignCase(workspaceId: string, recordId: string, accountId: string): Promise<void> {
  await unwrap(api.POST('/portal/api/assignments', { body: { workspaceId, recordId, accountId } }))
  await refetchWork(workspaceId)
}

export async function unassignCase(workspaceId: string, recordId: string): Promise<void> {
  await unwrap(api.DELETE('/portal/api/assignments', { params: { query: { workspaceId, recordId } } }))
  await refetchWork(workspaceId)
}

/** Pins a text or a case to a player. */
export async function pinNote(
  workspaceId: string,
  note: { readonly userId: string; readonly text: string } | { readonly recordId: string },
): Promise<void> {
  await unwrap(api.POST('/portal/api/pinned-notes', { body: { workspaceId, ...note } }))
  await invalidateModeration(workspaceId)
}

export async function unpinNote(workspaceId: string, id: string): Promise<void> {
  await unwrap(api.DELETE('/portal/api/pinned-notes', { params: { query: { workspaceId, id } } }))
  await invalidateModeration(workspaceId)
}

/** Reads a link between two players. */
export async function readLink(workspaceId: string, id: string): Promise<PlayerLink> {
  const response = await unwrap(api.GET('/api/moderation/links', { params: { query: { workspaceId, id } } }))
  return (response as { readonly link: PlayerLink }).link
}

/**
 * Creates, changes or deletes a link between two players.
 * @param version the one that the user has seen, of a link that exists
 */
export async function submitLink(
  workspaceId: string,
  link: Readonly<Record<string, string>>,
  version?: string,
): Promise<void> {
  const headers = version === undefined ? {} : ifMatch(version)
  await unwrap(api.POST('/api/moderation/links', { body: { workspaceId, ...link }, headers }))
  await invalidateModeration(workspaceId)
}
