import { describe, expect, test } from 'bun:test'
import { type Permission, webhookEvents } from '@reeve/core'
import { keyRow, openApiKeysScreen, PATH, readSecret, readTryItCommand } from '../support/api-keys.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  expectFocus,
  expectSettled,
  failRequests,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { limitRole } from '../support/role-limits.ts'

const e2e = useSession(openE2eSession)

/** Runs a command as if pasted into a terminal. */
async function inTerminal(line: string) {
  const shell = Bun.spawn(['sh', '-c', `${line} --silent --write-out '\\n%{http_code}'`], { stdout: 'pipe' })
  const [body = '', status = ''] = (await new Response(shell.stdout).text()).split(/\n(?=\d+$)/)
  return { status, body: JSON.parse(body) }
}

describe('a new key', () => {
  test('is created from a preset, shown once, and works with the example command', async () => {
    const { tab, page, listKeys, checkBans } = await openApiKeysScreen(e2e)
    await pressButton(page, 'Create your first key')
    await fillIn(page, { Name: 'Main server', 'Allowed IP addresses': '127.0.0.1\n203.0.113.9/24' })
    await page.getByLabel('Expiry').selectOption({ label: 'After 30 days' })
    await pressButton(page, 'Create key')
    await page.getByRole('dialog', { name: 'The key “Main server” is ready' }).waitFor()
    const secret = await readSecret(page)
    const [key] = await listKeys()
    expect(key).toMatchObject({
      permissions: '["moderation.view"]',
      allowedAddresses: '127.0.0.1, 203.0.113.0/24',
      hint: secret.slice(-4),
      lastUsedAt: null,
    })
    expect(Math.round((Date.parse(key.expiresAt) - Date.now()) / 3_600_000)).toBe(30 * 24)
    const response = await inTerminal(await readTryItCommand(page))
    expect(response).toEqual({ status: '200', body: { bans: [], nextCursor: null } })
    await page.keyboard.press('Escape')
    expect(await readSecret(page)).toBe(secret)
    await pressButton(page, 'I have stored it')
    await keyRow(page, 'Main server').waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.reload()
    await keyRow(page, 'Main server').getByText('from 127.0.0.1').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await checkBans(secret)).toEqual([200, undefined])
    await expectNoPageErrors(tab)
  })

  test('is copied with one click, as is the example command', async () => {
    const { tab, page } = await openApiKeysScreen(e2e)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await pressButton(page, 'New key')
    await fillIn(page, { Name: 'Main server' })
    await pressButton(page, 'Create key')
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await pressButton(page, 'Copy: API key')
    await page.getByRole('button', { name: 'Copied: API key' }).waitFor()
    expect(await copied()).toBe(await readSecret(page))
    await pressButton(page, 'Copy: Try it')
    await page.getByRole('button', { name: 'Copied: Try it' }).waitFor()
    expect(await copied()).toBe(await readTryItCommand(page))
  })

  test('with any read permission has an example command that succeeds; a write-only key has none', async () => {
    const { page } = await openApiKeysScreen(e2e)
    const labels: Readonly<Record<string, string>> = {
      'View published events': 'events',
      'View departments': 'departments',
      'View the workspace and the list of its archives': 'workspaces',
      'View roles and their permissions': 'roles',
      'View which endpoints are disabled': 'controls',
    }
    for (const [permission, answered] of Object.entries(labels)) {
      await pressButton(page, 'New key')
      await fillIn(page, { Name: answered })
      await page.getByLabel('Something else').check()
      await page.getByLabel('View bans, ban history').uncheck()
      await page.getByLabel(permission).check()
      await pressButton(page, 'Create key')
      const { status, body } = await inTerminal(await readTryItCommand(page))
      expect([permission, status, Object.keys(body)]).toEqual([
        permission,
        '200',
        expect.arrayContaining([answered]),
      ])
      await pressButton(page, 'I have stored it')
    }
    await pressButton(page, 'New key')
    await fillIn(page, { Name: 'Writes' })
    await page.getByLabel('Something else').check()
    await page.getByLabel('View bans, ban history').uncheck()
    await page.getByLabel('Warn players').check()
    await pressButton(page, 'Create key')
    await page.getByText('This key has no read permissions').waitFor()
    expect(await page.getByRole('group', { name: 'Try it' }).count()).toBe(0)
  })

  test('that is rejected shows the error next to the field, and the input stays', async () => {
    const { page, listKeys } = await openApiKeysScreen(e2e)
    await pressButton(page, 'New key')
    await fillIn(page, { 'Allowed IP addresses': 'example.com' })
    await page.getByLabel('Expiry').selectOption({ label: 'Custom…' })
    await fillIn(page, { 'Expires at': '2020-01-01T12:00' })
    await pressButton(page, 'Create key')
    await page.getByText('Name is required.').waitFor()
    await expectFocus(page, 'name')
    expect((await readFieldNote(page, 'Allowed IP addresses'))[1]).toContain('example.com is neither')
    await fillIn(page, { Name: 'Main server', 'Allowed IP addresses': '' })
    await pressButton(page, 'Create key')
    await page.getByText('Expires at must be in the future.').waitFor()
    await expectSettled(() => readField(page, 'Name'), 'Main server')
    await page.getByLabel('Expiry').selectOption({ label: 'Never' })
    await page.getByLabel('Something else').check()
    await page.getByLabel('View bans, ban history').uncheck()
    await pressButton(page, 'Create key')
    await page.getByText('Select at least one permission.').waitFor()
    expect(await listKeys()).toEqual([])
    await page.getByLabel('Bot: moderation').check()
    await pressButton(page, 'Create key')
    await readSecret(page)
    expect((await listKeys())[0]).toMatchObject({ name: 'Main server', expiresAt: null })
  })

  test('whose response is lost, or that cannot be requested, shows a warning, and the input stays', async () => {
    const { tab, page, listKeys } = await openApiKeysScreen(e2e)
    await pressButton(page, 'New key')
    await fillIn(page, { Name: 'Main server' })
    await tab.context.setOffline(true)
    await pressButton(page, 'Create key')
    await page.getByRole('dialog').getByText('You are offline. Try again once you are connected.').waitFor()
    await tab.context.setOffline(false)
    expect(await listKeys()).toEqual([])
    await page.route(`**${PATH}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pressButton(page, 'Create key')
    await page.getByText('The key may have been created anyway.').waitFor()
    await expectSettled(() => readField(page, 'Name'), 'Main server')
    await pressButton(page, 'Cancel')
    await keyRow(page, 'Main server').waitFor()
    expect(await listKeys()).toHaveLength(1)
  })
})

describe('permissions', () => {
  test('without permission to manage keys, there is no link, no list and no creation', async () => {
    const { workspaceId, session, page } = await openApiKeysScreen(e2e, ['moderation.view', 'usage.view'])
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await expectSettled(() => page.getByRole('link', { name: 'Usage' }).count(), 1)
    const body = { workspaceId, name: 'Mine', permissions: 'moderation.view' }
    expect((await e2e.server.request('POST', PATH, { session, body })).status).toBe(403)
    expect((await e2e.server.request('GET', `${PATH}?workspaceId=${workspaceId}`, { session })).status).toBe(
      403,
    )
  })

  test('a key gets no permission that its creator lacks, and keys of a higher rank cannot be managed', async () => {
    const permissionSet: Permission[] = ['api_keys.manage', 'moderation.view', 'departments.view']
    const { page, listKeys, username } = await openApiKeysScreen(e2e, permissionSet, 'Of the owner')
    await keyRow(page, 'Of the owner').getByText('Only the owner can manage this key').waitFor()
    expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await pressButton(page, 'New key')
    await expectSettled(() => page.getByLabel('Bot: moderation').isDisabled(), true)
    await page.getByText('you do not have the permission “Add notes').first().waitFor()
    await page.getByLabel('Something else').check()
    const offered = page.getByRole('dialog').getByRole('checkbox')
    await expectSettled(() => offered.count(), 3)
    await page.getByLabel('View departments').check()
    await fillIn(page, { Name: 'Mine' })
    await pressButton(page, 'Create key')
    await pressButton(page, 'I have stored it')
    expect((await listKeys())[0]).toMatchObject({
      permissions: '["moderation.view","departments.view"]',
      createdByUsername: username,
    })
    await keyRow(page, 'Mine')
      .getByRole('button', { name: /^Change/ })
      .waitFor()
  })

  test('a key of a moderator with limits has the same limits, and its row lists them', async () => {
    const { page, session, workspaceId, username } = await openApiKeysScreen(e2e, [
      'api_keys.manage',
      'moderation.view',
      'moderation.ban',
    ])
    await limitRole(e2e.server, { workspaceId, session: e2e.owner.session }, `Role of ${username}`, {
      longestBanSeconds: '604800',
      evidenceFromSeverity: 'high',
    })
    await e2e.server.requestOk('POST', PATH, {
      session,
      body: { workspaceId, name: 'Mine', permissions: 'moderation.view,moderation.ban' },
    })
    await keyRow(page, 'Mine')
      .getByText('Limits: bans up to 1 week, evidence from severity high upwards')
      .waitFor()
  })

  test('the offered permissions are exactly those that API requests, and webhooks of a key, can require', async () => {
    const { page } = await openApiKeysScreen(e2e)
    const { body } = await e2e.server.requestOk('GET', '/openapi.json')
    const paths: Record<string, Record<string, { 'x-permissions'?: string[] }>> = body.paths
    const needed = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation['x-permissions'] ?? []),
    )
    await pressButton(page, 'New key')
    await page.getByLabel('Something else').check()
    const values = await page
      .getByRole('dialog')
      .getByRole('checkbox')
      .evaluateAll((boxes) => boxes.map((box) => (box as unknown as { value: string }).value))
    // Required by the request body, not by a route.
    const neededByBodies = ['events.publish', 'moderation.override']
    const neededByWebhooks = Object.values(webhookEvents).map(({ permission }) => permission)
    expect(new Set(values)).toEqual(new Set([...needed, ...neededByBodies, ...neededByWebhooks]))
  })
})

test('a list that fails to load shows the error, and loads on retry', async () => {
  const { page } = await openApiKeysScreen(e2e, undefined, 'Main server')
  await keyRow(page, 'Main server').waitFor()
  await failRequests(page, `**${PATH}?*`)
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await pressButton(page, 'Try again')
  await keyRow(page, 'Main server').waitFor()
})
