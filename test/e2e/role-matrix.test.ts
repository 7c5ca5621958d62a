import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { DESKTOP, pressButton } from '../support/page-actions.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)

const openMatrix = (browser: object = DESKTOP) =>
  e2e.openScreen(`/w/${e2e.workspaceId}/roles?view=permissions`, { heading: 'Roles', browser })
const createRole = async (name: string): Promise<string> =>
  (await e2e.requestAsOwner('POST', '/portal/api/roles', { name, rank: '15' })).role.id
const permissionCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

describe('the matrix', () => {
  test('is reviewed by role, with each change and the people it affects once', async () => {
    const [first, second] = [await createRole('Anchor'), await createRole('Buoy')]
    await e2e.addMember('tern', `${first},${second}`)
    const { page } = await openMatrix()
    for (const name of ['Anchor', 'Buoy'])
      for (const label of ['Warn players', 'Record kicks'])
        await permissionCheckbox(page, `${name}: ${label}`).click()
    await pressButton(page, 'Review and save')
    const dialog = page.getByRole('dialog', { name: 'Save these changes?' })
    await dialog.getByText('1 person gains permissions.').waitFor()
    const text = (await dialog.textContent()) ?? ''
    expect(text.match(/person|people/g)).toHaveLength(1)
    for (const [word, times] of Object.entries({ Anchor: 1, Buoy: 1, 'Warn players': 2, 'Record kicks': 2 }))
      expect([word, text.split(word).length - 1]).toEqual([word, times])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has lines between rows, marks the row of the pointer, and keeps names in view, in ${colorScheme} mode`, async () => {
      const { page } = await openMatrix({
        viewport: { width: 900, height: 700 },
        colorScheme,
      })
      const readRow = (name: string) =>
        page.getByRole('row', { name }).evaluate((row) =>
          [...row.children].map((cell) => {
            const style = getComputedStyle(cell)
            return {
              line: style.borderBottomWidth !== '0px' && style.borderBottomColor !== style.backgroundColor,
              background: style.backgroundColor,
            }
          }),
        )
      const cells = await readRow('Record kicks')
      expect(cells.every(({ line }) => line)).toBe(true)
      await permissionCheckbox(page, 'Moderator: Record kicks').hover()
      const hovered = await readRow('Record kicks')
      expect(new Set(hovered.map(({ background }) => background)).size).toBe(1)
      expect(hovered[0]?.background).not.toBe(cells[0]?.background)
      // Opaque: other cells scroll behind the first column.
      expect(hovered[0]?.background).toStartWith('rgb(')
      const grid = page.getByRole('region', { name: 'Permissions', exact: true })
      await grid.evaluate((element) => element.scrollTo(300, 400))
      const area = await grid.boundingBox()
      const head = await page.getByRole('columnheader', { name: /^Moderator/ }).boundingBox()
      const first = await page.getByRole('rowheader', { name: /^View published events/ }).boundingBox()
      expect(Math.abs((head?.y ?? 0) - (area?.y ?? 0))).toBeLessThan(3)
      expect(Math.abs((first?.x ?? 0) - (area?.x ?? 0))).toBeLessThan(3)
    })
  }
})
