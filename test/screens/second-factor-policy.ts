import type { Page } from 'playwright-core'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { readAuthenticator } from '../support/totp.ts'

const OWNER_NAME = 'hawthorn'
const workspaceIds = new Map<string, string>()
let session = ''

/** Two workspaces that require a second factor of a member who has none: one after a while, one at once. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(OWNER_NAME)
  session = await server.session(OWNER_NAME)
  const started = await server.requestOk('POST', '/portal/api/factors/totp', { session, body: {} })
  const { token, secret } = started.body
  const body = { token, code: readAuthenticator(secret, Date.now()) }
  await server.requestOk('POST', '/portal/api/factors/totp/confirm', { session, body })
  for (const [groupName, graceDays, member] of [
    ['Lighthouse', '14', 'mulberry'],
    ['Breakwater', '0', 'linden'],
  ] as const) {
    const created = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    const workspaceId = created.body.workspace.id
    workspaceIds.set(groupName, workspaceId)
    await server.createMember({ workspaceId, session }, member, ['moderation.view'])
    const permissions = '["moderation.view","moderation.ban"]'
    await server.requestOk('PATCH', '/portal/api/second-factor-policy', {
      session,
      body: { workspaceId, permissions, graceDays },
    })
  }
}

const asOwner = async (): Promise<string> => session
const pathOf = (groupName: string, screen = '') => `/w/${workspaceIds.get(groupName)}${screen}`
const settings = {
  path: () => pathOf('Lighthouse', '/configuration/workspace'),
  heading: 'Workspace',
  as: asOwner,
} as const
const showPolicy = (page: Page) => page.getByText('They have 14 days to add one.').scrollIntoViewIfNeeded()

/** A workspace that requires second factors: for the owner, and for a member who has none. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    { ...settings, name: 'workspace-second-factors', arrange: showPolicy },
    {
      ...settings,
      name: 'workspace-second-factors-dialog',
      async arrange(page) {
        await showPolicy(page)
        await pressButton(page, 'Change…')
        await page.getByRole('combobox', { name: 'Grace period' }).waitFor()
      },
    },
    {
      name: 'people-second-factors',
      path: () => pathOf('Lighthouse', '/people?factor=missing'),
      heading: 'People',
      as: asOwner,
      arrange: (page) => page.getByText('No second factor', { exact: true }).last().waitFor(),
    },
    {
      name: 'home-second-factor',
      path: () => pathOf('Lighthouse'),
      heading: 'Lighthouse',
      as: ({ server }) => server.session('mulberry'),
      arrange: (page) => page.getByText('This workspace requires a second factor').waitFor(),
    },
    {
      name: 'account-workspace-requires-factor',
      path: () => pathOf('Breakwater'),
      heading: 'Your account',
      as: ({ server }) => server.session('linden'),
      allowedErrors: /status of 403/,
      arrange: (page) => page.getByText('Breakwater requires a second factor').waitFor(),
    },
  ],
}
