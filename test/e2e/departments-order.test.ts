import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  blockDepartmentReads,
  chooseDepartmentAction,
  DEPARTMENTS_PATH,
  openDepartmentsSession,
  unblockDepartmentReads,
} from '../support/departments.ts'
import { useSession } from '../support/e2e-session.ts'
import { expectFocus, expectSettled } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openDepartmentsSession)

const visibleNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Departments in order' }).getByRole('heading').allTextContents()
const moveHandle = (page: Page, name: string) =>
  page.getByRole('button', { name: `Move ${name}`, exact: true })

async function findHandleCenter(page: Page, name: string): Promise<[x: number, y: number]> {
  const box = await moveHandle(page, name).boundingBox()
  if (!box) throw new Error(`the handle of ${name} is not visible`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}

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
    const drag = async () => {
      await moveHandle(page, 'Blue').waitFor()
      const [startX, startY] = await findHandleCenter(page, 'Red')
      await page.mouse.move(startX, startY)
      const [x, y] = await findHandleCenter(page, 'Blue')
      await page.mouse.down()
      await page.mouse.move(x, y, { steps: 4 })
      await page.locator('[data-dragged]').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.locator('[data-dragged]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await expectSettled(() => visibleNames(page), ['Red', 'Green', 'Blue'])
    const saveResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await drag()
    await page.mouse.up()
    await page.getByRole('status').getByText('“Red” is now 3 of 3.').waitFor()
    await saveResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Green', 'Blue', 'Red'])
  })

  test('is changed by dragging with a finger', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments('Red', 'Green', 'Blue')
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = tab
    const [x, start] = await findHandleCenter(page, 'Blue')
    const [, end] = await findHandleCenter(page, 'Red')
    const cdp = await page.context().newCDPSession(page)
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
    const saveResponse = page.waitForResponse(`**${DEPARTMENTS_PATH}/order`)
    await touch('touchStart', { x, y: start })
    for (const share of [0.25, 0.5, 0.75, 1])
      await touch('touchMove', { x, y: start + (end - start) * share })
    await page.locator('[data-dragged]').waitFor()
    await touch('touchEnd')
    await page.getByRole('status').getByText('“Blue” is now 1 of 3.').waitFor()
    await saveResponse
    expect(await e2e.listDepartmentNames(workspaceId)).toEqual(['Blue', 'Red', 'Green'])
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
    const { page, context } = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    await moveHandle(page, 'Late').focus()
    await context.setOffline(true)
    await page.keyboard.press('ArrowUp')
    await page.getByText('The order was not saved: You are offline.').waitFor()
    await expectSettled(() => visibleNames(page), ['Early', 'Late'])
    await context.setOffline(false)
  })
})
