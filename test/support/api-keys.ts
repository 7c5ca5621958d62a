import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import type { openFreshWorkspaces } from './fresh-workspace.ts'

/** Where the portal reads and makes keys. */
export const PATH = '/portal/api/api-keys'

/** A key and its secret, as it was made. */
export interface Made {
  readonly id: string
  readonly hint: string
  readonly secret: string
}

/** The screen of a workspace that has some keys already, each for the ban check. */
export async function openKeys(
  at: Awaited<ReturnType<typeof openFreshWorkspaces>>,
  permissions?: readonly Permission[],
  ...names: readonly string[]
) {
  const home = await at.workspace(permissions)
  const made: Made[] = []
  for (const name of names) {
    const body = { name, permissions: 'moderation.view' }
    const { apiKey, secret } = await home.must('POST', PATH, body)
    made.push({ ...apiKey, secret })
  }
  const opened = await home.visit('/configuration/api/keys', 'API keys')
  return {
    ...home,
    opened,
    page: opened.page,
    made,
    /** What the server says of the keys. */
    keys: async () => (await home.read(PATH)).apiKeys,
    /** How a ban check with a key is answered. */
    async check(secret: string): Promise<readonly [number, string | undefined]> {
      const { status, body } = await home.callWith(secret, 'moderation?banList=true')
      return [status, (body as { reason?: string }).reason]
    },
  }
}

/** The row of a key in the list. */
export const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** The secret that is shown. */
export const secretOf = async (page: Page) =>
  (await page.getByRole('group', { name: 'API key' }).textContent()) ?? ''
/** The line that tries the key. */
export const lineOf = async (page: Page) =>
  (await page.getByRole('group', { name: 'Try it' }).textContent()) ?? ''

/** Chooses what to do with a key. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: RegExp(`^Change ${name}`) })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}
