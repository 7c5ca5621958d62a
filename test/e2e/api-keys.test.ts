import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { lineOf, openKeys, PATH, row, secretOf } from '../support/api-keys.ts'
import { openFreshWorkspaces } from '../support/fresh-workspace.ts'
import { expectFocus, expectSoon, failAt, fillIn, noteOf, press, typedIn } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let at: Awaited<ReturnType<typeof openFreshWorkspaces>>
beforeAll(async () => {
  at = await openFreshWorkspaces()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

/** Runs a line as somebody does who pasted it into a terminal. */
async function inTerminal(line: string) {
  const shell = Bun.spawn(['sh', '-c', `${line} --silent --write-out '\\n%{http_code}'`], { stdout: 'pipe' })
  const [body = '', status = ''] = (await new Response(shell.stdout).text()).split(/\n(?=\d+$)/)
  return { status, body: JSON.parse(body) }
}

describe('a new key', () => {
  test('is made by a preset, shown this once, and works by the line beside it', async () => {
    const { opened, page, keys, check } = await openKeys(at)
    await press(page, 'Make the first key')
    await fillIn(page, { Name: 'Main server', 'Allowed addresses': '127.0.0.1\n203.0.113.9/24' })
    await page.getByLabel('When it ends').selectOption({ label: 'After 30 days' })
    await press(page, 'Make the key')
    await page.getByRole('dialog', { name: 'The key “Main server” is ready' }).waitFor()
    const secret = await secretOf(page)
    const [key] = await keys()
    expect(key).toMatchObject({
      permissions: '["moderation.view"]',
      allowedAddresses: '127.0.0.1, 203.0.113.0/24',
      hint: secret.slice(-4),
      lastUsedAt: null,
    })
    expect(Math.round((Date.parse(key.expiresAt) - Date.now()) / 3_600_000)).toBe(30 * 24)
    const answer = await inTerminal(await lineOf(page))
    expect(answer).toEqual({ status: '200', body: { bans: [], nextCursor: null } })
    await page.keyboard.press('Escape')
    expect(await secretOf(page)).toBe(secret)
    await press(page, 'I have stored it')
    await row(page, 'Main server').waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.reload()
    await row(page, 'Main server').getByText('from 127.0.0.1').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await check(secret)).toEqual([200, undefined])
    await expectCalm(opened)
  })

  test('is copied by one press, as is the line', async () => {
    const { opened, page } = await openKeys(at)
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'New key')
    await fillIn(page, { Name: 'Main server' })
    await press(page, 'Make the key')
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await press(page, 'Copy: API key')
    await page.getByRole('button', { name: 'Copied: API key' }).waitFor()
    expect(await copied()).toBe(await secretOf(page))
    await press(page, 'Copy: Try it')
    await page.getByRole('button', { name: 'Copied: Try it' }).waitFor()
    expect(await copied()).toBe(await lineOf(page))
  })

  test('of any permission to read has a line that is answered; one that only writes has none', async () => {
    const { page } = await openKeys(at)
    const words: Readonly<Record<string, string>> = {
      'Read published events': 'events',
      'Read departments': 'departments',
      'Read the workspace and the list of its archives': 'workspaces',
      'Read roles and their permissions': 'roles',
      'Read which endpoints are switched off': 'controls',
    }
    for (const [permission, answered] of Object.entries(words)) {
      await press(page, 'New key')
      await fillIn(page, { Name: answered })
      await page.getByLabel('Something else').check()
      await page.getByLabel('Read bans, ban history').uncheck()
      await page.getByLabel(permission).check()
      await press(page, 'Make the key')
      const { status, body } = await inTerminal(await lineOf(page))
      expect([permission, status, Object.keys(body)]).toEqual([
        permission,
        '200',
        expect.arrayContaining([answered]),
      ])
      await press(page, 'I have stored it')
    }
    await press(page, 'New key')
    await fillIn(page, { Name: 'Writes' })
    await page.getByLabel('Something else').check()
    await page.getByLabel('Read bans, ban history').uncheck()
    await page.getByLabel('Warn players').check()
    await press(page, 'Make the key')
    await page.getByText('This key reads nothing').waitFor()
    expect(await page.getByRole('group', { name: 'Try it' }).count()).toBe(0)
  })

  test('that is refused says so beside what is wrong, and what was typed stays', async () => {
    const { page, keys } = await openKeys(at)
    await press(page, 'New key')
    await fillIn(page, { 'Allowed addresses': 'example.com' })
    await page.getByLabel('When it ends').selectOption({ label: 'At a time of your own…' })
    await fillIn(page, { End: '2020-01-01T12:00' })
    await press(page, 'Make the key')
    await page.getByText('Name is required.').waitFor()
    await expectFocus(page, 'name')
    expect((await noteOf(page, 'Allowed addresses'))[1]).toContain('example.com is neither')
    await fillIn(page, { Name: 'Main server', 'Allowed addresses': '' })
    await press(page, 'Make the key')
    await page.getByText('End must be in the future.').waitFor()
    await expectSoon(() => typedIn(page, 'Name'), 'Main server')
    await page.getByLabel('When it ends').selectOption({ label: 'Never: until it is revoked' })
    await page.getByLabel('Something else').check()
    await page.getByLabel('Read bans, ban history').uncheck()
    await press(page, 'Make the key')
    await page.getByText('Choose at least one').waitFor()
    expect(await keys()).toEqual([])
    await page.getByLabel('Bot: moderate').check()
    await press(page, 'Make the key')
    await secretOf(page)
    expect((await keys())[0]).toMatchObject({ name: 'Main server', expiresAt: null })
  })

  test('whose answer is lost, or that nobody could ask for, is told of, and nothing typed is lost', async () => {
    const { opened, page, keys } = await openKeys(at)
    await press(page, 'New key')
    await fillIn(page, { Name: 'Main server' })
    await opened.context.setOffline(true)
    await press(page, 'Make the key')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await opened.context.setOffline(false)
    expect(await keys()).toEqual([])
    await page.route(`**${PATH}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await press(page, 'Make the key')
    await page.getByText('The key may have been made all the same').waitFor()
    await expectSoon(() => typedIn(page, 'Name'), 'Main server')
    await press(page, 'Cancel')
    await row(page, 'Main server').waitFor()
    expect(await keys()).toHaveLength(1)
  })
})

describe('who may', () => {
  test('whoever does not manage keys neither finds nor sees nor makes them', async () => {
    const { workspaceId, session, page } = await openKeys(at, ['moderation.view', 'usage.view'])
    await page.getByText('This is not for you to see').waitFor()
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await expectSoon(() => page.getByRole('link', { name: 'Usage' }).count(), 1)
    const body = { workspaceId, name: 'Mine', permissions: 'moderation.view' }
    expect((await at.place.call('POST', PATH, { session, body })).status).toBe(403)
    expect((await at.place.call('GET', `${PATH}?workspaceId=${workspaceId}`, { session })).status).toBe(403)
  })

  test('a key is given no more than its maker has, and keys above one stay out of reach', async () => {
    const mine: Permission[] = ['api_keys.manage', 'moderation.view', 'departments.view']
    const { page, keys, username } = await openKeys(at, mine, 'Of the owner')
    await row(page, 'Of the owner').getByText('The owner made it').waitFor()
    expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await press(page, 'New key')
    await expectSoon(() => page.getByLabel('Bot: moderate').isDisabled(), true)
    await page.getByText('you may not do it yourself (“Add notes').first().waitFor()
    await page.getByLabel('Something else').check()
    const offered = page.getByRole('dialog').getByRole('checkbox')
    await expectSoon(() => offered.count(), 2)
    await page.getByLabel('Read departments').check()
    await fillIn(page, { Name: 'Mine' })
    await press(page, 'Make the key')
    await press(page, 'I have stored it')
    expect((await keys())[0]).toMatchObject({
      permissions: '["moderation.view","departments.view"]',
      createdByUsername: username,
    })
    await row(page, 'Mine')
      .getByRole('button', { name: /^Change/ })
      .waitFor()
  })

  test('of all there is, a key is offered what calls with a key can need, and nothing else', async () => {
    const { page } = await openKeys(at)
    const { body } = await at.place.must('GET', '/openapi.json')
    const paths: Record<string, Record<string, { 'x-permissions'?: string[] }>> = body.paths
    const needed = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation['x-permissions'] ?? []),
    )
    await press(page, 'New key')
    await page.getByLabel('Something else').check()
    const values = await page
      .getByRole('dialog')
      .getByRole('checkbox')
      .evaluateAll((boxes) => boxes.map((box) => (box as unknown as { value: string }).value))
    // Publishing is asked for by what is in an event, not by the address.
    expect(new Set(values)).toEqual(new Set([...needed, 'events.publish']))
  })
})

test('a list that cannot be read says so, and is read when there is an answer again', async () => {
  const { page } = await openKeys(at, undefined, 'Main server')
  await row(page, 'Main server').waitFor()
  await failAt(page, `**${PATH}?*`)
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await press(page, 'Try again')
  await row(page, 'Main server').waitFor()
})
