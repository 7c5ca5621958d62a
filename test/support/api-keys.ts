import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import type { openE2eWorkspaces } from './fresh-workspace.ts'

/** Where the portal reads and makes keys. */
export const PATH = '/portal/api/api-keys'

/** A key and its secret, as it was made. */
export interface CreatedKey {
  readonly id: string
  readonly hint: string
  readonly secret: string
}

/** The screen of a workspace that has some keys already, each for the ban check. */
export async function openApiKeysScreen(
  e2e: Awaited<ReturnType<typeof openE2eWorkspaces>>,
  permissions?: readonly Permission[],
  ...names: readonly string[]
) {
  const workspace = await e2e.createWorkspace(permissions)
  const createdKeys: CreatedKey[] = []
  for (const name of names) {
    const body = { name, permissions: 'moderation.view' }
    const { apiKey, secret } = await workspace.requestAsOwner('POST', PATH, body)
    createdKeys.push({ ...apiKey, secret })
  }
  const tab = await workspace.openScreen('/configuration/api/keys', 'API keys')
  return {
    ...workspace,
    tab,
    page: tab.page,
    createdKeys,
    /** What the server says of the keys. */
    listKeys: async () => (await workspace.readAsOwner(PATH)).apiKeys,
    /** How a ban check with a key is answered. */
    async checkBans(secret: string): Promise<readonly [number, string | undefined]> {
      const { status, body } = await workspace.requestWithKey(secret, 'moderation?banList=true')
      return [status, (body as { reason?: string }).reason]
    },
  }
}

/** The row of a key in the list. */
export const keyRow = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** The secret that is shown. */
export const readSecret = async (page: Page) =>
  (await page.getByRole('group', { name: 'API key' }).textContent()) ?? ''
/** The line that tries the key. */
export const readTryItCommand = async (page: Page) =>
  (await page.getByRole('group', { name: 'Try it' }).textContent()) ?? ''

/** Chooses what to do with a key. */
export async function chooseKeyAction(page: Page, name: string, menuItem: string): Promise<void> {
  await keyRow(page, name)
    .getByRole('button', { name: RegExp(`^Change ${name}`) })
    .click()
  await page.getByRole('menuitem', { name: menuItem }).click()
}
