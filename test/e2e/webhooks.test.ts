import { afterEach, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  chooseMenuItem,
  expectSettled,
  fillIn,
  pressButton,
  waitForHeading,
  XSS_PAYLOAD,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'
import {
  isSignedWith,
  OUTBOUND_TO_TESTS,
  type ReceivedRequest,
  startReceiver,
} from '../support/webhook-receiver.ts'

const e2e = useSession(() => openE2eSession(OUTBOUND_TO_TESTS))

const PATH = '/configuration/webhooks'

let receiver: ReturnType<typeof startReceiver>
afterEach(() => receiver?.stop())

/** Opens the webhooks of a new workspace with a receiver. With names, it has webhooks that send bans there. */
async function openWebhooks(permissions?: readonly Permission[], ...names: readonly string[]) {
  receiver = startReceiver()
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const ids: string[] = []
  for (const name of names) {
    const body = { name, url: receiver.url, events: 'ban.created' }
    ids.push((await workspace.requestAsOwner('POST', '/api/webhooks', body)).webhook.id)
  }
  const tab = await workspace.openScreen(PATH, { heading: 'Webhooks' })
  return {
    ...workspace,
    tab,
    page: tab.page,
    ids,
    ban: (userId: string) =>
      workspace.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId, reason: 'Exploiting' }),
  }
}

/** Waits for the request with this number, counted from 1. */
async function receiveRequest(count: number): Promise<ReceivedRequest> {
  await receiver.waitFor(count)
  return receiver.received[count - 1] as ReceivedRequest
}

const readSecret = async (page: Page) =>
  (await page.getByRole('group', { name: 'Secret' }).textContent()) ?? ''
const webhookRow = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const deliveries = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')

test('a webhook is created, tested, fails, is resent and rotated', async () => {
  const { tab, page, ban } = await openWebhooks()
  await pressButton(page, 'Create your first webhook')
  await fillIn(page, { Name: 'Ban log', URL: receiver.url })
  await page.getByRole('group', { name: 'Body of ban.created' }).getByText('"ban.created"').waitFor()
  await pressButton(page, 'Create webhook')
  const secret = await readSecret(page)
  expect(secret).toStartWith('whsec_')
  await page.keyboard.press('Escape')
  expect(await readSecret(page)).toBe(secret)
  await pressButton(page, 'I have stored it')
  await webhookRow(page, 'Ban log').getByText('Nothing sent yet').waitFor()
  expect(await page.content()).not.toContain(secret)

  await webhookRow(page, 'Ban log').getByRole('link').click()
  await waitForHeading(page, 'Ban log')
  receiver.respondWith(() => new Response('Thank you', { status: 202 }))
  await pressButton(page, 'Send a test')
  await page.getByText('The receiver accepted it with the status 202.').waitFor()
  await page.getByRole('group', { name: 'Response body' }).getByText('Thank you').waitFor()
  await pressButton(page, 'Done')
  const testRequest = await receiveRequest(1)
  expect([testRequest.body.type, isSignedWith(secret, testRequest)]).toEqual(['webhook.test', true])

  receiver.respondWith(() => new Response('The database is down', { status: 503 }))
  await ban('261')
  const failed = await receiveRequest(2)
  const row = deliveries(page).filter({ hasText: 'ban.created' })
  await row.getByText('Retrying').waitFor()
  await row.getByText('status 503').waitFor()
  await row.getByRole('button', { name: 'Details of ban.created' }).click()
  await page.getByRole('group', { name: 'Response body' }).getByText('The database is down').waitFor()
  await page.getByRole('group', { name: 'Request body' }).getByText('"userId": "261"').waitFor()
  await page.getByRole('alert').getByText('Failing since').waitFor()

  receiver.respondWith(() => new Response(null, { status: 204 }))
  await pressButton(page, 'Resend')
  await row.getByText('Delivered').first().waitFor()
  const resent = receiver.received.at(-1)
  expect(resent?.headers['webhook-id']).toBe(failed.headers['webhook-id'] as string)

  await chooseMenuItem(page, 'Change Ban log', 'Rotate secret')
  await pressButton(page, 'Rotate secret')
  const newSecret = await readSecret(page)
  await page.getByText('each request is signed with both secrets').waitFor()
  await pressButton(page, 'I have stored it')
  const before = receiver.received.length
  await ban('262')
  const rotated = await receiveRequest(before + 1)
  expect([newSecret === secret, isSignedWith(secret, rotated), isSignedWith(newSecret, rotated)]).toEqual([
    false,
    true,
    true,
  ])
  await expectNoPageErrors(tab)
})

describe('a webhook that does not work', () => {
  test('says why, is named on Home, and is resumed there where it says so', async () => {
    const { page, ban, openScreen } = await openWebhooks(undefined, 'Ban log')
    receiver.respondWith(() => new Response(null, { status: 410 }))
    await ban('1')
    // The page learns of it from a live event.
    await webhookRow(page, 'Ban log').getByText('Disabled').waitFor()
    await webhookRow(page, 'Ban log').getByText('responded with the status 410').waitFor()
    const home = (await openScreen('', { heading: GROUP })).page
    await home.getByText('1 webhook needs attention').waitFor()
    await home.getByRole('link', { name: 'Ban log' }).click()
    await waitForHeading(home, 'Ban log')
    await pressButton(home, 'Resume')
    await home.getByText('Resumed “Ban log”.').waitFor()
    await webhookRow(page, 'Ban log').getByText('Disabled').waitFor({ state: 'detached' })
  })

  /** The page of a webhook of a workspace that was rolled back. */
  async function openRolledBack(permissions?: readonly Permission[]) {
    const fixture = await openWebhooks(permissions, 'Ban log')
    const { page, ids, workspaceId } = fixture
    const { session } = e2e.owner
    const change = async (fields: object) =>
      (
        await e2e.server.requestOk('POST', '/api/workspaces', {
          session,
          body: { id: workspaceId, ...fields },
        })
      ).body
    const { archive } = await change({ action: 'archive' })
    await change({ action: 'restore', fromArchive: archive.id })
    await page.goto(`${e2e.server.origin}/w/${workspaceId}${PATH}/${ids[0]}`)
    await page.getByText('This workspace was rolled back.').waitFor()
    return fixture
  }

  test('waits after a roll-back until its owner confirms it', async () => {
    const { page, ban } = await openRolledBack()
    await pressButton(page, 'Confirm')
    await page.getByText('Confirmed “Ban log”.').waitFor()
    await ban('1')
    await receiveRequest(1)
  })

  test('is not confirmed after a roll-back by a member who manages webhooks, who reads by whom', async () => {
    const { page } = await openRolledBack(['webhooks.manage', 'moderation.view'])
    await page.getByText('until the owner of the workspace or an operator confirms').waitFor()
    await page.getByRole('button', { name: 'Change Ban log' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
    for (const role of ['button', 'menuitem'] as const)
      expect(await page.getByRole(role, { name: 'Confirm' }).count()).toBe(0)
  })
})

test('a webhook is paused, resumed and deleted; a script in its name does not run', async () => {
  const { tab, page, requestAsOwner, ids } = await openWebhooks(undefined, XSS_PAYLOAD)
  await webhookRow(page, XSS_PAYLOAD).getByRole('link').click()
  await waitForHeading(page, XSS_PAYLOAD)
  await chooseMenuItem(page, `Change ${XSS_PAYLOAD}`, 'Pause')
  await page.getByText('Nothing is sent until somebody resumes it.').waitFor()
  await pressButton(page, 'Resume')
  await page.getByText('Nothing is sent until somebody resumes it.').waitFor({ state: 'detached' })
  await chooseMenuItem(page, `Change ${XSS_PAYLOAD}`, 'Edit')
  await fillIn(page, { Name: 'Second name' })
  await pressButton(page, 'Save')
  await waitForHeading(page, 'Second name')
  await requestAsOwner('PATCH', '/api/webhooks', { id: ids[0], name: 'Third name' })
  await waitForHeading(page, 'Third name')
  await chooseMenuItem(page, 'Change Third name', 'Delete…')
  await page.getByRole('dialog', { name: 'Delete the webhook “Third name”?' }).waitFor()
  await pressButton(page, 'Delete webhook')
  await page.getByText('No webhooks yet').waitFor()
  await expectNoPageErrors(tab)
})

test('failed deliveries are filtered, and sent again since a time', async () => {
  const { page, ids, requestAsOwner } = await openWebhooks(undefined, 'Ban log')
  receiver.respondWith(() => new Response(null, { status: 500 }))
  // A test is sent once, so it fails for good.
  await requestAsOwner('POST', '/api/webhooks/test', { id: ids[0] })
  await receiveRequest(1)
  await webhookRow(page, 'Ban log').getByRole('link').click()
  await deliveries(page).getByText('Failed').waitFor()
  await page.getByLabel('Status').selectOption('delivered')
  await page.getByText('No matching deliveries').waitFor()
  await page.getByLabel('Status').selectOption('failed')
  await deliveries(page).getByText('webhook.test').waitFor()
  receiver.respondWith(() => new Response(null, { status: 204 }))
  await chooseMenuItem(page, 'Change Ban log', 'Resend since…')
  await pressButton(page, 'Resend')
  await page.getByText('1 delivery is sent again.').waitFor()
  await receiveRequest(2)
  await page.getByText('No matching deliveries').waitFor()
})

test('without the permission there is no link and no list; events that one may not view cannot be chosen', async () => {
  const { page } = await openWebhooks(['usage.view'])
  await page.getByText('You don’t have access').waitFor()
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  receiver.stop()
  const { page: limited } = await openWebhooks(['webhooks.manage', 'events.view'])
  await pressButton(limited, 'New webhook')
  await limited.getByRole('group', { name: 'Appeals' }).waitFor()
  await expectSettled(() => limited.getByRole('checkbox', { name: 'ban.created' }).isDisabled(), true)
  await expectSettled(() => limited.getByRole('checkbox', { name: 'event.published' }).isDisabled(), false)
})
