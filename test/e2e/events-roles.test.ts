import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { dialog, type Events, openEvents } from '../support/events.ts'
import { fillIn, press } from '../support/portal.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Events
beforeAll(async () => {
  at = await openEvents()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

describe('who may not', () => {
  const [draft, shown] = ['Secret plan', 'Open day']

  test('manage events, sees what is published, and can do nothing to it', async () => {
    const { workspaceId } = at.owner
    await at.plan({ title: draft, scheduledFor: '2032-01-10T18:00:00Z' })
    const { id } = await at.plan({ title: shown, scheduledFor: '2032-01-11T18:00:00Z', published: 'true' })
    const session = await at.place.member(at.owner, 'reader', ['events.view'])
    const { page } = await at.open('?view=agenda&on=2032-01-01', { session })
    await page.getByRole('button', { name: shown }).click()
    await dialog(page, shown).getByText('in your time zone').waitFor()
    expect(await page.getByText(draft).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New event' }).count()).toBe(0)
    for (const name of ['Edit', 'Duplicate', 'Delete', 'Take back to draft'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const refused = await at.place.call('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, title: 'x' },
    })
    expect([refused.status, refused.body.permission]).toEqual([403, 'events.manage'])
  })

  test('publish events, prepares them, and is told who publishes', async () => {
    const { workspaceId } = at.owner
    const session = await at.place.member(at.owner, 'planner', ['events.view', 'events.manage'])
    const { page } = await at.open('', { session })
    await press(page, 'New event')
    await page.getByText('None of your roles may publish events or take them back.').waitFor()
    await fillIn(page, { Title: 'Prepared', Begins: '2032-02-01T18:00' })
    await press(page, 'Save as draft')
    await dialog(page, 'Prepared').getByText('Whoever may publish them makes this one seen.').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    const id = (await at.titled('Prepared'))?.id
    const refused = await at.place.call('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, published: 'true' },
    })
    expect([refused.status, refused.body.permission]).toEqual([403, 'events.publish'])
  })

  test('read events at all, is told so', async () => {
    const session = await at.place.member(at.owner, 'stranger', ['members.view'])
    const { page } = await at.open('', { session })
    await page.getByText('This is not for you to see').waitFor()
  })
})

test('an archived workspace can be read, and nothing is planned in it', async () => {
  const workspaceId = await at.workspace('Closed')
  const { session } = at.owner
  const { id } = await at.plan({ title: 'The last one', scheduledFor: '2032-05-01T18:00:00Z' }, workspaceId)
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'archive' } })
  const { page } = await at.open(`?view=agenda&on=2032-05-01&event=${id}`, { workspaceId })
  await dialog(page, 'The last one').getByText('in your time zone').waitFor()
  for (const name of ['Edit', 'Publish', 'Delete', 'New event'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
})
