import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import type { E2eSession } from './e2e-session.ts'
import { chooseMenuItem } from './page-actions.ts'

export const PATH = '/portal/api/api-keys'

/** A new key with its secret. */
export interface CreatedKey {
  readonly id: string
  readonly hint: string
  readonly secret: string
}

/** Opens the API keys screen of a workspace with keys for the ban check. */
export async function openApiKeysScreen(
  e2e: E2eSession,
  permissions?: readonly Permission[],
  ...names: readonly string[]
) {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const createdKeys: CreatedKey[] = []
  for (const name of names) {
    const body = { name, permissions: 'moderation.view' }
    const { apiKey, secret } = await workspace.requestAsOwner('POST', PATH, body)
    createdKeys.push({ ...apiKey, secret })
  }
  const tab = await workspace.openScreen('/configuration/api/keys', { heading: 'API keys' })
  return {
    ...workspace,
    tab,
    page: tab.page,
    createdKeys,
    listKeys: async () => (await workspace.readAsOwner(PATH)).apiKeys,
    /** Status and reason of a ban check with a key. */
    async checkBans(secret: string): Promise<readonly [number, string | undefined]> {
      const { status, body } = await workspace.requestWithKey(secret, 'moderation?banList=true')
      return [status, (body as { reason?: string }).reason]
    },
  }
}

export const keyRow = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** The secret on the page. */
export const readSecret = async (page: Page) =>
  (await page.getByRole('group', { name: 'API key' }).textContent()) ?? ''
/** The example command on the page. */
export const readTryItCommand = async (page: Page) =>
  (await page.getByRole('group', { name: 'Try it' }).textContent()) ?? ''

export const chooseKeyAction = (page: Page, name: string, item: string): Promise<void> =>
  chooseMenuItem(page, RegExp(`^Change ${name}`), item)
