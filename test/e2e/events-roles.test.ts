import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { dialog, type EventsSession, openEventsSession } from '../support/events.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let e2e: EventsSession
beforeAll(async () => {
  e2e = await openEventsSession()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

describe('who may not', () => {
  const [draft, visibleTexts] = ['Secret plan', 'Open day']

  test('manage events, sees what is published, and can do nothing to it', async () => {
    const { workspaceId } = e2e.owner
    await e2e.createEvent({ title: draft, scheduledFor: '2032-01-10T18:00:00Z' })
    const { id } = await e2e.createEvent({
      title: visibleTexts,
      scheduledFor: '2032-01-11T18:00:00Z',
      published: 'true',
    })
    const session = await e2e.server.createMember(e2e.owner, 'reader', ['events.view'])
    const { page } = await e2e.openEventsScreen('?view=agenda&on=2032-01-01', { session })
    await page.getByRole('button', { name: visibleTexts }).click()
    await dialog(page, visibleTexts).getByText('in your time zone').waitFor()
    expect(await page.getByText(draft).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New event' }).count()).toBe(0)
    for (const name of ['Edit', 'Duplicate', 'Delete', 'Take back to draft'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const response = await e2e.server.request('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, title: 'x' },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'events.manage'])
  })

  test('publish events, prepares them, and is told who publishes', async () => {
    const { workspaceId } = e2e.owner
    const session = await e2e.server.createMember(e2e.owner, 'planner', ['events.view', 'events.manage'])
    const { page } = await e2e.openEventsScreen('', { session })
    await pressButton(page, 'New event')
    await page.getByText('None of your roles may publish events or take them back.').waitFor()
    await fillIn(page, { Title: 'Prepared', Begins: '2032-02-01T18:00' })
    await pressButton(page, 'Save as draft')
    await dialog(page, 'Prepared').getByText('Whoever may publish them makes this one seen.').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    const id = (await e2e.findEvent('Prepared'))?.id
    const response = await e2e.server.request('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, published: 'true' },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'events.publish'])
  })

  test('read events at all, is told so', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'stranger', ['members.view'])
    const { page } = await e2e.openEventsScreen('', { session })
    await page.getByText('You don’t have access').waitFor()
  })
})

test('an archived workspace can be read, and nothing is planned in it', async () => {
  const workspaceId = await e2e.createWorkspace('Closed')
  const { session } = e2e.owner
  const { id } = await e2e.createEvent(
    { title: 'The last one', scheduledFor: '2032-05-01T18:00:00Z' },
    workspaceId,
  )
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'archive' },
  })
  const { page } = await e2e.openEventsScreen(`?view=agenda&on=2032-05-01&event=${id}`, { workspaceId })
  await dialog(page, 'The last one').getByText('in your time zone').waitFor()
  for (const name of ['Edit', 'Publish', 'Delete', 'New event'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
})
