import type { AppealDecision, AppealState } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type PortalSchemas, unwrap } from '../../api/client.ts'
import { type Pages, usePages } from '../../api/pages.ts'
import { queryClient } from '../../api/query-client.ts'
import { formatWhoHas } from '../../format/who-has.ts'

export type AppealSummary = PortalSchemas['AppealSummary']

/** A query key; without further parts, the prefix of all queries about appeals. */
const appealsKey = (workspaceId: string, ...rest: readonly unknown[]) => [workspaceId, 'appeals', ...rest]

export interface AppealFilters {
  readonly state?: string | undefined
  readonly userId?: string | undefined
  readonly mine?: string | undefined
}

interface AppealPage {
  readonly appeals: readonly AppealSummary[]
  readonly nextCursor: string | null
}

export const useAppeals = (workspaceId: string, filters: AppealFilters): Pages<AppealPage> =>
  usePages<AppealPage>(
    appealsKey(workspaceId, 'list', filters),
    (cursor) =>
      unwrap(
        api.GET('/portal/api/appeals', {
          params: { query: { workspaceId, ...omitUnset(filters), ...cursor } },
        }),
      ),
    { keepsPrevious: true },
  )

const omitUnset = (filters: AppealFilters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])))

const fetchAppeal = (workspaceId: string, id: string) =>
  unwrap(api.GET('/portal/api/appeals/appeal', { params: { query: { workspaceId, id } } }))

export type AppealDetails = Awaited<ReturnType<typeof fetchAppeal>>

/** An appeal with its ban and its messages. */
export const appealQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: appealsKey(workspaceId, 'one', id),
    queryFn: () => fetchAppeal(workspaceId, id),
  })

/** The days that the statistics are about. */
export const STATISTICS_DAYS = 90

export const statisticsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: appealsKey(workspaceId, 'statistics'),
    queryFn: () =>
      unwrap(
        api.GET('/portal/api/appeals/statistics', {
          params: { query: { workspaceId, days: String(STATISTICS_DAYS) } },
        }),
      ),
  })

const refresh = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: appealsKey(workspaceId) })

/** Claims an appeal, or releases it. */
export async function setClaim(workspaceId: string, id: string, isClaimed: boolean): Promise<void> {
  const body = { workspaceId, id }
  await unwrap(
    isClaimed
      ? api.POST('/portal/api/appeals/claim', { body })
      : api.POST('/portal/api/appeals/release', { body }),
  )
  await refresh(workspaceId)
}

export async function sendMessage(
  workspaceId: string,
  id: string,
  message: { readonly text: string; readonly isInternal: boolean },
): Promise<void> {
  const body = { workspaceId, id, text: message.text, internal: String(message.isInternal) }
  await unwrap(api.POST('/portal/api/appeals/message', { body }))
  await refresh(workspaceId)
}

export interface Decision {
  readonly decision: AppealDecision
  readonly message: string
  readonly durationSeconds: string | null
  readonly isFinal: boolean
}

/** Decides an appeal. It fails if the appeal has changed since it was read. */
export async function decideAppeal(
  workspaceId: string,
  { id, version }: AppealSummary,
  { decision, message, durationSeconds, isFinal }: Decision,
): Promise<void> {
  const body = {
    workspaceId,
    id,
    decision,
    message,
    ...(durationSeconds !== null && { durationSeconds }),
    ...(isFinal && { final: 'true' }),
  }
  await unwrap(api.POST('/portal/api/appeals/decide', { body, headers: ifMatch(version) }))
  await Promise.all([
    refresh(workspaceId),
    queryClient.invalidateQueries({ queryKey: [workspaceId, 'moderation'] }),
  ])
}

/** The states of a ban in words. */
export const banStatusLabels: Readonly<Record<string, string>> = {
  active: 'Banned now',
  expired: 'The ban has ended',
  revoked: 'The ban is lifted',
  superseded: 'Another ban has replaced this one',
}

/** The states in words, and the color of each. */
export const stateLabels: Readonly<Record<AppealState, { readonly label: string; readonly color: string }>> =
  {
    submitted: { label: 'Submitted', color: 'blue' },
    under_review: { label: 'Under review', color: 'yellow' },
    accepted: { label: 'Accepted', color: 'green' },
    reduced: { label: 'Reduced', color: 'green' },
    denied: { label: 'Denied', color: 'red' },
    withdrawn: { label: 'Withdrawn', color: 'gray' },
    expired: { label: 'Expired', color: 'gray' },
    superseded: { label: 'Superseded', color: 'gray' },
  }

export const findStateLabel = (state: string) =>
  stateLabels[state as AppealState] ?? { label: state, color: 'gray' }

const closings: Readonly<Partial<Record<string, string>>> = {
  withdrawn: 'The player has withdrawn the appeal.',
  expired: 'The ban has ended, which closed the appeal.',
  superseded: 'Another ban has replaced this one, which closed the appeal.',
}

/** Why an appeal can no longer be decided. */
export function describeClosing({ state, decidedBy, effect }: AppealSummary, ownId: string): string {
  const decider = formatWhoHas(decidedBy?.username || undefined, decidedBy?.id === ownId)
  return effect === null
    ? (closings[state] ?? 'You can no longer decide this appeal.')
    : `${decider} decided the appeal already. ${effect}`
}
