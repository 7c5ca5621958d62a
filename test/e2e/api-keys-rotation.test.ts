import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { choose, type Made, openKeys, PATH, row, secretOf } from '../support/api-keys.ts'
import { followed, openFreshWorkspaces } from '../support/fresh-workspace.ts'
import { expectFocus, expectSoon, press } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let at: Awaited<ReturnType<typeof openFreshWorkspaces>>
beforeAll(async () => {
  at = await openFreshWorkspaces()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

describe('rotating and revoking', () => {
  test('a rotated key works on beside the new one for the time chosen, and can be ended sooner', async () => {
    const { opened, page, made, check } = await openKeys(at, undefined, 'Main server')
    const [old] = made as [Made]
    await choose(page, 'Main server', 'Rotate')
    await page.getByLabel('The present key works on').selectOption({ label: 'For a week' })
    await page.getByText(`…${old.hint} is refused from`).waitFor()
    await press(page, 'Rotate the key')
    const secret = await secretOf(page)
    await press(page, 'I have stored it')
    expect([await check(old.secret), await check(secret)]).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    const former = row(page, `…${old.hint}`)
    await former.getByText('Rotated').waitFor()
    await former.getByText('Works until').waitFor()
    await former.getByRole('button', { name: /^Change/ }).click()
    await expectSoon(() => page.getByRole('menuitem', { name: 'Rotate' }).isDisabled(), true)
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: `Revoke the key “Main server” (…${old.hint})?` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await check(old.secret)).toEqual([200, undefined])
    await former.getByRole('button', { name: /^Change/ }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByText('Last used').waitFor()
    await press(page, 'Revoke the key')
    await page.getByText(`Revoked the key “Main server” (…${old.hint}).`).waitFor()
    expect([await check(old.secret), await check(secret)]).toEqual([
      [401, 'key_revoked'],
      [200, undefined],
    ])
    await page.getByText('Ended', { exact: true }).click()
    await former.getByText('Revoked').waitFor()
    await former.getByRole('button', { name: /^Details/ }).click()
    await former.getByText('by robin').first().waitFor()
    expect(await former.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await expectCalm(opened)
  })

  test('a leaked key is rotated so that it ends at once', async () => {
    const { page, made, check } = await openKeys(at, undefined, 'Main server')
    const [leaked] = made as [Made]
    await choose(page, 'Main server', 'Rotate')
    await page.getByLabel('The present key works on').selectOption({ label: 'Not at all: it ends at once' })
    await press(page, 'Rotate the key')
    expect(await check(await secretOf(page))).toEqual([200, undefined])
    expect(await check(leaked.secret)).toEqual([401, 'key_revoked'])
  })

  test('a key that somebody else makes or ends is seen at once; its name is shown and run by nobody', async () => {
    const { opened, page, must } = await openKeys(at)
    await followed(opened)
    await page.getByText('No API keys yet').waitFor()
    const { apiKey } = await must('POST', PATH, { name: SCRIPT, permissions: 'moderation.view' })
    await row(page, SCRIPT).waitFor()
    await row(page, SCRIPT)
      .getByRole('button', { name: /^Change/ })
      .click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: `Revoke the key “${SCRIPT}”` }).waitFor()
    await press(page, 'Cancel')
    await must('POST', `${PATH}/revoke`, { id: apiKey.id })
    await page.getByText('No API keys yet').waitFor()
    expect(await page.title()).toBe('API keys · Night Shift · Reeve')
    await expectCalm(opened)
  })

  test('in an archived workspace none is made, and those there are can be ended', async () => {
    const { opened, page, workspaceId, made, check } = await openKeys(at, undefined, 'Main server')
    await followed(opened)
    await row(page, 'Main server').waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await at.place.must('POST', '/api/workspaces', { session: at.owner, body })
    await page.getByText('This workspace is archived').waitFor()
    await page.getByRole('button', { name: 'New key' }).waitFor({ state: 'detached' })
    await choose(page, 'Main server', 'Revoke')
    await press(page, 'Revoke the key')
    await page.getByText('No API keys yet').waitFor()
    expect(await check(made[0]?.secret ?? '')).toEqual([401, 'key_revoked'])
  })
})

test('by keys alone a key is found, rotated and stored; the reference is one link away', async () => {
  const { page } = await openKeys(at, undefined, 'Main server')
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
  await expectSoon(() => reference.getAttribute('href'), '/docs')
})
