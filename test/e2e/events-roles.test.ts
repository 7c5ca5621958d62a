import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession } from '../support/events.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openEventsSession)

describe('a role without permission to', () => {
  const [draft, visibleTexts] = ['Secret plan', 'Open day']

  test('manage events sees published events, and cannot change them', async () => {
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
    for (const name of ['Edit', 'Duplicate', 'Delete', 'Unpublish'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const response = await e2e.server.request('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, title: 'x' },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'events.manage'])
  })

  test('publish events can edit drafts, and sees why there is no publish button', async () => {
    const { workspaceId } = e2e.owner
    const session = await e2e.server.createMember(e2e.owner, 'planner', ['events.view', 'events.manage'])
    const { page } = await e2e.openEventsScreen('', { session })
    await pressButton(page, 'New event')
    await page.getByText('You do not have permission to publish or unpublish events.').waitFor()
    await fillIn(page, { Title: 'Prepared', Starts: '2032-02-01T18:00' })
    await pressButton(page, 'Save as draft')
    await dialog(page, 'Prepared')
      .getByText('You can edit this draft, but you do not have permission to publish events.')
      .waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    const id = (await e2e.findEvent('Prepared'))?.id
    const response = await e2e.server.request('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, published: 'true' },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'events.publish'])
  })

  test('publish events sees why a published event cannot be changed, and can duplicate it', async () => {
    await e2e.createEvent({
      title: 'Founders day',
      scheduledFor: '2032-03-11T18:00:00Z',
      published: 'true',
    })
    const session = await e2e.server.createMember(e2e.owner, 'drafter', ['events.view', 'events.manage'])
    const { page } = await e2e.openEventsScreen('?view=agenda&on=2032-03-01', { session })
    await page.getByRole('button', { name: 'Founders day' }).click()
    await dialog(page, 'Founders day')
      .getByText('Changing a published event requires permission to publish events.')
      .waitFor()
    await page.getByRole('button', { name: 'Duplicate' }).waitFor()
    for (const name of ['Edit', 'Delete', 'Unpublish'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
  })

  test('read events sees that', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'stranger', ['members.view'])
    const { page } = await e2e.openEventsScreen('', { session })
    await page.getByText('You don’t have access').waitFor()
  })
})

test('in an archived workspace events are read-only', async () => {
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
    expect(await page.getByRole('button', { name, exact: true, includeHidden: true }).isDisabled()).toBe(true)
})
