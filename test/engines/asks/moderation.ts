import type { Ask } from '../operation.ts'
import { nameFrom, playerFrom, searchFrom, textFrom } from '../texts.ts'
import type { Asking } from '../world.ts'
import { sharedBy } from './shared.ts'

const severities = ['low', 'medium', 'high', 'critical']
const statuses = ['active', 'expired', 'revoked', 'superseded']
const entries = ['note', 'warn', 'warning', 'kick', 'mute', 'mute', 'ban', 'ban', 'temp_ban', 'perm_ban']
const lifts = ['unmute', 'unban', 'pardon']
const changes = [
  ...['edit', 'edit', 'extend', 'comment', 'comment', 'evidence', 'acknowledge', 'revoke', 'redact'],
]

export function moderationRead(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, some } = dice
  const { read, id, flag, page, under, workspaceId } = sharedBy(asking)
  const players = () =>
    Array.from({ length: often(0.6) ? 1 : 1 + dice.below(6) }, () => playerFrom(dice)).join(',')
  const filters = some({
    banList: [0.35, flag],
    banHistory: [0.2, flag],
    userId: [0.35, players],
    severity: [0.12, () => pick(severities)],
    status: [0.15, () => pick(statuses)],
    actorUserId: [0.05, () => id(pick(['apiKey', 'member']))],
  })
  if (often(0.2)) return read('/moderation', { id: id('record'), ...(often(0.1) ? filters : page()) })
  const query = { ...filters, ...page() }
  if (often(0.6)) return read('/moderation', query)
  const asked = { workspaceId, ...query }
  return {
    method: 'POST',
    path: under('/moderation'),
    query: Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)])),
    ...(often(0.5) ? { body: {} } : {}),
  }
}

export function moderationWrite(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, below, some } = dice
  const { write, id } = sharedBy(asking)
  const seconds = () => pick([60, '600', 3600, 86_400, 'permanent', '-1', '', 0, 315_576_000_000, '1e3'])
  const evidence = () =>
    Array.from({ length: 1 + below(often(0.05) ? 12 : 3) }, () => nameFrom(dice)).join('\n')
  const act = (action: string, fields: object) => write('POST', '/moderation', { action, ...fields })
  const onBehalf = some({
    actorUsername: [0.06, () => nameFrom(dice)],
    actorPlatformUserId: [0.06, () => playerFrom(dice)],
  })
  const kind = dice.weighed([
    [5, 'entry'],
    [1.5, 'lift'],
    [4, 'change'],
  ])
  if (kind === 'entry') {
    const action = pick(entries)
    const isRestraint = /mute|ban/.test(action)
    return act(action, {
      userId: playerFrom(dice),
      reason: often(0.4) ? nameFrom(dice) : textFrom(dice),
      ...some({
        userUsername: [0.6, () => nameFrom(dice)],
        severity: [0.3, () => pick(severities)],
        evidence: [0.2, evidence],
        durationSeconds: [isRestraint ? 0.6 : 0.03, seconds],
      }),
      ...onBehalf,
    })
  }
  if (kind === 'lift') {
    const whom = often(0.7) ? { userId: playerFrom(dice) } : { id: id('record') }
    return act(pick(lifts), { ...whom, ...some({ reason: [0.5, () => textFrom(dice)] }), ...onBehalf })
  }
  const action = pick(changes)
  const fields = { id: id('record'), ...onBehalf }
  const reason = textFrom(dice)
  if (action === 'revoke' || action === 'redact') return act(action, { ...fields, reason })
  if (action === 'acknowledge') return act(action, fields)
  if (action === 'extend')
    return act(action, { ...fields, value: pick([60, -60, 86_400, -7200, '+5', 0, 'x']) })
  if (action !== 'edit') return act(action, { ...fields, value: often(0.5) ? reason : evidence() })
  return act(action, {
    ...fields,
    ...some({
      reason: [0.5, () => reason],
      severity: [0.3, () => pick(severities)],
      evidence: [0.2, evidence],
      durationSeconds: [0.2, seconds],
      userUsername: [0.3, () => nameFrom(dice)],
    }),
  })
}

/** What staff look things up in. */
export function moderationDesk(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, some } = dice
  const { read, id, page, flag } = sharedBy(asking)
  return pick([
    () =>
      read('/portal/api/players', {
        ...(often(0.8) ? { q: searchFrom(dice) } : { userId: playerFrom(dice) }),
        ...page(),
      }),
    () => read('/portal/api/reasons', some({ action: [0.6, () => pick(['note', 'ban', 'warn', 'unban'])] })),
    () =>
      read(
        '/portal/api/actors',
        some({ ids: [0.6, () => `${id('member')},${id('apiKey')},${id('member')}`] }),
      ),
    () =>
      read(
        '/portal/api/moderation.csv',
        some({ banList: [0.3, flag], banHistory: [0.2, flag], userId: [0.2, () => playerFrom(dice)] }),
      ),
  ])()
}
