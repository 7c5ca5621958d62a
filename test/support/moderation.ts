import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openStay } from './stay.ts'

export const STORM = { userId: '261', userUsername: 'StormRider' }
export const DAY = 86_400

/** A place and a browser for all tests of a file, each of which moderates in a workspace of its own. */
export async function openDesks() {
  const stay = await openStay()
  const { session } = stay.owner
  let people = 0

  return {
    ...stay,
    /** A workspace where things are recorded through the interface. */
    async desk() {
      const workspaceId = await stay.workspace('Night Shift')
      return {
        session,
        workspaceId,
        at: (path = '') => `/w/${workspaceId}/moderation${path}`,
        /** Records something. @returns the record */
        async moderate(body: Readonly<Record<string, string>>, by = session) {
          const answer = await stay.place.must('POST', '/api/moderation', {
            session: by,
            body: { workspaceId, ...body },
          })
          return answer.body.record
        },
        /** The records of a player, newest first. */
        async recordsOf(userId: string) {
          const path = `/api/moderation?${new URLSearchParams({ workspaceId, userId })}`
          return (await stay.place.must('GET', path, { session })).body.records
        },
        /** Somebody who may so much, and nothing else. */
        async member(...permissions: readonly Permission[]) {
          people += 1
          const name = `kim${people}`
          return { name, session: await stay.place.member({ workspaceId, session }, name, permissions) }
        },
      }
    },
  }
}

/** The dialog that is open. */
export const dialogOf = (page: Page) => page.getByRole('dialog')

/** What holds the player of the page, in the words on it. */
export const inForce = (page: Page) => page.getByRole('region', { name: 'In force now' })

/** Chooses one of a few in the dialog. */
export const choose = (page: Page, name: string) =>
  dialogOf(page).getByRole('radio', { name, exact: true }).check()
