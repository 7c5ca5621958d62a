import type { Screens } from '../support/scene.ts'

const NARROW = 768

/** What is around every screen. */
export const screens: Screens = {
  looks: [
    {
      name: 'shell-menu',
      at: '/account',
      heading: 'Your account',
      async reach(page) {
        await page.getByRole('button', { name: /Your menu/ }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      },
    },
    {
      name: 'shell-switcher',
      at: '/account',
      heading: 'Your account',
      async reach(page) {
        await page.getByRole('button', { name: 'Choose a workspace' }).click()
        await page.getByRole('option', { name: 'Create a workspace' }).waitFor()
      },
    },
    {
      name: 'shell-commands',
      at: '/account',
      heading: 'Your account',
      async reach(page) {
        await page.keyboard.press('Control+k')
        await page.getByPlaceholder('Go to, switch to, do…').waitFor()
      },
    },
    {
      name: 'shell-sections',
      at: '/w/$/nowhere',
      heading: 'There is nothing here',
      async reach(page) {
        if ((page.viewportSize()?.width ?? 0) > NARROW) return
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('navigation', { name: 'All sections' }).waitFor()
      },
    },
    { name: 'not-found', at: '/w/$/nowhere', heading: 'There is nothing here' },
    {
      name: 'not-a-member',
      at: '/w/0198c0de-0000-7000-8000-000000000001',
      heading: 'You do not belong to this workspace',
    },
    { name: 'not-an-operator', at: '/operator/accounts', as: nobodyMuch, heading: 'This is for operators' },
  ],
}

async function nobodyMuch({ place }: Parameters<NonNullable<Screens['prepare']>>[0]): Promise<string> {
  await place.account('kim').catch(() => 'is there already')
  return place.session('kim')
}
