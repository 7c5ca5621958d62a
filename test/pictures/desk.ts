import { joinBytes } from '../support/evidence-samples.ts'
import { uploadEvidence } from '../support/evidence-upload.ts'
import type { Instance } from '../support/instance.ts'
import { drawEvening } from '../support/png.ts'

const DAY = 86_400

/** Sends a request of a member. @returns the body of the response. @throws unless the status is 200 */
// biome-ignore lint/suspicious/noExplicitAny: as the body of a response in tests
export type Send = (username: string, method: string, path: string, body: object) => Promise<any>

const ladders = [
  {
    name: 'Chat',
    windowDays: '90',
    steps: [
      { count: 1, action: 'warn', decayDays: 60 },
      { count: 2, action: 'mute', durationSeconds: DAY },
      { count: 3, action: 'mute', durationSeconds: 7 * DAY },
      { count: 4, action: 'ban', durationSeconds: 14 * DAY },
    ],
  },
  {
    name: 'Exploits',
    steps: [
      { count: 1, action: 'ban', durationSeconds: 7 * DAY },
      { count: 2, action: 'ban' },
    ],
  },
] as const

const templates = [
  { name: 'Spamming', publicReason: 'You sent the same message many times.', ladder: 'Chat' },
  {
    name: 'Insulting others',
    publicReason: 'You insulted other players. Everyone is welcome here.',
    ladder: 'Chat',
  },
  {
    name: 'Exploiting',
    publicReason: 'You used a program or a bug to gain an advantage.',
    ladder: 'Exploits',
    defaultSeverity: 'high',
  },
  { name: 'Selling accounts', publicReason: 'You offered accounts for money.', ladder: null },
] as const

/** Creates the ladders and templates. @returns the ids of the templates by name */
export async function createTemplates(send: Send): Promise<ReadonlyMap<string, string>> {
  const ladderIds = new Map<string, string>()
  for (const { steps, ...ladder } of ladders) {
    const body = { ...ladder, steps: JSON.stringify(steps) }
    ladderIds.set(ladder.name, (await send('robin', 'POST', '/api/moderation/ladders', body)).ladder.id)
  }
  const templateIds = new Map<string, string>()
  for (const { ladder, ...template } of templates) {
    const body = { ...template, ladderId: ladder === null ? null : ladderIds.get(ladder) }
    templateIds.set(
      template.name,
      (await send('robin', 'POST', '/api/moderation/templates', body)).template.id,
    )
  }
  return templateIds
}

/** A case that others refer to. */
export interface Case {
  readonly id: string
  readonly appealCode: string | null
}

/** What the steps of the desk need of the community. */
export interface Desk {
  readonly instance: Instance
  readonly workspaceId: string
  readonly send: Send
  /** The key of the game server. */
  readonly key: string
  readonly createSession: (username: string) => Promise<string>
  readonly findCase: (name: string) => Case
}

const submitAppeal = ({ send, findCase }: Desk, name: string, message: string, answer: string) =>
  send('robin', 'POST', '/api/appeals', { code: findCase(name).appealCode, message, answers: [answer] })

const STAFF_ROLE = 'Senior moderator'

/** What staff did beyond single actions, and when. */
export const deskSteps: readonly { readonly time: string; readonly run: (desk: Desk) => Promise<unknown> }[] =
  [
    {
      time: '2026-11-01T12:00:00Z',
      run: ({ send }) =>
        send('robin', 'PATCH', '/portal/api/appeals/settings', {
          introduction: 'Be honest: we look at the log of the server. You get an answer within three days.',
          questions: 'What happened, in your words?\nWho else uses your account? (optional)',
          windowDays: '90',
          cooldownDays: '30',
        }),
    },
    {
      time: '2026-11-09T15:20:00Z',
      run: (desk) => submitAppeal(desk, 'owl', 'Lift the ban.', 'I did nothing.'),
    },
    {
      time: '2026-11-09T20:05:00Z',
      run: async ({ send }) => {
        const { appeals } = await send('mira', 'GET', '/portal/api/appeals', { userId: '1566' })
        const decision = { id: appeals[0].id, decision: 'denied', message: 'We have seen the recording.' }
        await send('mira', 'POST', '/portal/api/appeals/decide', decision)
      },
    },
    {
      time: '2026-11-18T14:10:00Z',
      run: (desk) => submitAppeal(desk, 'trader', 'Give me another chance.', 'I was bored of the game.'),
    },
    {
      time: '2026-11-19T20:40:00Z',
      run: ({ send }) =>
        send('tomas', 'POST', '/portal/api/pinned-notes', {
          userId: '3006',
          text: 'Do not warn them again: they are a friend.',
        }),
    },
    { time: '2026-11-20T18:40:00Z', run: attachFiles },
    {
      time: '2026-11-20T19:30:00Z',
      run: (desk) =>
        submitAppeal(
          desk,
          'vault',
          'Please shorten the ban: I have told you everything, and I will not do it again.',
          'I found the hole in the wall by accident, and showed it to two friends.',
        ),
    },
    { time: '2026-11-20T19:45:00Z', run: discussAppeal },
    { time: '2026-11-20T20:30:00Z', run: addFacts },
    { time: '2026-11-20T21:16:00Z', run: requestWork },
  ]

async function attachFiles({ instance, workspaceId, createSession, findCase }: Desk): Promise<void> {
  const log = joinBytes(
    '18:03:12 261 entered the vault without a door\n18:03:40 261 entered the vault without a door\n',
  )
  const files = [
    ['vault-wall.png', drawEvening(640, 360)],
    ['server-4.log', log],
  ] as const
  const session = await createSession('juniper')
  for (const [name, bytes] of files) {
    const upload = { session, workspaceId, id: findCase('vault').id, name }
    const { status, text } = await uploadEvidence(instance, upload, new Uint8Array(bytes))
    if (status !== 200) throw new Error(`${name} was not attached: ${text}`)
  }
}

async function discussAppeal({ send, findCase }: Desk): Promise<void> {
  const code = findCase('vault').appealCode
  const { appeals } = await send('mira', 'GET', '/portal/api/appeals', { userId: '261' })
  const [{ id }] = appeals
  const write = (text: string, internal: string) =>
    send('mira', 'POST', '/portal/api/appeals/message', { id, text, internal })
  await write('The log agrees: twice, within a minute.', 'true')
  await write('Did you take anything out of the vault?', 'false')
  await send('robin', 'POST', '/api/appeals', {
    action: 'reply',
    code,
    message: 'No. You can look into my bag.',
  })
}

/** Pinned notes, and players who may be the same person. */
async function addFacts({ send }: Desk): Promise<void> {
  const text = 'Plays from a school: mutes also hit others on the same network. Talk to mira before you ban.'
  await send('mira', 'POST', '/portal/api/pinned-notes', { userId: '2617', text })
  await send('mira', 'POST', '/api/moderation/links', {
    userId: '2617',
    linkedUserId: '90210',
    confidence: 'high',
    reason: 'Same voice, same prices, and never online at the same time.',
  })
}

/** What waits in the inbox: a report, a mention, and a ban that needs approval. */
async function requestWork({ instance, workspaceId, send, key, findCase }: Desk): Promise<void> {
  const { roles } = await send('robin', 'GET', '/portal/api/roles', {})
  const { id } = roles.find(({ name }: { name: string }) => name === STAFF_ROLE)
  await send('robin', 'PATCH', '/portal/api/roles', {
    id,
    permanentBansNeedApproval: 'true',
    bansPerHour: '10',
  })
  const report = { workspaceId, action: 'note', userId: '3007', userUsername: 'Brick_by_Brick' }
  const { body } = await instance.request('POST', '/api/moderation', {
    key,
    body: { ...report, reason: 'Reported by 4 players in 10 minutes: insults in the lobby' },
  })
  const { members } = await send('robin', 'GET', '/portal/api/assignees', { q: 'mira' })
  const assignment = { recordId: body.record.id, accountId: members[0].accountId }
  await send('juniper', 'POST', '/portal/api/assignments', assignment)
  const value = '@mira can we shorten this one? They told us about the hole in the wall themselves.'
  await send('sena', 'POST', '/api/moderation', { action: 'comment', id: findCase('vault').id, value })
  await send('sena', 'POST', '/api/moderation', {
    action: 'ban',
    userId: '3013',
    userUsername: 'Kestrel9',
    reason: 'Sold four accounts in an hour',
    severity: 'critical',
    durationSeconds: 'permanent',
  })
}

/** Claims the appeal for 15 minutes. */
export async function claimAppeal({ send }: Pick<Desk, 'send'>): Promise<void> {
  const { appeals } = await send('mira', 'GET', '/portal/api/appeals', { userId: '261' })
  await send('mira', 'POST', '/portal/api/appeals/claim', { id: appeals[0].id })
}
