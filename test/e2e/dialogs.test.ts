import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectLocked, holdWrites } from '../support/dialogs.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, pressButton } from '../support/page-actions.ts'

const e2e = useSession(openE2eSession)

/** How much of an element is visible where it is: 1 if all of it is in the window and nothing covers its center. */
const measureVisibleShare = (page: Page, selector: string) =>
  page.evaluate<number>(`(() => {
    const element = document.querySelector('${selector}')
    const { top, bottom, left, right, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    if (!element.contains(hit)) return 0
    return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height
  })()`)

const SUBMIT = '[role=dialog] button[type=submit]'

const sizes = [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 360, height: 640 }],
  ['a phone with its keyboard open', { width: 390, height: 400 }],
] as const

/** The dialogs with the longest forms, and the actions that make them as long as possible. */
const dialogs: readonly {
  readonly name: string
  readonly path: string
  readonly open: string
  readonly arrange?: (page: Page) => Promise<void>
}[] = [
  {
    name: 'New API key',
    path: '/configuration/api/keys',
    open: 'New key',
    arrange: (page) => page.getByRole('radio', { name: 'Something else' }).check(),
  },
  { name: 'New role', path: '/roles', open: 'New role' },
  { name: 'New department', path: '/departments', open: 'New department' },
  { name: 'New event', path: '/events', open: 'New event' },
]

describe('the buttons of a long dialog are visible without scrolling', () => {
  for (const { name, path, open, arrange } of dialogs) {
    for (const [device, viewport] of sizes) {
      test(`${name}, on ${device}`, async () => {
        const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}${path}`, {
          heading:
            { '/configuration/api/keys': 'API keys' }[path] ?? `${path[1]?.toUpperCase()}${path.slice(2)}`,
          browser: { viewport, hasTouch: viewport.width < 400 },
        })
        await pressButton(page, open)
        await page.getByRole('dialog', { name }).waitFor()
        await arrange?.(page)
        expect(await measureVisibleShare(page, SUBMIT)).toBe(1)
      })
    }
  }
})

test('an empty error message takes no space above the buttons', async () => {
  const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}/roles`, { heading: 'Roles' })
  await pressButton(page, 'New role')
  const form = page.getByRole('dialog', { name: 'New role' })
  expect((await form.getByRole('alert').boundingBox())?.height ?? 0).toBe(0)
})

test('a field that gets the focus is not hidden behind the buttons', async () => {
  const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}/configuration/api/keys`, {
    heading: 'API keys',
    browser: { viewport: { width: 390, height: 400 } },
  })
  await pressButton(page, 'New key')
  await page.getByRole('radio', { name: 'Something else' }).check()
  const visited = new Set<string>()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    await page.evaluate(`document.querySelector('[data-focused]')?.removeAttribute('data-focused')
      document.activeElement.setAttribute('data-focused', '')`)
    const label = await page.evaluate<string>(
      'document.activeElement.name || document.activeElement.textContent',
    )
    expect([label, (await measureVisibleShare(page, '[data-focused]')) > 0.3]).toEqual([label, true])
    visited.add(label)
  }
  expect([...visited]).toContain('allowedAddresses')
  expect([...visited]).toContain('Create key')
})

test('the keyboard of a phone makes the page smaller instead of covering it', async () => {
  const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}`)
  expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain(
    'interactive-widget=resizes-content',
  )
})

/** Dialogs with buttons of their own. `change` opens one and fills it in. */
const savingDialogs: readonly {
  readonly name: string
  readonly path: string
  readonly writes: string
  readonly cancel?: string
  readonly change: (page: Page) => Promise<void>
}[] = [
  {
    name: 'the members of a department',
    path: '/departments',
    writes: '**/departments/members',
    change: async (page) => {
      await pressButton(page, 'Choose members')
      await page.getByRole('combobox', { name: 'Add a member' }).click()
      await page.getByRole('option').first().click()
    },
  },
  {
    name: 'the review of permissions',
    path: '/roles?view=permissions',
    writes: '**/portal/api/roles/permissions',
    cancel: 'Keep editing',
    change: async (page) => {
      await page.getByRole('checkbox', { name: 'Anchor: Warn players', exact: true }).click()
      await pressButton(page, 'Review and save')
    },
  },
]

test.each(savingDialogs)(
  '$name: the dialog stays open while its request runs, and then shows its error',
  async ({ path, writes, cancel = 'Cancel', change }) => {
    const workspace = await e2e.createWorkspaceFixture()
    await workspace.requestAsOwner('POST', '/api/departments', { name: 'Rescue' })
    await workspace.requestAsOwner('POST', '/portal/api/roles', { name: 'Anchor', rank: '15' })
    const { page } = await workspace.openScreen(path, { browser: DESKTOP })
    await change(page)
    const dialog = page.getByRole('dialog')
    const fail = await holdWrites(page, writes)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expectLocked(page, cancel)
    fail()
    await dialog.getByText('The disk is full.').waitFor()
    await dialog.getByRole('button', { name: cancel, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  },
)
