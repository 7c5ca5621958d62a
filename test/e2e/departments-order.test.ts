import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aware, choose, type Departments, LIST, openDepartments, unaware } from '../support/departments.ts'
import { expectFocus, expectSoon } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Departments
beforeAll(async () => {
  at = await openDepartments()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const shownNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Departments in their order' }).getByRole('heading').allTextContents()
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })

describe('the order', () => {
  test('is changed with the arrow keys on a handle, which keeps the focus, and is read out', async () => {
    const { workspaceId } = await at.withDepartments('One', 'Two', 'Three', 'Four')
    const opening = await at.open(at.owner.session, workspaceId)
    const { page } = opening
    await handle(page, 'One').focus()
    const saved = page.waitForResponse(`**${LIST}/order`)
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('“One” is now 2 of 4.').waitFor()
    await expectFocus(page, 'Move One')
    await expectSoon(() => shownNames(page), ['Two', 'One', 'Three', 'Four'])
    await saved
    expect(await at.names(workspaceId)).toEqual(['Two', 'One', 'Three', 'Four'])
    const again = page.waitForResponse(`**${LIST}/order`)
    await page.keyboard.press('End')
    await page.keyboard.press('End')
    await page.getByRole('status').getByText('“One” is last already.').waitFor()
    await again
    expect(await at.names(workspaceId)).toEqual(['Two', 'Three', 'Four', 'One'])
    const third = page.waitForResponse(`**${LIST}/order`)
    await choose(page, 'Four', 'Move up')
    await page.getByRole('status').getByText('“Four” is now 2 of 4.').waitFor()
    await third
    expect(await at.names(workspaceId)).toEqual(['Two', 'Four', 'Three', 'One'])
    await expectCalm(opening)
  })

  test('is changed by dragging, which Escape takes back', async () => {
    const { workspaceId } = await at.withDepartments('Red', 'Green', 'Blue')
    const { page } = await at.open(at.owner.session, workspaceId)
    const middle = async (name: string) => {
      const box = await handle(page, name).boundingBox()
      if (!box) throw new Error(`no handle of ${name} is in sight`)
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    const drag = async () => {
      await handle(page, 'Blue').waitFor()
      await page.mouse.move(...(await middle('Red')))
      const [x, y] = await middle('Blue')
      await page.mouse.down()
      await page.mouse.move(x, y, { steps: 4 })
      await page.locator('[data-held]').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.locator('[data-held]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await expectSoon(() => shownNames(page), ['Red', 'Green', 'Blue'])
    const saved = page.waitForResponse(`**${LIST}/order`)
    await drag()
    await page.mouse.up()
    await page.getByRole('status').getByText('“Red” is now 3 of 3.').waitFor()
    await saved
    expect(await at.names(workspaceId)).toEqual(['Green', 'Blue', 'Red'])
  })

  test('stays as it was where somebody else made a department meanwhile, and says so', async () => {
    const { workspaceId } = await at.withDepartments('North', 'South')
    const { page } = await at.open(at.owner.session, workspaceId)
    await handle(page, 'South').focus()
    await unaware(page)
    await at.make('East', {}, workspaceId)
    await page.keyboard.press('ArrowUp')
    await page
      .getByText('The order is not saved: somebody else made or deleted a department meanwhile.')
      .waitFor()
    await aware(page)
    expect(await at.names(workspaceId)).toEqual(['North', 'South', 'East'])
    expect((await shownNames(page)).slice(0, 2)).toEqual(['North', 'South'])
  })

  test('offline stays as it was, and is told', async () => {
    const { workspaceId } = await at.withDepartments('Early', 'Late')
    const { page, context } = await at.open(at.owner.session, workspaceId)
    await handle(page, 'Late').focus()
    await context.setOffline(true)
    await page.keyboard.press('ArrowUp')
    await page.getByText('The order is not saved: You are offline.').waitFor()
    await expectSoon(() => shownNames(page), ['Early', 'Late'])
    await context.setOffline(false)
  })
})
