import type { Page } from 'playwright-core'
import { caseIds, createModerationCases } from '../support/moderation-cases.ts'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile, ScreenState } from '../support/screen-states.ts'

/** How often a state has edited a case, so that every edit is a change. */
let editCount = 0
const severities = ['medium', 'high']

/** A state of a case, opened from the list because its URL and heading are only known at run time. */
const caseState = (
  name: string,
  caseKey: string,
  arrange: (page: Page, context: ScreenContext) => Promise<void>,
): ScreenState => ({
  name,
  path: '/w/$/moderation/records',
  heading: 'All cases',
  async arrange(page, context) {
    const { server, workspaceId } = context
    await page.goto(`${server.origin}/w/${workspaceId}/moderation/cases/${caseIds[caseKey]}`)
    await arrange(page, context)
  },
})

const player = { path: '/w/$/moderation/players/261', heading: 'StormRider 261' }

/** Player search, player pages, actions, lists and cases. */
export const screens: ScreenFile = {
  prepare: createModerationCases,
  states: [
    {
      name: 'moderation',
      path: '/w/$/moderation',
      heading: 'Moderation',
      arrange: (page) => page.getByRole('list', { name: 'Latest cases' }).waitFor(),
    },
    {
      name: 'moderation-found',
      path: '/w/$/moderation?q=156',
      heading: 'Moderation',
      arrange: (page) => page.getByText('Quiet Owl').waitFor(),
    },
    {
      name: 'moderation-found-by-part',
      path: '/w/$/moderation?q=ider',
      heading: 'Moderation',
      arrange: (page) => page.getByText('Rider_of_Storms').waitFor(),
    },
    {
      name: 'moderation-unknown',
      path: '/w/$/moderation?q=77001',
      heading: 'Moderation',
      arrange: (page) => page.getByText('No cases yet').waitFor(),
    },
    {
      name: 'moderation-bans',
      path: '/w/$/moderation/bans',
      heading: 'Active bans',
      arrange: (page) => page.getByText('Selling accounts').first().waitFor(),
    },
    {
      name: 'moderation-history',
      path: '/w/$/moderation/history?status=revoked',
      heading: 'Ban history',
      arrange: (page) => page.getByText('Mistaken for 1566').waitFor(),
    },
    {
      name: 'moderation-records',
      path: '/w/$/moderation/records',
      heading: 'All cases',
      arrange: (page) => page.getByText('Advertising another game').waitFor(),
    },
    {
      name: 'moderation-mutes',
      path: '/w/$/moderation/mutes',
      heading: 'Active mutes',
      arrange: (page) => page.getByRole('search', { name: 'Filters' }).waitFor(),
    },
    {
      name: 'moderation-filtered',
      path: '/w/$/moderation/records?userId=261&action=ban,warn&from=2020-01-01',
      heading: 'All cases',
      arrange: (page) => page.getByText(/^Player .*\(261\)$/).waitFor(),
    },
    {
      name: 'moderation-suggestions',
      path: '/w/$/moderation/records',
      heading: 'All cases',
      async arrange(page) {
        await page.getByRole('textbox', { name: 'Player or case' }).fill('1')
        await page.getByRole('option').first().waitFor()
      },
    },
    {
      name: 'moderation-choice',
      path: '/w/$/moderation/bans?player=15,nobody',
      heading: 'Active bans',
      arrange: (page) => page.getByText(/^No player matches/).waitFor(),
    },
    {
      name: 'moderation-save-view',
      path: '/w/$/moderation/records?action=ban',
      heading: 'All cases',
      async arrange(page) {
        await pressButton(page, 'Save view')
        await page.getByRole('dialog').getByLabel('Name').waitFor()
      },
    },
    { name: 'player', ...player, arrange: (page) => page.getByText('Blocking the spawn').waitFor() },
    {
      name: 'player-shortcuts',
      ...player,
      async arrange(page) {
        await page.getByText('Blocking the spawn').waitFor()
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      },
    },
    {
      name: 'player-new',
      path: '/w/$/moderation/players/77001',
      heading: '77001',
      arrange: (page) => page.getByText('No cases yet').waitFor(),
    },
    {
      name: 'player-act',
      ...player,
      async arrange(page) {
        await pressButton(page, 'Ban')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('radio', { name: '1 day' }).check()
        await dialog.getByLabel('Reason').fill('Exploiting again')
        await dialog.getByText(/^This ends sooner/).waitFor()
        await dialog.getByText('Recent:').waitFor()
      },
    },
    {
      name: 'player-act-refused',
      ...player,
      allowedErrors: /status of 400/,
      async arrange(page) {
        await pressButton(page, 'Warn')
        await pressButton(page, 'Warn 261')
        await page.getByText('Reason is required.').waitFor()
      },
    },
    {
      name: 'player-limits',
      path: '/w/$/moderation/players/90210',
      heading: 'xX_moonlight_collector_of_rare_hats_Xx 90210',
      as: ({ server }) => server.session('trainee'),
      async arrange(page) {
        await pressButton(page, 'Ban')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('radio', { name: '30 days' }).check()
        await dialog.getByText('The longest ban that your roles allow').waitFor()
      },
    },
    {
      name: 'player-lift',
      ...player,
      async arrange(page) {
        await pressButton(page, 'Lift the ban')
        await page.getByRole('dialog').getByText('can join again').waitFor()
      },
    },
    caseState('case', 'ban', async (page) => {
      await page.getByText('Same wall as last month').first().waitFor()
      await page.getByLabel('Before').waitFor()
    }),
    caseState('case-end', 'ban', async (page) => {
      await pressButton(page, 'Change expiry')
      await page.getByRole('radio', { name: '3 days longer' }).check()
      await page.getByText(/instead of/).waitFor()
    }),
    caseState('case-edit', 'ban', async (page) => {
      await pressButton(page, 'Edit')
      await page.getByRole('dialog').getByLabel('Evidence').waitFor()
    }),
    {
      ...caseState('case-edit-conflict', 'warning', async (page, { server, owner, workspaceId }) => {
        await pressButton(page, 'Edit')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Reason').fill('Advertising another game, after two warnings.')
        editCount += 1
        const reason = `Advertising another game in the trade channel (${editCount} times), with a link.`
        await server.requestOk('POST', '/api/moderation', {
          session: owner.session,
          body: {
            workspaceId,
            action: 'edit',
            id: caseIds.warning,
            reason,
            severity: severities[editCount % 2],
          },
        })
        await pressButton(page, 'Save')
        await dialog.getByRole('region', { name: 'Changed by someone else' }).waitFor()
      }),
      allowedErrors: /status of 412/,
    },
    caseState('case-redact', 'ban', async (page) => {
      await pressButton(page, 'Redact')
      await page.getByRole('dialog').getByText('including from its earlier versions').waitFor()
    }),
    caseState('case-approval', 'pending', async (page) => {
      await page.getByRole('group', { name: /^Decide case/ }).waitFor()
    }),
    {
      name: 'approvals',
      path: '/w/$/moderation/approvals',
      heading: 'Approvals',
      arrange: (page) => page.getByText('trainee requested a permanent ban.').waitFor(),
    },
    caseState('case-redacted', 'redacted', async (page) => {
      await page.getByText('The texts of this case were permanently redacted').waitFor()
    }),
  ],
}
