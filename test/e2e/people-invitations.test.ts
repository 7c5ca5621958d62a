import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { GROUP } from '../support/place.ts'
import { fillIn, press, typedIn } from '../support/portal.ts'
import { openStaff, type Staff } from '../support/staff.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Staff
beforeAll(async () => {
  at = await openStaff()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

describe('invitations', () => {
  test('are a link that is shown once, wait in the list, and are withdrawn', async () => {
    const opening = await at.openPeople(at.owner.session, '', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = opening
    await press(page, 'Invite')
    await page.getByRole('checkbox', { name: 'Trainer', exact: true }).click()
    await page.getByLabel('Can be accepted for').selectOption('86400')
    await fillIn(page, { Note: 'For Wren' })
    await press(page, 'Make the link')
    const link = await typedIn(page, 'Invitation link')
    expect(link).toStartWith(`${at.place.origin}/invitation#`)
    await press(page, 'Copy: Invitation link')
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link)
    const token = link.slice(link.indexOf('#') + 1)
    const read = () => at.place.call('POST', '/portal/api/invitation', { body: { token } })
    expect((await read()).body.invitation.roles).toMatchObject([{ name: 'Trainer' }])
    await press(page, 'Done')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('For Wren').waitFor()
    expect((await page.content()).includes(token)).toBe(false)
    await press(page, 'Withdraw: For Wren')
    await page.getByRole('dialog', { name: 'Withdraw the invitation “For Wren”?' }).waitFor()
    await press(page, 'Withdraw it')
    await page.getByText('The invitation is withdrawn.').waitFor()
    await page.getByText('No invitation waits').waitFor()
    expect((await read()).status).toBe(404)
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('of somebody who may not invite any more are told apart', async () => {
    const session = await at.place.member(at.owner, 'sorrel', ['members.manage', 'members.view'])
    const { body } = await at.place.must('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: at.workspaceId, note: 'From sorrel' },
    })
    const { page } = await at.openPeople(at.owner.session, '?tab=invitations')
    await page.getByText('From sorrel').waitFor()
    expect(await page.getByText('Cannot be accepted').count()).toBe(0)
    await at.join('sorrel-2')
    const { accountId } = (
      await at.place.must('GET', `/portal/api/members?workspaceId=${at.workspaceId}&q=sorrel`, at.owner)
    ).body.members[0]
    const query = `workspaceId=${at.workspaceId}`
    await at.place.must('DELETE', `/portal/api/members?${query}&accountId=${accountId}`, at.owner)
    await page.reload()
    await page.getByText('Cannot be accepted').waitFor()
    await page.getByText('sorrel may not invite any more').waitFor()
    await at.place.must('DELETE', `/portal/api/invitations?${query}&id=${body.invitation.id}`, at.owner)
  })
})

test('names and notes that look like script are shown as they are, and run nothing', async () => {
  const script = '<img src=x onerror=planted=1>'
  await at.join(script)
  await at.place.must('POST', '/portal/api/invitations', {
    session: at.owner.session,
    body: { workspaceId: at.workspaceId, note: script },
  })
  const opening = await at.openPeople(at.owner.session)
  const { page } = opening
  await page.getByText(script, { exact: true }).waitFor()
  await press(page, `What to do with ${script}`)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog', { name: `Remove ${script} from ${GROUP}?` }).waitFor()
  await press(page, 'Cancel')
  await page.getByRole('tab', { name: 'Invitations' }).click()
  await page.getByText(script, { exact: true }).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opening)
})
