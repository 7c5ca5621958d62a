import { NO_LIMITS, type RoleLimits, tightenLimits } from '@reeve/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { ownLimitsKey } from '../../../api/live-updates.ts'
import { queryClient } from '../../../api/query-client.ts'
import { readLimits, selectLimitsOf } from '../../../format/limits.ts'

/** What the user's roles allow at most, by action. */
export interface OwnLimits {
  readonly get: (action: string) => RoleLimits
  /** The limits of editing a case of an action. */
  readonly getForEdit: (action: string) => RoleLimits
  readonly bansThisHour: number
  /** When another ban is possible; null if one is possible already. */
  readonly nextBanAt: string | null
  readonly approvalHours: number
}

const UNKNOWN: OwnLimits = {
  get: () => NO_LIMITS,
  getForEdit: () => NO_LIMITS,
  bansThisHour: 0,
  nextBanAt: null,
  approvalHours: 24,
}

const ownLimitsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ownLimitsKey(workspaceId),
    queryFn: async (): Promise<OwnLimits> => {
      const params = { query: { workspaceId } }
      const response = await unwrap(api.GET('/portal/api/moderation/limits', { params }))
      const byAction = new Map(
        response.limits.map((limits) => [limits.action, selectLimitsOf(limits.action, readLimits(limits))]),
      )
      const editLimits = readLimits(response.editLimits)
      const get = (action: string) => byAction.get(action as never) ?? NO_LIMITS
      return {
        get,
        getForEdit: (action) => tightenLimits(editLimits, get(action)),
        bansThisHour: Number(response.bansThisHour),
        nextBanAt: response.nextBanAt,
        approvalHours: Number(response.approvalHours),
      }
    },
    staleTime: 0,
  })

/**
 * Whether the user may need evidence for an action. Files are then sent before it, because it is refused without them; otherwise after it, so
 * that nobody waits for a video while a player goes on.
 */
export const mayNeedEvidence = (workspaceId: string, action: string): boolean =>
  queryClient.getQueryData(ownLimitsQuery(workspaceId).queryKey)?.get(action).evidenceFromSeverity != null

/** The limits of the user; the server enforces them also while they are unknown here. */
export const useOwnLimits = (workspaceId: string): OwnLimits =>
  useQuery(ownLimitsQuery(workspaceId)).data ?? UNKNOWN
