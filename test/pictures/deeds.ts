/** Something that staff did, at its time. */
interface Deed {
  readonly at: string
  readonly by: string
  /** What this case is called in the story. */
  readonly as?: string
  /** The case that it is about. */
  readonly of?: string
  readonly action: string
  readonly [field: string]: string | undefined
}

const DAY = 86_400
const storm = { userId: '261', userUsername: 'StormRider' }

/** What became of the players of the Night Owls, up to tonight. */
export const deeds: readonly Deed[] = [
  {
    at: '2026-09-12T19:20:00Z',
    by: 'ash',
    action: 'note',
    userId: '261',
    userUsername: 'Rider_of_Storms',
    reason: 'Asked in the lobby how to join the patrol. Friendly.',
  },
  {
    at: '2026-10-03T20:05:00Z',
    by: 'ash',
    action: 'warn',
    ...storm,
    reason: 'Spamming the trade channel',
  },
  {
    at: '2026-10-17T21:30:00Z',
    by: 'juniper',
    action: 'mute',
    ...storm,
    reason: 'Spamming the trade channel',
    durationSeconds: `${DAY}`,
  },
  {
    at: '2026-11-02T18:45:00Z',
    by: 'juniper',
    action: 'ban',
    userId: '90210',
    userUsername: 'moonlit_trader',
    reason: 'Selling accounts',
    severity: 'critical',
    durationSeconds: 'permanent',
  },
  {
    at: '2026-11-08T22:10:00Z',
    by: 'sena',
    as: 'mistaken',
    action: 'ban',
    userId: '156',
    userUsername: 'Quiet Owl',
    reason: 'Exploiting',
    durationSeconds: `${7 * DAY}`,
  },
  {
    at: '2026-11-08T22:31:00Z',
    by: 'sena',
    of: 'mistaken',
    action: 'unban',
    reason: 'The wrong player: it was 1566',
  },
  {
    at: '2026-11-08T22:32:00Z',
    by: 'sena',
    action: 'ban',
    userId: '1566',
    userUsername: 'QuietOwl',
    reason: 'Exploiting',
    durationSeconds: `${14 * DAY}`,
  },
  {
    at: '2026-11-14T20:15:00Z',
    by: 'tomas',
    action: 'kick',
    ...storm,
    reason: 'Blocking the spawn after being asked to move',
  },
  {
    at: '2026-11-18T17:40:00Z',
    by: 'ada',
    action: 'warn',
    userId: '4416',
    userUsername: 'Lanterna',
    reason: 'Advertising another game',
  },
  {
    at: '2026-11-19T21:05:00Z',
    by: 'juniper',
    action: 'mute',
    userId: '2617',
    userUsername: 'StormRiderr',
    reason: 'Insulting other players',
    durationSeconds: `${3 * DAY}`,
  },
  {
    at: '2026-11-20T18:05:00Z',
    by: 'juniper',
    as: 'vault',
    action: 'ban',
    ...storm,
    reason: 'Exploiting: walked through the wall of the vault',
    durationSeconds: `${7 * DAY}`,
    evidence: 'https://clips.example.com/261/vault-wall.mp4\nSeen by two of us on server 4.',
  },
  {
    at: '2026-11-20T18:20:00Z',
    by: 'sena',
    of: 'vault',
    action: 'comment',
    value: 'The same wall as last month. It is mended in the next release.',
  },
  {
    at: '2026-11-20T18:32:00Z',
    by: 'juniper',
    of: 'vault',
    action: 'edit',
    reason: 'Exploiting: walked through the wall of the vault, twice, and showed others how',
    severity: 'critical',
  },
  {
    at: '2026-11-20T20:10:00Z',
    by: 'tomas',
    action: 'warn',
    userId: '733',
    userUsername: 'Pepper',
    reason: 'Spamming the trade channel',
  },
  {
    at: '2026-11-20T21:15:00Z',
    by: 'ash',
    action: 'note',
    userId: '4416',
    userUsername: 'Lanterna',
    reason: 'Took the advert down, and apologised.',
  },
]
