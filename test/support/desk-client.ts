import type { ScreenContext } from './screen-states.ts'

export const DAY = 86_400

/** Text as players and moderators write it: long, with words that no line can break. */
export const LONG_TEXT = `I did not do it. My brother has used my computer while I was at school. ${'Please '.repeat(30)}${'W'.repeat(90)}`

/** Ids of what the desk contains, by name: `workspace`, `report`, `appeal`… */
export const deskIds: Record<string, string> = {}

/** The workspace of the desk and the session of its owner. */
export const getDeskOwner = ({ owner: { session } }: ScreenContext) => ({
  workspaceId: deskIds.workspace ?? '',
  session,
})

/** Sends requests for the desk as the owner, or with another session. */
export function createClient({ server, owner }: ScreenContext, workspaceId: string) {
  return async (method: string, path: string, body: object, session = owner.session) =>
    (await server.requestOk(method, path, { session, body: { workspaceId, ...body } })).body
}
export type Send = ReturnType<typeof createClient>
