import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const NARROW = 768

/** Navigation, menus and the command palette. */
export const screens: ScreenFile = {
  states: [
    {
      name: 'shell-menu',
      path: '/account',
      heading: 'Your account',
      async arrange(page) {
        await page.getByRole('button', { name: /Your menu/ }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      },
    },
    {
      name: 'shell-switcher',
      path: '/account',
      heading: 'Your account',
      async arrange(page) {
        // The user has several workspaces and has opened none in this browser.
        await page.getByRole('button', { name: 'Choose a workspace', exact: true }).click()
        await page.getByRole('option', { name: 'Create a workspace' }).waitFor()
      },
    },
    {
      name: 'shell-switcher-many',
      path: '/account',
      heading: 'Your account',
      as: createCollectorSession,
      async arrange(page) {
        await page.getByRole('button', { name: 'Choose a workspace', exact: true }).click()
        await page.getByRole('combobox', { name: 'Find a workspace' }).waitFor()
      },
    },
    {
      name: 'shell-commands',
      path: '/account',
      heading: 'Your account',
      async arrange(page) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Commands' }).waitFor()
      },
    },
    {
      name: 'shell-commands-found',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Commands' }).fill('156')
        await page.getByRole('option', { name: /^Warn .*156/ }).waitFor()
      },
    },
    {
      name: 'shell-find-player',
      path: '/w/$/people',
      heading: 'People',
      async arrange(page) {
        const isNarrow = (page.viewportSize()?.width ?? 0) < NARROW
        if (isNarrow) await page.getByRole('button', { name: 'Find a player' }).click()
        const label = isNarrow ? 'Player ID or name' : 'Find a player by ID or name'
        await page.getByLabel(label, { exact: true }).fill('156')
        await page.getByRole('list', { name: 'Players found' }).waitFor()
      },
    },
    {
      name: 'shell-sections',
      path: '/w/$/nowhere',
      heading: 'Page not found',
      async arrange(page) {
        if ((page.viewportSize()?.width ?? 0) > NARROW) return
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('navigation', { name: 'All sections' }).waitFor()
      },
    },
    { name: 'not-found', path: '/w/$/nowhere', heading: 'Page not found' },
    { name: 'unknown-page', path: '/nope', as: 'anonymous', heading: 'Page not found', allowedErrors: /404/ },
    {
      name: 'not-a-member',
      path: '/w/0198c0de-0000-7000-8000-000000000001',
      heading: 'You don’t belong to this workspace',
    },
    {
      name: 'not-an-operator',
      path: '/operator/accounts',
      as: createPlainSession,
      heading: 'Operators only',
    },
  ],
}

/** The session of an account with more workspaces than the switcher shows without scrolling. */
async function createCollectorSession({ server }: ScreenContext): Promise<string> {
  const isNew = await server.createAccount('collector').then(
    () => true,
    () => false,
  )
  const session = await server.session('collector')
  for (let index = 1; isNew && index <= 12; index++) {
    const body = { groupName: `Community ${index}` }
    await server.requestOk('POST', '/api/workspaces', { session, body })
  }
  return session
}

async function createPlainSession({ server }: ScreenContext): Promise<string> {
  await server.createAccount('kim').catch(() => 'is there already')
  return server.session('kim')
}
