import type { Page } from 'playwright-core'
import { chooseMenuItem, fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const LADDERS = [
  {
    name: 'Chat',
    windowDays: '90',
    steps: [
      { count: 1, action: 'warn', decayDays: 30 },
      { count: 2, action: 'mute', durationSeconds: 3600 },
      { count: 4, action: 'ban', durationSeconds: 604_800 },
    ],
  },
  {
    name: 'Exploits',
    steps: [
      { count: 1, action: 'ban', durationSeconds: 2_592_000 },
      { count: 2, action: 'ban' },
    ],
  },
] as const

const TEMPLATES = [
  {
    name: 'Spamming',
    publicReason: 'You sent the same message many times. Please read rule 2 before you come back.',
    defaultSeverity: 'low',
    ladder: 'Chat',
    appealable: 'false',
  },
  {
    name: 'Insulting others',
    publicReason: 'You insulted other players. Everyone is welcome here.',
    ladder: 'Chat',
    appealAfterDays: '7',
  },
  {
    name: 'Exploiting',
    publicReason: 'You used a program that changes the game.\nThis is against rule 4.',
    defaultSeverity: 'critical',
    ladder: 'Exploits',
    appealAfterDays: '30',
  },
  { name: 'Something else', publicReason: 'A member of staff has looked at what you did.', ladder: null },
] as const

const PLAYER = '7734'

/** Ladders, templates, and a player with cases of them. */
async function prepare({ server, owner: { session }, workspaceId }: ScreenContext): Promise<void> {
  const post = async (path: string, body: object) =>
    (await server.requestOk('POST', `/api/moderation${path}`, { session, body: { workspaceId, ...body } }))
      .body
  const ladderIds = new Map<string, string>()
  for (const { steps, ...ladder } of LADDERS) {
    const created = await post('/ladders', { ...ladder, steps: JSON.stringify(steps) })
    ladderIds.set(ladder.name, created.ladder.id)
  }
  const templateIds: string[] = []
  for (const { ladder, ...template } of TEMPLATES) {
    const ladderId = ladder === null ? null : ladderIds.get(ladder)
    templateIds.push((await post('/templates', { ...template, ladderId })).template.id)
  }
  const archived = await post('/templates', { name: 'Old reason', publicReason: 'You broke a rule.' })
  await post('/templates', { action: 'archive', id: archived.template.id })
  for (const templateId of templateIds.slice(0, 2))
    await post('', { userId: PLAYER, userUsername: 'Chatterbox', templateId })
}

const LIST = { path: '/w/$/configuration/reasons', heading: 'Reasons and ladders' } as const

const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor()

/** Reason templates and escalation ladders, and choosing a template for a player. */
export const screens: ScreenFile = {
  prepare,
  states: [
    { name: 'reasons', ...LIST, arrange: (page) => page.getByText('Insulting others').waitFor() },
    {
      name: 'reasons-ladders',
      ...LIST,
      async arrange(page) {
        await page.getByRole('tab', { name: 'Ladders' }).click()
        await page.getByRole('list', { name: 'Ladders' }).waitFor()
      },
    },
    {
      name: 'reasons-archived',
      ...LIST,
      async arrange(page) {
        await page.getByRole('tab', { name: 'Archived' }).click()
        await page.getByRole('list', { name: 'Archived templates' }).waitFor()
      },
    },
    {
      name: 'reasons-template',
      ...LIST,
      async arrange(page) {
        await chooseMenuItem(page, 'Change Insulting others', 'Edit')
        await waitForDialog(page)
      },
    },
    {
      name: 'reasons-ladder',
      ...LIST,
      async arrange(page) {
        await page.getByRole('tab', { name: 'Ladders' }).click()
        await chooseMenuItem(page, 'Change Chat', 'Edit')
        await page.getByRole('list', { name: 'What happens' }).waitFor()
      },
    },
    {
      name: 'reasons-ladder-refused',
      ...LIST,
      allowedErrors: /status of 400/,
      async arrange(page) {
        await pressButton(page, 'New ladder')
        await fillIn(page, { Name: 'Chat 2' })
        await page.getByLabel('From case of step 1', { exact: true }).fill('2')
        await pressButton(page, 'Create ladder')
        await page.getByText('must begin with a step whose count is 1').waitFor()
      },
    },
    {
      name: 'player-template',
      path: `/w/$/moderation/players/${PLAYER}`,
      heading: `Chatterbox ${PLAYER}`,
      async arrange(page) {
        await pressButton(page, 'Note')
        await page.getByRole('radio', { name: 'Spamming', exact: true }).check()
        await page.getByText('2 earlier cases count:').waitFor()
      },
    },
  ],
}
