import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import {
  type CreatedKey,
  chooseKeyAction,
  keyRow,
  openApiKeysScreen,
  PATH,
  readSecret,
} from '../support/api-keys.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  ARCHIVED,
  expectBlocked,
  expectFocus,
  expectSettled,
  pressButton,
  reloadAndFollow,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

describe('rotating and revoking', () => {
  test('a rotated key keeps working for the grace period, and can be revoked sooner', async () => {
    const { tab, page, createdKeys, checkBans } = await openApiKeysScreen(e2e, undefined, 'Main server')
    const [old] = createdKeys as [CreatedKey]
    await chooseKeyAction(page, 'Main server', 'Rotate')
    await page.getByLabel('Grace period of the current key').selectOption({ label: '7 days' })
    await page.getByText(`…${old.hint} works until`).waitFor()
    await pressButton(page, 'Rotate key')
    const secret = await readSecret(page)
    await pressButton(page, 'I have stored it')
    expect([await checkBans(old.secret), await checkBans(secret)]).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    const former = keyRow(page, `…${old.hint}`)
    await former.getByText('Rotated').waitFor()
    await former.getByText('Works until').waitFor()
    await former.getByRole('button', { name: /^Change/ }).click()
    await expectSettled(() => page.getByRole('menuitem', { name: 'Rotate' }).isDisabled(), true)
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: `Revoke the key “Main server” (…${old.hint})?` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await checkBans(old.secret)).toEqual([200, undefined])
    await former.getByRole('button', { name: /^Change/ }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByText('Last used').waitFor()
    await pressButton(page, 'Revoke key')
    await page.getByText(`Revoked the key “Main server” (…${old.hint}).`).waitFor()
    expect([await checkBans(old.secret), await checkBans(secret)]).toEqual([
      [401, 'key_revoked'],
      [200, undefined],
    ])
    await page.getByText('Revoked or expired', { exact: true }).click()
    await former.getByText('Revoked').waitFor()
    await former.getByRole('button', { name: /^Details/ }).click()
    await former.getByText('by robin').first().waitFor()
    expect(await former.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await expectNoPageErrors(tab)
  })

  test('a key that expires works no longer than that after a rotation unless somebody chooses so, and the dialog and the list say so', async () => {
    const { tab, page, requestAsOwner } = await openApiKeysScreen(e2e)
    const expiresAt = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const fields = { name: 'Lobby', permissions: 'moderation.view', expiresAt }
    const { apiKey } = await requestAsOwner('POST', PATH, fields)
    await page.reload()
    const old = keyRow(page, `…${apiKey.hint}`)
    const time = (await old.locator('time').first().textContent()) ?? ''
    await old.getByText(`Works until ${time}`).waitFor()
    await chooseKeyAction(page, 'Lobby', 'Rotate')
    const dialog = page.getByRole('dialog')
    const expiry = dialog.getByLabel('Expiry of the new key')
    await expectSettled(() => expiry.locator('option:checked').textContent(), `As before: ${time}`)
    await dialog.getByLabel('Grace period of the current key').selectOption({ label: '30 days' })
    await dialog.getByText(`…${apiKey.hint} works until ${time}.`).waitFor()
    await pressButton(page, 'Rotate key')
    await pressButton(page, 'I have stored it')
    await old.getByText('Rotated').waitFor()
    expect(await page.getByText(`Works until ${time}`).count()).toBe(2)
    await old.getByRole('button', { name: /^Details/ }).click()
    await old.getByText('by robin').last().waitFor()
    const times = await old.locator('dl').locator('time').allTextContents()
    expect(times.slice(1)).toEqual([time, time])
    await expectNoPageErrors(tab)
  })

  test('the new key gets the expiry that the user chooses, and an invalid one is rejected', async () => {
    const { tab, page, requestAsOwner, listKeys } = await openApiKeysScreen(e2e)
    const expiresAt = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const fields = { name: 'Lobby', permissions: 'moderation.view', expiresAt }
    const { apiKey } = await requestAsOwner('POST', PATH, fields)
    await reloadAndFollow(tab)
    await chooseKeyAction(page, 'Lobby', 'Rotate')
    const expiry = page.getByLabel('Expiry of the new key')
    await expiry.selectOption({ label: 'Custom…' })
    await pressButton(page, 'Rotate key')
    await page.getByText('Expires at is required.').waitFor()
    await page.getByLabel('Expires at').fill('2020-01-01T12:00')
    await pressButton(page, 'Rotate key')
    await page.getByText('Expires at must be in the future.').waitFor()
    await expiry.selectOption({ label: 'After 90 days' })
    const rotatedAt = Date.now()
    await pressButton(page, 'Rotate key')
    await pressButton(page, 'I have stored it')
    await keyRow(page, `…${apiKey.hint}`).getByText('Rotated').waitFor()
    const [rotated] = (await listKeys()).filter(({ id }: { id: string }) => id !== apiKey.id)
    const lifetime = Date.parse(rotated.expiresAt) - rotatedAt
    expect(Math.round(lifetime / DAY_MS)).toBe(90)
    await expectNoPageErrors(tab)
  })

  test('a leaked key is rotated without a grace period', async () => {
    const { page, createdKeys, checkBans } = await openApiKeysScreen(e2e, undefined, 'Main server')
    const [leaked] = createdKeys as [CreatedKey]
    await chooseKeyAction(page, 'Main server', 'Rotate')
    await page.getByLabel('Grace period of the current key').selectOption({ label: 'None: revoke it now' })
    await pressButton(page, 'Rotate key')
    expect(await checkBans(await readSecret(page))).toEqual([200, undefined])
    expect(await checkBans(leaked.secret)).toEqual([401, 'key_revoked'])
  })

  test('a key that someone else creates or revokes updates live; a script in its name does not run', async () => {
    const { tab, page, requestAsOwner } = await openApiKeysScreen(e2e)
    await reloadAndFollow(tab)
    await page.getByText('No API keys yet').waitFor()
    const { apiKey } = await requestAsOwner('POST', PATH, { name: SCRIPT, permissions: 'moderation.view' })
    await keyRow(page, SCRIPT).waitFor()
    await keyRow(page, SCRIPT)
      .getByRole('button', { name: /^Change/ })
      .click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: `Revoke the key “${SCRIPT}”` }).waitFor()
    await pressButton(page, 'Cancel')
    await requestAsOwner('POST', `${PATH}/revoke`, { id: apiKey.id })
    await page.getByText('No API keys yet').waitFor()
    await expectSettled(() => page.title(), 'API keys · Night Shift · Reeve')
    await expectNoPageErrors(tab)
  })

  test('in an archived workspace keys cannot be created, but can be revoked', async () => {
    const { tab, page, workspaceId, createdKeys, checkBans } = await openApiKeysScreen(
      e2e,
      undefined,
      'Main server',
    )
    await reloadAndFollow(tab)
    await keyRow(page, 'Main server').waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await e2e.server.requestOk('POST', '/api/workspaces', { session: e2e.owner.session, body })
    await page.getByRole('alert').getByText('This workspace is archived').waitFor()
    await expectBlocked(page, 'New key', ARCHIVED)
    await chooseKeyAction(page, 'Main server', 'Revoke')
    await pressButton(page, 'Revoke key')
    await page.getByText('No API keys yet').waitFor()
    expect(await checkBans(createdKeys[0]?.secret ?? '')).toEqual([401, 'key_revoked'])
  })
})

test('a key is found, rotated and stored with the keyboard alone; the reference is one link away', async () => {
  const { page } = await openApiKeysScreen(e2e, undefined, 'Main server')
  await page.getByRole('button', { name: /^Change Main server/ }).focus()
  await page.keyboard.press('Enter')
  // Menus are loaded when the first one opens.
  await page.getByRole('menu').waitFor()
  await expectFocus(page, 'Rotate')
  await page.keyboard.press('Enter')
  await page.getByLabel('Grace period of the current key').waitFor()
  await expectFocus(page, 'graceSeconds')
  await page.keyboard.press('Tab')
  await expectFocus(page, 'expiry')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'The key “Main server” is ready' }).waitFor()
  await expectFocus(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').nth(1).waitFor()
  const reference = page.getByRole('main').getByRole('link', { name: 'API reference' })
  await expectSettled(() => reference.getAttribute('href'), '/docs')
})
