import type { Page } from 'playwright-core'
import { fillIn, press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

const PATH = '/portal/api/api-keys'

/** Keys of every standing, one endpoint that is off, and calls to count. */
async function prepare({ place, owner: { session }, workspaceId }: Scene): Promise<void> {
  const send = async (path: string, body: object) =>
    (await place.must('POST', path, { session, body: { workspaceId, ...body } })).body
  const make = (name: string, permissions: string, more: object = {}) =>
    send(PATH, { name, permissions, ...more })
  const main = await make('Main game server', 'moderation.view', { allowedAddresses: '127.0.0.1, ::1' })
  await make('W'.repeat(100), 'moderation.view,moderation.ban', {
    expiresAt: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),
  })
  const old = await make('بوت الديسكورد', 'moderation.view,moderation.ban,moderation.unban')
  await send(`${PATH}/rotate`, { id: old.apiKey.id, graceSeconds: '86400' })
  const leaked = await make('Test server', 'moderation.view')
  await send(`${PATH}/revoke`, { id: leaked.apiKey.id })
  const asKey = (query: string) =>
    fetch(`${place.origin}/api/${query}workspaceId=${workspaceId}`, {
      headers: { authorization: `Bearer ${main.secret}` },
    })
  for (let player = 260; player < 290; player++) await asKey(`moderation?banList=true&userId=${player}&`)
  for (let more = 0; more < 5; more++) await asKey('departments?')
}

const reading = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function openForm(page: Page): Promise<void> {
  await press(page, 'New key')
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
}

async function openSwitch(page: Page, title: string): Promise<void> {
  await press(page, `Switch ${title}`)
  await page.getByRole('dialog', { name: `Switch ${title}` }).waitFor()
}

const onlooker = async ({ place, owner, workspaceId }: Scene): Promise<string> =>
  place
    .member({ workspaceId, session: owner.session }, 'onlooker', [
      'endpoint_controls.view',
      'api_keys.manage',
    ])
    .catch(() => place.session('onlooker'))

/** The keys, the switches and the usage of the API. */
export const screens: Screens = {
  prepare,
  looks: [
    {
      name: 'api-keys',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      reach: (page) => reading(page, 'Main game server'),
    },
    {
      name: 'api-keys-details',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async reach(page) {
        await page
          .getByRole('button', { name: /^Details of/ })
          .first()
          .click()
        await page.getByText('It may').first().waitFor()
      },
    },
    {
      name: 'api-keys-ended',
      at: '/w/$/configuration/api/keys?show=ended',
      heading: 'API keys',
      reach: (page) => reading(page, 'Test server'),
    },
    {
      name: 'api-keys-new',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      reach: openForm,
    },
    {
      name: 'api-keys-new-refused',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      complaints: /status of 400/,
      async reach(page) {
        await openForm(page)
        await page.getByLabel('Something else').check()
        await fillIn(page, { 'Allowed addresses': 'example.com' })
        await press(page, 'Make the key')
        await page.getByText('Name is required.').waitFor()
      },
    },
    {
      name: 'api-keys-shown',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async reach(page) {
        await openForm(page)
        await fillIn(page, { Name: 'Second game server' })
        await press(page, 'Make the key')
        await page.getByText('Copy it now').waitFor()
      },
    },
    {
      name: 'api-keys-rotate',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async reach(page) {
        await page.getByRole('button', { name: /^Change Main game server/ }).click()
        await page.getByRole('menuitem', { name: 'Rotate' }).click()
        await page.getByRole('dialog', { name: /^Rotate the key/ }).waitFor()
      },
    },
    {
      name: 'api-keys-out-of-reach',
      at: '/w/$/configuration/api/keys',
      heading: 'API keys',
      as: onlooker,
      reach: (page) => reading(page, 'only the owner can end it'),
    },
    {
      name: 'controls',
      at: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      reach: (page) => reading(page, 'Always on'),
    },
    {
      name: 'controls-switch',
      at: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      async reach(page) {
        await openSwitch(page, 'Moderation')
        await page.getByLabel('Off').check()
        await fillIn(page, { Message: 'Closed for maintenance until 18:00 UTC.' })
        await page.getByText('"reason": "endpoint_disabled"').waitFor()
      },
    },
    {
      name: 'controls-looking',
      at: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      as: onlooker,
      reach: (page) => reading(page, 'Always on'),
    },
    {
      name: 'controls-not-for-you',
      at: '/w/$/configuration/api/usage',
      heading: 'Usage',
      as: onlooker,
    },
    {
      name: 'usage',
      at: '/w/$/configuration/api/usage',
      heading: 'Usage',
      reach: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-by-endpoint',
      at: '/w/$/configuration/api/usage?by=endpoint',
      heading: 'Usage',
      reach: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-by-key',
      at: '/w/$/configuration/api/usage?by=actor',
      heading: 'Usage',
      reach: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-none',
      at: '/w/$/configuration/api/usage?month=2026-01',
      heading: 'Usage',
      reach: (page) => reading(page, 'No calls in January 2026'),
    },
    {
      name: 'usage-months',
      at: '/w/$/configuration/api/usage',
      heading: 'Usage',
      async reach(page) {
        await page.getByRole('table').waitFor()
        await page.getByRole('button', { name: /: choose the month$/ }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
  ],
}
