import type { Page } from 'playwright-core'
import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const PATH = '/portal/api/api-keys'

/** Keys in every state, an endpoint that is switched off, and usage. */
async function prepare({ server, owner: { session }, workspaceId }: ScreenContext): Promise<void> {
  const postInWorkspace = async (path: string, body: object) =>
    (await server.requestOk('POST', path, { session, body: { workspaceId, ...body } })).body
  const createKey = (name: string, permissions: string, fields: object = {}) =>
    postInWorkspace(PATH, { name, permissions, ...fields })
  const mainKey = await createKey('Main game server', 'moderation.view', {
    allowedAddresses: '127.0.0.1, ::1',
  })
  await createKey('W'.repeat(100), 'moderation.view,moderation.ban', {
    expiresAt: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),
  })
  const rotatedKey = await createKey('بوت الديسكورد', 'moderation.view,moderation.ban,moderation.unban')
  await postInWorkspace(`${PATH}/rotate`, { id: rotatedKey.apiKey.id, graceSeconds: '86400' })
  const revokedKey = await createKey('Test server', 'moderation.view')
  await postInWorkspace(`${PATH}/revoke`, { id: revokedKey.apiKey.id })
  const requestWithKey = (query: string) =>
    fetch(`${server.origin}/api/${query}workspaceId=${workspaceId}`, {
      headers: { authorization: `Bearer ${mainKey.secret}` },
    })
  for (let player = 260; player < 290; player++)
    await requestWithKey(`moderation?banList=true&userId=${player}&`)
  for (let more = 0; more < 5; more++) await requestWithKey('departments?')
}

const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function openForm(page: Page): Promise<void> {
  await pressButton(page, 'New key')
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
}

async function openControl(page: Page, title: string): Promise<void> {
  await pressButton(page, `Change ${title}`)
  await page.getByRole('dialog', { name: `Change ${title}` }).waitFor()
}

const createViewerSession = async ({ server, owner, workspaceId }: ScreenContext): Promise<string> =>
  server
    .createMember({ workspaceId, session: owner.session }, 'onlooker', [
      'endpoint_controls.view',
      'api_keys.manage',
    ])
    .catch(() => server.session('onlooker'))

/** API keys, endpoint controls and usage. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'api-keys',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      arrange: (page) => waitForText(page, 'Main game server'),
    },
    {
      name: 'api-keys-details',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async arrange(page) {
        await page
          .getByRole('button', { name: /^Details of/ })
          .first()
          .click()
        await page.getByText('Permissions').first().waitFor()
      },
    },
    {
      name: 'api-keys-ended',
      path: '/w/$/configuration/api/keys?show=ended',
      heading: 'API keys',
      arrange: (page) => waitForText(page, 'Test server'),
    },
    {
      name: 'api-keys-new',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      arrange: openForm,
    },
    {
      name: 'api-keys-new-refused',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      allowedErrors: /status of 400/,
      async arrange(page) {
        await openForm(page)
        await page.getByLabel('Something else').check()
        await fillIn(page, { 'Allowed IP addresses': 'example.com' })
        await pressButton(page, 'Create key')
        await page.getByText('Name is required.').waitFor()
      },
    },
    {
      name: 'api-keys-shown',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async arrange(page) {
        await openForm(page)
        await fillIn(page, { Name: 'Second game server' })
        await pressButton(page, 'Create key')
        await page.getByText('Copy the key now.').waitFor()
      },
    },
    {
      name: 'api-keys-rotate',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      async arrange(page) {
        await page.getByRole('button', { name: /^Change Main game server/ }).click()
        await page.getByRole('menuitem', { name: 'Rotate' }).click()
        await page.getByRole('dialog', { name: /^Rotate the key/ }).waitFor()
      },
    },
    {
      name: 'api-keys-out-of-reach',
      path: '/w/$/configuration/api/keys',
      heading: 'API keys',
      as: createViewerSession,
      arrange: (page) => waitForText(page, 'Only the owner can manage this key'),
    },
    {
      name: 'connect',
      path: '/w/$/configuration/connect',
      heading: 'Connect your game',
      arrange: (page) => waitForText(page, 'Create a key first.'),
    },
    {
      name: 'connect-waiting',
      path: '/w/$/configuration/connect',
      heading: 'Connect your game',
      async arrange(page) {
        await pressButton(page, 'Create key')
        await waitForText(page, 'Waiting for the first request')
      },
    },
    {
      name: 'connect-connected',
      path: '/w/$/configuration/connect',
      heading: 'Connect your game',
      async arrange(page) {
        await pressButton(page, 'Create key')
        const program = page.getByRole('radiogroup', { name: 'Program' })
        await program.getByText('curl', { exact: true }).click()
        await waitForText(page, 'Waiting for the first request')
        const command = (await page.getByRole('group', { name: 'Command' }).textContent()) ?? ''
        await Bun.$`sh -c ${command}`.quiet()
        await waitForText(page, 'Connected.')
      },
    },
    {
      name: 'connect-typescript',
      path: '/w/$/configuration/connect',
      heading: 'Connect your game',
      async arrange(page) {
        const program = page.getByRole('radiogroup', { name: 'Program' })
        await program.getByText('TypeScript', { exact: true }).click()
        await waitForText(page, 'REEVE_KEY=')
      },
    },
    {
      name: 'controls',
      path: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      arrange: (page) => waitForText(page, 'Always on'),
    },
    {
      name: 'controls-switch',
      path: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      async arrange(page) {
        await openControl(page, 'Moderation')
        await page.getByLabel('Off').check()
        await fillIn(page, { Message: 'Closed for maintenance until 18:00 UTC.' })
        await page.getByText('"reason": "endpoint_disabled"').waitFor()
      },
    },
    {
      name: 'controls-looking',
      path: '/w/$/configuration/api/controls',
      heading: 'Endpoint controls',
      as: createViewerSession,
      arrange: (page) => waitForText(page, 'Always on'),
    },
    {
      name: 'controls-not-for-you',
      path: '/w/$/configuration/api/usage',
      heading: 'Usage',
      as: createViewerSession,
    },
    {
      name: 'usage',
      path: '/w/$/configuration/api/usage',
      heading: 'Usage',
      arrange: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-by-endpoint',
      path: '/w/$/configuration/api/usage?by=endpoint',
      heading: 'Usage',
      arrange: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-by-key',
      path: '/w/$/configuration/api/usage?by=actor',
      heading: 'Usage',
      arrange: (page) => page.getByRole('table').waitFor(),
    },
    {
      name: 'usage-none',
      path: '/w/$/configuration/api/usage?month=2026-01',
      heading: 'Usage',
      arrange: (page) => waitForText(page, 'No requests in January 2026'),
    },
    {
      name: 'usage-months',
      path: '/w/$/configuration/api/usage',
      heading: 'Usage',
      async arrange(page) {
        await page.getByRole('table').waitFor()
        await page.getByRole('button', { name: /: choose a month$/ }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Previous year' }).waitFor()
      },
    },
  ],
}
