import type { Page } from 'playwright-core'
import { pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile, ScreenState } from '../support/screen-states.ts'

const HOUR = '3600'
const WEEK = '604800'

/** How often a state has edited a case, so that every edit is a change. */
let editCount = 0
const severities = ['medium', 'high']

/** Cases that states open, once created. */
const caseIds: Record<string, string> = {}

async function prepare({ server, owner, workspaceId }: ScreenContext): Promise<void> {
  const { session } = owner
  const moderate = async (body: object, moderatorSession = session): Promise<string> => {
    const response = await server.requestOk('POST', '/api/moderation', {
      session: moderatorSession,
      body: { workspaceId, ...body },
    })
    return response.body.record.id
  }
  const stormPlayer = { userId: '261', userUsername: 'StormRider' }
  await moderate({
    action: 'note',
    userId: '261',
    userUsername: 'Rider_of_Storms',
    reason: 'Asked how to appeal.',
  })
  await moderate({ action: 'warn', ...stormPlayer, reason: 'Spamming the trade channel' })
  await moderate({
    action: 'mute',
    ...stormPlayer,
    reason: 'Spamming the trade channel',
    durationSeconds: HOUR,
  })
  await moderate({ action: 'kick', ...stormPlayer, reason: 'Blocking the spawn' })
  const id = await moderate({
    action: 'ban',
    ...stormPlayer,
    reason: 'Exploiting: walked through the vault’s wall, twice, in front of the whole night shift.',
    durationSeconds: WEEK,
    evidence: 'https://clips.example.com/261/vault-wall.mp4\nSeen by two of the staff on server 4.',
  })
  await moderate({
    action: 'comment',
    id,
    value: 'Same wall as last month. It is mended in the next release.',
  })
  await moderate({
    action: 'edit',
    id,
    reason: 'Exploiting: walked through the vault’s wall, twice.',
    severity: 'critical',
  })
  caseIds.ban = id
  await moderate({
    action: 'ban',
    userId: '90210',
    userUsername: 'xX_moonlight_collector_of_rare_hats_Xx',
    reason: 'Selling accounts',
  })
  await moderate({
    action: 'mute',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Loud music',
    durationSeconds: WEEK,
  })
  const liftedBanId = await moderate({
    action: 'ban',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Mistaken for 1566',
  })
  await moderate({ action: 'unban', id: liftedBanId, reason: 'The wrong player: it was 1566' })
  caseIds.warning = await moderate({
    action: 'warn',
    userId: '4416',
    userUsername: 'نجمة الليل',
    reason: 'Advertising another game',
  })
  const redactedNoteId = await moderate({ action: 'note', userId: '4416', reason: 'Holds a private address' })
  await moderate({ action: 'redact', id: redactedNoteId, reason: 'Asked for' })
  caseIds.redacted = redactedNoteId
}

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
  prepare,
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
      arrange: (page) => page.getByText('Selling accounts').waitFor(),
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
      arrange: (page) => page.getByText(/^Player .*261$/).waitFor(),
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
    caseState('case-redacted', 'redacted', async (page) => {
      await page.getByText('The texts of this case were permanently redacted').waitFor()
    }),
  ],
}
