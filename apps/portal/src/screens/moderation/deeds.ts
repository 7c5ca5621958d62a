import type { Permission } from '@reeve/core'
import { api, ifMatch, take } from '../../api/client.ts'
import { noAnswer } from '../../api/error.ts'
import { queryClient } from '../../api/query.ts'
import { type Entry, keyOf } from './data.ts'

/** A change of the records, in the words of the interface. */
export interface Deed {
  readonly action: string
  readonly userId?: string
  readonly userUsername?: string
  readonly id?: string
  readonly reason?: string
  readonly severity?: string
  readonly durationSeconds?: string
  readonly evidence?: string
  readonly value?: string
}

/**
 * Carries a change out, and has everything that shows records read again.
 * @param version the record's, where what somebody else changed meanwhile must not be gone over
 * @returns the record it made or changed
 */
export async function act(workspaceId: string, deed: Deed, version?: string): Promise<Entry> {
  const body = { workspaceId, ...deed }
  const headers = version === undefined ? {} : ifMatch(version)
  const answer = await take(api.POST('/api/moderation', { body, headers }))
  if (!('record' in answer)) throw noAnswer()
  await readAgain(workspaceId)
  return answer.record
}

/** What is shown is waited for; what cannot be read now is told where it is shown. */
export const readAgain = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) })

/** What ending a ban or mute needs. */
export const liftingNeeds = { ban: 'moderation.unban', mute: 'moderation.mute' } as const satisfies Record<
  string,
  Permission
>
