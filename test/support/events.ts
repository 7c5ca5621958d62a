import type { BrowserContextOptions, Page } from 'playwright-core'
import { openStay } from './stay.ts'

/** Not where the tests run, and west of where they do: five hours behind, four in the summer. */
export const NEW_YORK = {
  timezoneId: 'America/New_York',
  locale: 'en-GB',
  viewport: { width: 1440, height: 900 },
}

/** A place and a browser for all tests of a file, and what these do about events. */
export async function openEvents() {
  const stay = await openStay()
  const { place, owner, asOwner } = stay

  const plan = async (event: object, workspaceId = owner.workspaceId) =>
    (await asOwner('POST', '/api/events', event, workspaceId)).event

  /** The events of a workspace, as its owner reads them. */
  async function events(workspaceId = owner.workspaceId) {
    const { body } = await place.must('GET', `/api/events?workspaceId=${workspaceId}&limit=200`, owner)
    return body.events as Record<string, string | null>[]
  }
  const titled = async (title: string, workspaceId = owner.workspaceId) =>
    (await events(workspaceId)).find((one) => one.title === title)

  /** Opens the screen. */
  const open = (
    path = '',
    { session = owner.session, workspaceId = owner.workspaceId, options = {} as BrowserContextOptions } = {},
  ) => stay.visit(session, `/w/${workspaceId}/events${path}`, 'Events', { ...NEW_YORK, ...options })

  return { ...stay, plan, events, titled, open }
}

export type Events = Awaited<ReturnType<typeof openEvents>>

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const pressIn = (page: Page, dialogName: string | RegExp, name: string) =>
  dialog(page, dialogName).getByRole('button', { name, exact: true }).click()
