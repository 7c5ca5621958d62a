import type { BrowserContextOptions, Page } from 'playwright-core'
import { openE2eSession } from './e2e-session.ts'
import { DESKTOP } from './page-actions.ts'

/** Differs from the time zone of the tests: five hours behind UTC, four in summer. */
export const NEW_YORK = {
  timezoneId: 'America/New_York',
  locale: 'en-GB',
  ...DESKTOP,
}

/** An e2e session with helpers for events. */
export async function openEventsSession() {
  const e2e = await openE2eSession()
  const { owner, requestAsOwner, readAsOwner } = e2e

  const createEvent = async (event: object, workspaceId = owner.workspaceId) =>
    (await requestAsOwner('POST', '/api/events', event, workspaceId)).event

  async function listEvents(workspaceId = owner.workspaceId) {
    const body = await readAsOwner('/api/events', { limit: '200' }, workspaceId)
    return body.events as Record<string, string | null>[]
  }
  const findEvent = async (title: string, workspaceId = owner.workspaceId) =>
    (await listEvents(workspaceId)).find((event) => event.title === title)

  const openEventsScreen = (
    path = '',
    { session = owner.session, workspaceId = owner.workspaceId, options = {} as BrowserContextOptions } = {},
  ) =>
    e2e.openScreen(`/w/${workspaceId}/events${path}`, {
      session,
      heading: 'Events',
      browser: { ...NEW_YORK, ...options },
    })

  return { ...e2e, createEvent, listEvents, findEvent, openEventsScreen }
}

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const pressInDialog = (page: Page, dialogName: string | RegExp, name: string) =>
  dialog(page, dialogName).getByRole('button', { name, exact: true }).click()
