import { describe, expect, test } from 'bun:test'
import {
  type CreatedKey,
  chooseKeyAction,
  keyRow,
  openApiKeysScreen,
  PATH,
  readSecret,
} from '../support/api-keys.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectEventually, expectFocus, pressButton, reloadAndFollow } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

describe('rotating and revoking', () => {
  test('a rotated key works on beside the new one for the time chosen, and can be ended sooner', async () => {
    const { tab, page, createdKeys, checkBans } = await openApiKeysScreen(e2e, undefined, 'Main server')
    const [old] = createdKeys as [CreatedKey]
    await chooseKeyAction(page, 'Main server', 'Rotate')
    await page.getByLabel('The present key works on').selectOption({ label: 'For a week' })
    await page.getByText(`…${old.hint} is refused from`).waitFor()
    await pressButton(page, 'Rotate the key')
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
    await expectEventually(() => page.getByRole('menuitem', { name: 'Rotate' }).isDisabled(), true)
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: `Revoke the key “Main server” (…${old.hint})?` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await checkBans(old.secret)).toEqual([200, undefined])
    await former.getByRole('button', { name: /^Change/ }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByText('Last used').waitFor()
    await pressButton(page, 'Revoke the key')
    await page.getByText(`Revoked the key “Main server” (…${old.hint}).`).waitFor()
    expect([await checkBans(old.secret), await checkBans(secret)]).toEqual([
      [401, 'key_revoked'],
      [200, undefined],
    ])
    await page.getByText('Ended', { exact: true }).click()
    await former.getByText('Revoked').waitFor()
    await former.getByRole('button', { name: /^Details/ }).click()
    await former.getByText('by robin').first().waitFor()
    expect(await former.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await expectNoPageErrors(tab)
  })

  test('a leaked key is rotated so that it ends at once', async () => {
    const { page, createdKeys, checkBans } = await openApiKeysScreen(e2e, undefined, 'Main server')
    const [leaked] = createdKeys as [CreatedKey]
    await chooseKeyAction(page, 'Main server', 'Rotate')
    await page.getByLabel('The present key works on').selectOption({ label: 'Not at all: it ends at once' })
    await pressButton(page, 'Rotate the key')
    expect(await checkBans(await readSecret(page))).toEqual([200, undefined])
    expect(await checkBans(leaked.secret)).toEqual([401, 'key_revoked'])
  })

  test('a key that somebody else makes or ends is seen at once; its name is shown and run by nobody', async () => {
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
    expect(await page.title()).toBe('API keys · Night Shift · Reeve')
    await expectNoPageErrors(tab)
  })

  test('in an archived workspace none is made, and those there are can be ended', async () => {
    const { tab, page, workspaceId, createdKeys, checkBans } = await openApiKeysScreen(
      e2e,
      undefined,
      'Main server',
    )
    await reloadAndFollow(tab)
    await keyRow(page, 'Main server').waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await e2e.server.requestOk('POST', '/api/workspaces', { session: e2e.owner.session, body })
    await page.getByText('This workspace is archived').waitFor()
    await page.getByRole('button', { name: 'New key' }).waitFor({ state: 'detached' })
    await chooseKeyAction(page, 'Main server', 'Revoke')
    await pressButton(page, 'Revoke the key')
    await page.getByText('No API keys yet').waitFor()
    expect(await checkBans(createdKeys[0]?.secret ?? '')).toEqual([401, 'key_revoked'])
  })
})

test('by keys alone a key is found, rotated and stored; the reference is one link away', async () => {
  const { page } = await openApiKeysScreen(e2e, undefined, 'Main server')
  await page.getByRole('button', { name: /^Change Main server/ }).focus()
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Rotate')
  await page.keyboard.press('Enter')
  await page.getByLabel('The present key works on').waitFor()
  await expectFocus(page, 'graceSeconds')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'The key “Main server” is ready' }).waitFor()
  await expectFocus(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').nth(1).waitFor()
  const reference = page.getByRole('main').getByRole('link', { name: 'API reference' })
  await expectEventually(() => reference.getAttribute('href'), '/docs')
})
