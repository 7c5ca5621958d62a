import { api, type PortalSchemas, unwrap } from '../../api/client.ts'

/** One place where the reader is signed in. */
export type OwnSession = PortalSchemas['Session']

export const ownSessionsKey = ['sessions'] as const

/** One page of where the reader is signed in, newest first. */
export const readSessions = (cursor: { readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/sessions', { params: { query: cursor } }))

/** Ends one session of the reader's own. */
export const endSession = (id: string) =>
  unwrap(api.DELETE('/portal/api/sessions', { params: { query: { id } } }))

/** Ends every session of the reader's own but this one. @returns how many */
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
