import { api, type PortalSchemas, unwrap } from '../../api/client.ts'

/** A session of the user. */
export type OwnSession = PortalSchemas['Session']

export const ownSessionsKey = ['sessions'] as const

/** Reads one page of the user's sessions, newest first. */
export const readSessions = (cursor: { readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/sessions', { params: { query: cursor } }))

/** Ends one of the user's sessions. */
export const endSession = (id: string) =>
  unwrap(api.DELETE('/portal/api/sessions', { params: { query: { id } } }))

/** Ends all sessions of the user except this one. @returns how many were ended */
export async function endOtherSessions(): Promise<number> {
  let endedCount = 0
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readSessions>> = await readSessions(
      cursor === null ? {} : { cursor },
    )
    for (const { id } of page.sessions.filter(({ current }) => current === 'false')) {
      await endSession(id)
      endedCount += 1
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return endedCount
}
