import type { Page } from 'playwright-core'
import { press } from '../support/portal.ts'
import type { Look, Scene, Screens } from '../support/scene.ts'

const HOUR = '3600'
const WEEK = '604800'

/** The cases that looks go to, once they are made. */
const cases: Record<string, string> = {}

async function prepare({ place, owner, workspaceId }: Scene): Promise<void> {
  const { session } = owner
  const moderate = async (body: object, by = session): Promise<string> => {
    const answer = await place.must('POST', '/api/moderation', {
      session: by,
      body: { workspaceId, ...body },
    })
    return answer.body.record.id
  }
  const storm = { userId: '261', userUsername: 'StormRider' }
  await moderate({
    action: 'note',
    userId: '261',
    userUsername: 'Rider_of_Storms',
    reason: 'Asked how to appeal.',
  })
  await moderate({ action: 'warn', ...storm, reason: 'Spamming the trade channel' })
  await moderate({ action: 'mute', ...storm, reason: 'Spamming the trade channel', durationSeconds: HOUR })
  await moderate({ action: 'kick', ...storm, reason: 'Blocking the spawn' })
  const id = await moderate({
    action: 'ban',
    ...storm,
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
  cases.ban = id
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
  const lifted = await moderate({
    action: 'ban',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Mistaken for 1566',
  })
  await moderate({ action: 'unban', id: lifted, reason: 'The wrong player: it was 1566' })
  await moderate({
    action: 'warn',
    userId: '4416',
    userUsername: 'نجمة الليل',
    reason: 'Advertising another game',
  })
  const redacted = await moderate({ action: 'note', userId: '4416', reason: 'Holds a private address' })
  await moderate({ action: 'redact', id: redacted, reason: 'Asked for' })
  cases.redacted = redacted
}

/** A look at a case, gone to from the list, since where it is and its heading are made with it. */
const caseLook = (name: string, of: string, reach: (page: Page) => Promise<void>): Look => ({
  name,
  at: '/w/$/moderation/records',
  heading: 'All records',
  async reach(page, { place, workspaceId }) {
    await page.goto(`${place.origin}/w/${workspaceId}/moderation/cases/${cases[of]}`)
    await reach(page)
  },
})

const player = { at: '/w/$/moderation/players/261', heading: 'StormRider 261' }

/** Finding players, their pages, acting on them, the lists and the cases. */
export const screens: Screens = {
  prepare,
  looks: [
    {
      name: 'moderation',
      at: '/w/$/moderation',
      heading: 'Moderation',
      reach: (page) => page.getByRole('list', { name: 'Latest records' }).waitFor(),
    },
    {
      name: 'moderation-found',
      at: '/w/$/moderation?q=156',
      heading: 'Moderation',
      reach: (page) => page.getByText('Quiet Owl').waitFor(),
    },
    {
      name: 'moderation-unknown',
      at: '/w/$/moderation?q=77001',
      heading: 'Moderation',
      reach: (page) => page.getByText('No records yet').waitFor(),
    },
    {
      name: 'moderation-bans',
      at: '/w/$/moderation/bans',
      heading: 'Bans in force',
      reach: (page) => page.getByText('Selling accounts').waitFor(),
    },
    {
      name: 'moderation-history',
      at: '/w/$/moderation/history?status=revoked',
      heading: 'Ban history',
      reach: (page) => page.getByText('Mistaken for 1566').waitFor(),
    },
    {
      name: 'moderation-records',
      at: '/w/$/moderation/records',
      heading: 'All records',
      reach: (page) => page.getByText('Advertising another game').waitFor(),
    },
    { name: 'player', ...player, reach: (page) => page.getByText('Blocking the spawn').waitFor() },
    {
      name: 'player-new',
      at: '/w/$/moderation/players/77001',
      heading: '77001',
      reach: (page) => page.getByText('No records yet').waitFor(),
    },
    {
      name: 'player-act',
      ...player,
      async reach(page) {
        await press(page, 'Ban')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('radio', { name: '1 day' }).check()
        await dialog.getByLabel('Reason').fill('Exploiting again')
        await dialog.getByText(/^This ends sooner/).waitFor()
        await dialog.getByText('Lately:').waitFor()
      },
    },
    {
      name: 'player-act-refused',
      ...player,
      complaints: /status of 400/,
      async reach(page) {
        await press(page, 'Warn')
        await press(page, 'Warn 261')
        await page.getByText('Reason is required.').waitFor()
      },
    },
    {
      name: 'player-lift',
      ...player,
      async reach(page) {
        await press(page, 'Lift the ban')
        await page.getByRole('dialog').getByText('can join again').waitFor()
      },
    },
    caseLook('case', 'ban', async (page) => {
      await page.getByText('Same wall as last month').first().waitFor()
      await page.getByLabel('Before').waitFor()
    }),
    caseLook('case-end', 'ban', async (page) => {
      await press(page, 'Change the end')
      await page.getByRole('radio', { name: '3 days longer' }).check()
      await page.getByText(/instead of/).waitFor()
    }),
    caseLook('case-edit', 'ban', async (page) => {
      await press(page, 'Edit')
      await page.getByRole('dialog').getByLabel('Evidence').waitFor()
    }),
    caseLook('case-redact', 'ban', async (page) => {
      await press(page, 'Redact')
      await page.getByRole('dialog').getByText('for good, in its earlier versions').waitFor()
    }),
    caseLook('case-redacted', 'redacted', async (page) => {
      await page.getByText('They are gone for good.').waitFor()
    }),
  ],
}
