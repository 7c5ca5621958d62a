import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  blockDepartmentReads,
  chooseDepartmentAction,
  DEPARTMENTS_PATH,
  openDepartmentsSession,
  unblockDepartmentReads,
} from '../support/departments.ts'
import { dragWithMouse, dropWithMouse, findHandleCenter, openFinger } from '../support/dragging.ts'
import { useSession } from '../support/e2e-session.ts'
import { expectFocus, expectSettled, isLoaded, TOUCH_PHONE, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openDepartmentsSession)

const visibleNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Departments in order' }).getByRole('heading').allTextContents()
const moveHandle = (page: Page, name: string) =>
  page.getByRole('button', { name: `Move ${name}`, exact: true })

describe('the order', () => {
  test('is changed with the arrow keys on a handle, which keeps the focus, and is announced', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('One', 'Two', 'Three', 'Four')
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    const { page } = tab
    await moveHandle(page, 'One').focus()
    const saveResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('“One” is now 2 of 4.').waitFor()
    await expectFocus(page, 'Move One')
    await expectSettled(() => visibleNames(page), ['Two', 'One', 'Three', 'Four'])
    await saveResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Two', 'One', 'Three', 'Four'])
    const retryResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await page.keyboard.press('End')
    await page.keyboard.press('End')
    await page.getByRole('status').getByText('“One” is already last.').waitFor()
    await retryResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Two', 'Three', 'Four', 'One'])
    const third = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await chooseDepartmentAction(page, 'Four', 'Move up')
    await page.getByRole('status').getByText('“Four” is now 2 of 4.').waitFor()
    await third
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Two', 'Four', 'Three', 'One'])
    await expectNoPageErrors(tab)
  })

  test('is changed by dragging, which Escape cancels', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('Red', 'Green', 'Blue')
    const { page } = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    await dragWithMouse(page, 'Red', 'Blue')
    await page.keyboard.press('Escape')
    await page.locator('[data-dragged]').waitFor({ state: 'detached' })
    await dropWithMouse(page)
    await expectSettled(() => visibleNames(page), ['Red', 'Green', 'Blue'])
    const saveResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await dragWithMouse(page, 'Red', 'Blue')
    await dropWithMouse(page)
    await page.getByRole('status').getByText('“Red” is now 3 of 3.').waitFor()
    await saveResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Green', 'Blue', 'Red'])
  })

  test('is changed by dragging the handle with a finger', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('Red', 'Green', 'Blue')
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId, TOUCH_PHONE)
    const { page } = tab
    const finger = await openFinger(page)
    const saveResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await finger.drag(await findHandleCenter(page, 'Blue'), await findHandleCenter(page, 'Red'))
    await page.locator('[data-dragged]').waitFor()
    await finger.lift()
    await page.getByRole('status').getByText('“Blue” is now 1 of 3.').waitFor()
    await saveResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Blue', 'Red', 'Green'])
    await expectNoPageErrors(tab)
  })

  test('is not changed by a finger that scrolls the page, starting on a row', async () => {
    const names = [...'ABCDEFGHIJKLMN']
    const { workspaceId } = await e2e.createWorkspaceWithDepartments(...names)
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId, TOUCH_PHONE)
    const { page } = tab
    const box = await page.getByRole('heading', { name: 'D', exact: true }).boundingBox()
    if (!box) throw new Error('the row is not visible')
    const finger = await openFinger(page)
    await finger.drag([box.x + 20, box.y + 10], [box.x + 20, box.y - 200])
    expect(await page.locator('[data-dragged]').count()).toBe(0)
    await finger.lift()
    await waitUntil(page, 'scrollY > 100')
    await expectSettled(() => visibleNames(page), names)
    await expectNoPageErrors(tab)
  })

  test('is not saved after someone else added a department, and says why', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('North', 'South')
    const { page } = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    await moveHandle(page, 'South').focus()
    await blockDepartmentReads(page)
    await e2e.createDepartment('East', {}, workspaceId)
    await page.keyboard.press('ArrowUp')
    await page
      .getByText('The order was not saved: someone else has added or deleted a department in the meantime.')
      .waitFor()
    await unblockDepartmentReads(page)
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['North', 'South', 'East'])
    expect((await visibleNames(page)).slice(0, 2)).toEqual(['North', 'South'])
  })

  test('is not saved offline, and says why', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('Early', 'Late')
    // Without doing anything, the page loads what it needs to show a message without a network.
    const { page, context } = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    await waitUntil(page, isLoaded('shell-deferred-'))
    await moveHandle(page, 'Late').focus()
    await context.setOffline(true)
    await page.keyboard.press('ArrowUp')
    await page.getByText('The order was not saved: You are offline.').waitFor()
    await expectSettled(() => visibleNames(page), ['Early', 'Late'])
    await context.setOffline(false)
  })
})
