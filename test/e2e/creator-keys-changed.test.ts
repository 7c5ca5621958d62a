import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseMenuItem } from '../support/page-actions.ts'
import { GROUP } from '../support/server.ts'
import { openStaffSession } from '../support/staff-session.ts'

/** Keys and webhooks that change while a dialog lists them, by people whom the user does not follow live. */

const e2e = useSession(openStaffSession)
const CHANGED = 'The API keys and webhooks have changed since you opened this dialog.'

const REFUSED_BY_RATE_LIMIT = {
  status: 429,
  headers: { 'retry-after': '1' },
  json: { error: 'Too many attempts.', code: 'rate_limited', requestId: 'r-1' },
}

/** A member who removes and demotes others, and sees neither API keys nor webhooks change. */
let lead: string
beforeAll(async () => {
  const permissions = 'members.view,members.manage,roles.view'
  const { role } = await e2e.requestAsOwner('POST', '/portal/api/roles', {
    ...{ name: 'Keeper', rank: '90', permissions },
  })
  lead = await e2e.addMember('redshank', role.id)
})

interface CreatedKey {
  readonly id: string
  readonly secret: string
}

async function createKeyLead(username: string) {
  const session = await e2e.server.createMember(e2e.owner, username, [
    'departments.view',
    'moderation.view',
    'api_keys.manage',
    'webhooks.manage',
  ])
  const request = async (path: string, body: object) =>
    (
      await e2e.server.requestOk('POST', path, {
        session,
        body: { workspaceId: e2e.workspaceId, ...body },
      })
    ).body
  const createKey = async (name: string): Promise<CreatedKey> => {
    const { apiKey, secret } = await request('/portal/api/api-keys', {
      name,
      permissions: 'departments.view',
    })
    return { id: apiKey.id, secret }
  }
  return {
    first: await createKey('First'),
    second: await createKey('Second'),
    createWebhook: async (name: string): Promise<string> => {
      const fields = { name, url: 'https://example.com/hooks', events: 'ban.created' }
      return (await request('/api/webhooks', fields)).webhook.id
    },
    rotate: async ({ id }: CreatedKey, graceSeconds: string): Promise<CreatedKey> => {
      const { apiKey, secret } = await request('/portal/api/api-keys/rotate', { id, graceSeconds })
      return { id: apiKey.id, secret }
    },
  }
}
const revokeAsOwner = ({ id }: CreatedKey) =>
  e2e.requestAsOwner('POST', '/portal/api/api-keys/revoke', { id })
const readWithKeys = (...keys: CreatedKey[]) =>
  Promise.all(
    keys.map(
      async ({ secret }) =>
        (await e2e.server.requestWithKey(secret, `/api/departments?workspaceId=${e2e.workspaceId}`)).status,
    ),
  )
async function openRemoval(page: Page, username: string) {
  await chooseMenuItem(page, `Actions for ${username}`, 'Remove')
  const dialog = page.getByRole('dialog', { name: `Remove ${username} from ${GROUP}?` })
  await dialog.getByText('2 API keys to revoke').waitFor()
  return { dialog, submit: () => dialog.getByRole('button', { name: `Remove ${username}` }).click() }
}

test('a member is removed at the first attempt if one of their listed API keys has been revoked since', async () => {
  const { first, second } = await createKeyLead('heron')
  const { page } = await e2e.openPeopleScreen(lead)
  const { submit } = await openRemoval(page, 'heron')
  await revokeAsOwner(first)
  await submit()
  await page.getByText('Removed heron.').waitFor()
  expect(await readWithKeys(first, second)).toEqual([401, 401])
})

test.each([
  ['at once', '0', '2 API keys to revoke'],
  ['with a grace period', '3600', '3 API keys to revoke'],
])(
  'a demotion first lists the API key with which somebody has replaced a listed one %s, and then revokes all',
  async (name, graceSeconds, label) => {
    const username = `plover ${name.length}`
    const { first, second, rotate } = await createKeyLead(username)
    const { page } = await e2e.openPeopleScreen(lead)
    await chooseMenuItem(page, `Actions for ${username}`, 'Change roles')
    const dialog = page.getByRole('dialog', { name: `Roles of ${username}` })
    await dialog.getByRole('checkbox', { name: `Role of ${username}` }).click()
    await dialog.getByText('2 API keys to revoke').waitFor()
    const successor = await rotate(first, graceSeconds)
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await dialog.getByText(CHANGED).waitFor()
    await dialog.getByText(label).waitFor()
    expect((await readWithKeys(second, successor)).join()).toBe('200,200')
    await dialog.getByRole('button', { name: 'Change roles' }).click()
    await page.getByText(`Changed the roles of ${username}.`).waitFor()
    expect(await readWithKeys(first, second, successor)).toEqual([401, 401, 401])
  },
)

test('an operator disables an account at the first attempt if one of its API keys was revoked and one of its webhooks paused since', async () => {
  const { first, second, createWebhook } = await createKeyLead('curlew')
  const [log, bot] = [await createWebhook('Log'), await createWebhook('Bot')]
  const { page } = await e2e.openScreen('/operator/accounts?q=curlew', { heading: 'Accounts' })
  await chooseMenuItem(page, 'Actions for curlew', 'Disable…')
  const dialog = page.getByRole('dialog', { name: 'Disable curlew?' })
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByText('2 webhooks to pause').waitFor()
  await revokeAsOwner(second)
  await e2e.requestAsOwner('PATCH', '/api/webhooks', { id: log, action: 'pause' })
  await dialog.getByRole('button', { name: 'Disable account' }).click()
  await page.getByText('Disabled curlew.').waitFor()
  expect(await readWithKeys(first, second)).toEqual([401, 401])
  const { webhook } = await e2e.readAsOwner('/api/webhooks', { id: bot })
  expect(webhook.state).toBe('paused')
})

test('a removal whose response was lost is confirmed when it is sent again, also after a refusal by the rate limit', async () => {
  const { first, second } = await createKeyLead('dunlin')
  const { page } = await e2e.openPeopleScreen(e2e.owner.session)
  const { dialog, submit } = await openRemoval(page, 'dunlin')
  let removals = 0
  await page.route(
    (url) => url.pathname === '/portal/api/members',
    async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      removals += 1
      if (removals > 2) return route.continue()
      if (removals === 2) return route.fulfill(REFUSED_BY_RATE_LIMIT)
      await route.fetch()
      return route.abort()
    },
  )
  await submit()
  await dialog.getByText('Reeve cannot be reached.').waitFor()
  expect(await readWithKeys(first, second)).toEqual([401, 401])
  await submit()
  await dialog.getByText('Too many attempts.').waitFor()
  await submit()
  await page.getByText('Removed dunlin.').waitFor()
})
