import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, pressButton, reloadAndFollow, waitForHeading } from '../support/page-actions.ts'

const e2e = useSession(() => openE2eSession())

/** A member who may only view and decide appeals, and an appeal. */
async function openAppealJudge() {
  const workspace = await e2e.createWorkspaceFixture(['appeals.view', 'appeals.decide'])
  const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'ban',
    userId: '261',
    userUsername: 'Builderman',
    reason: 'Exploiting',
  })
  await workspace.requestAsOwner('POST', '/api/appeals', {
    code: record.appealCode,
    message: 'It was my brother.',
  })
  return { ...workspace, record }
}

test('somebody who may only decide appeals has an inbox with them, which follows a reversal without a reload', async () => {
  const workspace = await openAppealJudge()
  const { page } = await workspace.openScreen('/appeals', { heading: 'Appeals' })
  await page.getByRole('link', { name: /^Inbox\s*1 waiting$/ }).click()
  await waitForHeading(page, 'Inbox')
  const kinds = page.getByRole('navigation', { name: 'Inbox', exact: true }).getByRole('link')
  expect(await kinds.allInnerTexts()).toEqual([expect.stringMatching(/^Appeals/)])
  await page.getByRole('region', { name: 'Appeals' }).getByText('It was my brother.').waitFor()
  const lift = { action: 'unban', userIds: '261', reason: 'Raid' }
  const { batch } = await workspace.requestAsOwner('POST', '/api/moderation/batches', lift)
  await page.getByText('Nothing under “Appeals”').waitFor()
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
  const reverse = () =>
    workspace.requestAsOwner('POST', '/api/moderation/batches', {
      action: 'reverse',
      id: batch.id,
      reason: 'By mistake',
    })
  await reverse()
  await page.getByText('It was my brother.').waitFor()
  await page.getByRole('link', { name: /^Inbox\s*1 waiting$/ }).waitFor()
})

test('what waits no longer is not counted, even if it was when a slow network began to read the count', async () => {
  const workspace = await openAppealJudge()
  const tab = await workspace.openScreen('/appeals', { heading: 'Appeals' })
  const { page } = tab
  // The page has read the count before it is reloaded.
  await page.getByRole('link', { name: /^Inbox\s*1 waiting$/ }).waitFor()
  const sent = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  await page.route(
    '**/portal/api/inbox/counts?*',
    async (route) => {
      const response = await route.fetch()
      sent.resolve()
      await arrival.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await reloadAndFollow(tab)
  const appeal = page.getByRole('link', { name: /Builderman/ })
  await appeal.waitFor()
  await sent.promise
  await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'unban',
    userId: '261',
    reason: 'Raid',
  })
  await appeal.waitFor({ state: 'detached' })
  const repeated = page.waitForRequest(/\/portal\/api\/inbox\/counts\?/)
  arrival.resolve()
  await (await repeated).response()
  await expectSettled(() => page.getByRole('link', { name: /^Inbox/ }).allTextContents(), ['Inbox'])
})

test('the claim of an appeal is renewed while its page is open', async () => {
  const workspace = await openAppealJudge()
  const { page } = await workspace.openScreen('/inbox', { heading: 'Inbox' })
  await page.clock.install()
  await page.getByRole('link', { name: /^Case 1, Builderman \d+$/ }).click()
  await waitForHeading(page, 'Appeal of Builderman')
  await pressButton(page, 'Claim for 15 minutes')
  await page.getByText('You work on it until').waitFor()
  const renewal = page.waitForRequest((request) => request.url().endsWith('/portal/api/appeals/claim'))
  await page.clock.fastForward(5 * 60_000)
  expect((await (await renewal).response())?.status()).toBe(200)
})

test('the inbox says at once who works on an appeal, so that nobody does the same work', async () => {
  const workspace = await openAppealJudge()
  const { page } = await workspace.openScreen('/inbox', { heading: 'Inbox' })
  const item = page.getByRole('listitem').filter({ hasText: 'It was my brother.' })
  await item.waitFor()
  expect(await item.getByText('works on it').count()).toBe(0)
  const { appeals } = await workspace.readAsOwner('/portal/api/appeals')
  await workspace.requestAsOwner('POST', '/portal/api/appeals/claim', { id: appeals[0].id })
  await item.getByText('works on it').waitFor()
})
