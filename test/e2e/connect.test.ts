import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { PATH, readSecret } from '../support/api-keys.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)
const SCREEN = '/configuration/connect'

/** Opens the screen of a new workspace. */
async function openConnect(permissions?: readonly Permission[]) {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const tab = await workspace.openScreen(SCREEN, { heading: 'Connect your game' })
  return { ...workspace, tab, page: tab.page }
}

const chooseProgram = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Program' }).getByText(name, { exact: true }).click()
/** The text of a block of lines to copy. */
const readLines = async (page: Page, label: string) =>
  (await page.getByRole('group', { name: label }).textContent()) ?? ''
/** Whether the game is connected. Each copy button has a status as well, which is empty. */
const getStatus = (page: Page) => page.getByRole('status').filter({ hasText: /\S/ }).first()
const readStatus = async (page: Page) => (await getStatus(page).textContent()) ?? ''

/** Runs a command as if pasted into a terminal. @returns its output */
async function runInTerminal(line: string): Promise<string> {
  const shell = Bun.spawn(['sh', '-c', `${line} --silent --fail`], { stdout: 'pipe' })
  return new Response(shell.stdout).text()
}

describe('connecting a game', () => {
  test('goes from nothing to the green line by running the curl line shown', async () => {
    const { tab, page, readAsOwner } = await openConnect()
    expect(await readStatus(page)).toBe('Create a key first.')
    await pressButton(page, 'Create key')
    const secret = await readSecret(page)
    const { apiKeys } = await readAsOwner(PATH)
    expect(apiKeys).toMatchObject([
      { name: 'Game server', permissions: '["moderation.view"]', lastUsedAt: null },
    ])
    await page.getByText('Waiting for the first request with this key.').waitFor()
    await chooseProgram(page, 'curl')
    const command = await readLines(page, 'Command')
    expect(command).toContain(secret)
    expect(JSON.parse(await runInTerminal(command))).toEqual({ bans: [], nextCursor: null })
    await page.getByText('Connected.').waitFor()
    expect(await readStatus(page)).toMatch(
      /^Connected\. The last request with this key arrived .* from 127\.0\.0\.1\.$/,
    )
    expect(await getStatus(page).getAttribute('style')).toContain('green')
    await expectNoPageErrors(tab)
  })

  test('to Roblox shows the values of the secret and a script, and offers the model', async () => {
    const { tab, page, workspaceId } = await openConnect()
    expect(await readField(page, 'Secret')).toBe('rve_…')
    await page.getByLabel('Game server: moderation').check()
    await pressButton(page, 'Create key')
    const secret = await readSecret(page)
    expect([await readField(page, 'Secret name'), await readField(page, 'Secret')]).toEqual(['reeve', secret])
    expect(await readField(page, 'Domain')).toBe('127.0.0.1')
    await page.getByText('Game servers of Roblox cannot reach http://127.0.0.1').waitFor()
    expect(await readLines(page, 'Script in ServerScriptService')).toContain('HttpService:GetSecret("reeve")')
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download reeve.rbxmx' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('reeve.rbxmx')
    expect(await Bun.file(await download.path()).text()).toContain(
      `<string name="Value">${workspaceId}</string>`,
    )
    await expectNoPageErrors(tab)
  })

  test('with TypeScript shows a program without the key, which is in an environment variable', async () => {
    const { tab, page, workspaceId } = await openConnect()
    await pressButton(page, 'Create key')
    const secret = await readSecret(page)
    await chooseProgram(page, 'TypeScript')
    expect(await readLines(page, 'Environment')).toBe(`REEVE_KEY=${secret}`)
    const program = await readLines(page, 'Program')
    expect(program).toContain(workspaceId)
    expect(program).not.toContain(secret)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await pressButton(page, 'Copy: Program')
    await page.getByRole('button', { name: 'Copied: Program' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(program)
  })

  test('offers only what the user may grant, and needs the permission to manage keys', async () => {
    const { page } = await openConnect(['api_keys.manage', 'moderation.view'])
    expect(await page.getByLabel('Game server: moderation').isDisabled()).toBe(true)
    expect(await page.getByLabel('Game server: ban check').isChecked()).toBe(true)
    const { page: other } = await openConnect(['moderation.view'])
    await other.getByText('You don’t have access').waitFor()
  })

  test('that fails to create a key shows why, and can be tried again', async () => {
    const { page, tab } = await openConnect()
    await tab.context.setOffline(true)
    await pressButton(page, 'Create key')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await tab.context.setOffline(false)
    await pressButton(page, 'Create key')
    await readSecret(page)
  })
})
