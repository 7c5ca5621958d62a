import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { createWorkspaceRequests } from '../contract/workspaces/fixture.ts'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { chooseOption, openDialog } from '../support/moderation.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ACTIONS = '**/api/moderation'

const server = useInstancePerTest()
let workspace: Awaited<ReturnType<typeof server.instance.workspace>>
/** The end that is chosen: in an hour. */
let end: number
beforeEach(async () => {
  workspace = await server.instance.workspace()
  end = server.instance.clock.now() + HOUR
})

const advance = (ms: number): void => server.instance.clock.advance(ms)
const isWrite = (route: Route): boolean => route.request().method() === 'POST'
const loseRequest = (route: Route): Promise<void> => route.abort('internetdisconnected')
const loseResponse = async (route: Route): Promise<void> => {
  await route.fetch()
  await loseRequest(route)
}

/** Opens a player and fills in an action that ends in an hour. */
async function fillInAction(action: string, session = workspace.ownerSession): Promise<Page> {
  const { page } = await server.openScreen(`/w/${workspace.id}/moderation/players/261`, {
    session,
    browser: { timezoneId: 'UTC' },
  })
  await pressButton(page, action)
  await chooseOption(page, 'Until…')
  await fillIn(page, { Until: new Date(end).toISOString().slice(0, 16), Reason: 'Exploiting' })
  return page
}

/** Submits an action without getting a response. */
async function submitWithoutResponse(page: Page, action: string, lose: (route: Route) => Promise<void>) {
  await page.route(ACTIONS, (route) => (isWrite(route) ? lose(route) : route.continue()))
  await pressButton(page, `${action} 261`)
  await openDialog(page)
    .getByText(/cannot be reached/)
    .waitFor()
  await page.unroute(ACTIONS)
}

async function listRecords(): Promise<{ status: string; expiresAt: string }[]> {
  const path = `/api/moderation?workspaceId=${workspace.id}&userId=261`
  return (await server.instance.request('GET', path, { session: workspace.ownerSession })).body.records
}

/** Expects one record that ends at the chosen time, to the second. */
async function expectChosenEnd(): Promise<void> {
  const ends = (await listRecords()).map(({ expiresAt }) => Date.parse(expiresAt) - end)
  expect(ends).toHaveLength(1)
  expect(Math.abs(ends[0] ?? Number.NaN)).toBeLessThanOrEqual(1000)
}

describe('until a time', () => {
  test.each(['Ban', 'Mute'])('a %s that could not be sent at once ends at that time', async (action) => {
    const page = await fillInAction(action)
    await submitWithoutResponse(page, action, loseRequest)
    advance(30 * MINUTE)
    await pressButton(page, `${action} 261`)
    await openDialog(page).waitFor({ state: 'detached' })
    await expectChosenEnd()
  })

  test('a ban is refused if the time has passed before it could be sent', async () => {
    const page = await fillInAction('Ban')
    await submitWithoutResponse(page, 'Ban', loseRequest)
    advance(2 * HOUR)
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText('Until must be in the future.').waitFor()
    expect(await listRecords()).toEqual([])
  })

  test('a ban whose response was lost is imposed once', async () => {
    const page = await fillInAction('Ban')
    await submitWithoutResponse(page, 'Ban', loseResponse)
    advance(5 * MINUTE)
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    await expectChosenEnd()
  })

  test('a ban whose response was lost is not imposed again after somebody else has lifted it, unless the user submits once more', async () => {
    const { moderate } = createWorkspaceRequests(server.instance, workspace)
    const page = await fillInAction('Ban')
    await submitWithoutResponse(page, 'Ban', loseResponse)
    advance(5 * MINUTE)
    await moderate({ action: 'unban', userId: '261', reason: 'Mistaken' })
    await pressButton(page, 'Ban 261')
    await openDialog(page).getByText('Something has been recorded about this player').waitFor()
    expect(await listRecords()).toHaveLength(1)
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await listRecords()).toMatchObject([{ status: 'active' }, { status: 'revoked' }])
  })

  test('a ban ends at that time although its evidence took minutes to send', async () => {
    const { session, roleId } = await server.instance.member(workspace.id, [
      'moderation.view',
      'moderation.ban',
      'moderation.evidence',
    ])
    await server.instance.request('PATCH', '/portal/api/roles', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, id: roleId, evidenceFromSeverity: 'high' },
    })
    const page = await fillInAction('Ban', session)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'chat.txt', mimeType: 'text/plain', buffer: Buffer.from('Look at this.') })
    await page.route('**/portal/api/moderation/evidence-files*', async (route) => {
      advance(10 * MINUTE)
      await route.continue()
    })
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    await expectChosenEnd()
  })
})
