/** A moderation action and its time. */
export interface ModerationAction {
  readonly time: string
  readonly username: string
  /** A name for this case within this file. */
  readonly caseName?: string
  /** The case that the action changes. */
  readonly caseRef?: string
  readonly action: string
  /** The name of the template that it is recorded with. */
  readonly template?: string
  readonly [field: string]: string | undefined
}

const DAY = 86_400
const stormPlayer = { userId: '261', userUsername: 'StormRider' }

/** Every moderation action of the Night Owls. */
export const moderationActions: readonly ModerationAction[] = [
  {
    time: '2026-09-12T19:20:00Z',
    username: 'ash',
    action: 'note',
    userId: '261',
    userUsername: 'Rider_of_Storms',
    reason: 'Asked in the lobby how to join the patrol. Friendly.',
  },
  {
    time: '2026-10-03T20:05:00Z',
    username: 'ash',
    action: 'warn',
    template: 'Spamming',
    ...stormPlayer,
    reason: 'Spamming the trade channel',
  },
  {
    time: '2026-10-17T21:30:00Z',
    username: 'juniper',
    action: 'mute',
    template: 'Spamming',
    ...stormPlayer,
    reason: 'Spamming the trade channel',
    durationSeconds: `${DAY}`,
  },
  {
    time: '2026-11-02T18:45:00Z',
    username: 'juniper',
    caseName: 'trader',
    action: 'ban',
    userId: '90210',
    userUsername: 'moonlit_trader',
    reason: 'Selling accounts',
    severity: 'critical',
    durationSeconds: 'permanent',
  },
  {
    time: '2026-11-08T22:10:00Z',
    username: 'sena',
    caseName: 'mistaken',
    action: 'ban',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Exploiting',
    durationSeconds: `${7 * DAY}`,
  },
  {
    time: '2026-11-08T22:31:00Z',
    username: 'sena',
    caseRef: 'mistaken',
    action: 'unban',
    reason: 'The wrong player: it was 1566',
  },
  {
    time: '2026-11-08T22:32:00Z',
    username: 'sena',
    caseName: 'owl',
    action: 'ban',
    template: 'Exploiting',
    userId: '1566',
    userUsername: 'QuietOwl',
    reason: 'Flew over the harbour, and landed in the vault',
    durationSeconds: `${7 * DAY}`,
  },
  {
    time: '2026-11-14T20:15:00Z',
    username: 'tomas',
    action: 'kick',
    ...stormPlayer,
    reason: 'Blocking the spawn after being asked to move',
  },
  {
    time: '2026-11-18T17:40:00Z',
    username: 'ada',
    action: 'warn',
    userId: '4416',
    userUsername: 'Lanterna',
    reason: 'Advertising another game',
  },
  {
    time: '2026-11-19T21:05:00Z',
    username: 'juniper',
    action: 'mute',
    userId: '2617',
    userUsername: 'StormRiderr',
    reason: 'Insulting other players',
    durationSeconds: `${3 * DAY}`,
  },
  {
    time: '2026-11-20T18:05:00Z',
    username: 'juniper',
    caseName: 'vault',
    action: 'ban',
    template: 'Exploiting',
    ...stormPlayer,
    reason: 'Exploiting: walked through the wall of the vault',
    durationSeconds: `${7 * DAY}`,
    evidence: 'https://clips.example.com/261/vault-wall.mp4\nSeen by two of us on server 4.',
  },
  {
    time: '2026-11-20T18:20:00Z',
    username: 'sena',
    caseRef: 'vault',
    action: 'comment',
    value: 'The same wall as last month. It is mended in the next release.',
  },
  {
    time: '2026-11-20T18:32:00Z',
    username: 'juniper',
    caseRef: 'vault',
    action: 'edit',
    reason: 'Exploiting: walked through the wall of the vault, twice, and showed others how',
    severity: 'critical',
  },
  {
    time: '2026-11-20T20:10:00Z',
    username: 'tomas',
    action: 'warn',
    template: 'Spamming',
    userId: '733',
    userUsername: 'Pepper',
    reason: 'Spamming the trade channel',
  },
  {
    time: '2026-11-20T21:15:00Z',
    username: 'ash',
    action: 'note',
    userId: '4416',
    userUsername: 'Lanterna',
    reason: 'Took the ad down and apologized.',
  },
]
