import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName, pickPlayer, pickSearch, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const severities = ['low', 'medium', 'high', 'critical']
const statuses = ['active', 'expired', 'revoked', 'superseded']
const recordActions = [
  'note',
  'warn',
  'warning',
  'kick',
  'mute',
  'mute',
  'ban',
  'ban',
  'temp_ban',
  'perm_ban',
]
const lifts = ['unmute', 'unban', 'pardon']
const changes = [
  ...['edit', 'edit', 'extend', 'comment', 'comment', 'evidence', 'acknowledge', 'revoke', 'redact'],
]

/** Filters of record lists that only reads with GET accept. */
function pickRecordFilters(context: GeneratorContext): Record<string, unknown> {
  const { random } = context
  const { pick, intBelow, pickFields } = random
  const { pickFlag, pickTime } = createRequestBuilder(context)
  const pickSome = (pickOne: () => unknown) => Array.from({ length: 1 + intBelow(3) }, pickOne).join(',')
  return pickFields({
    action: [0.1, () => pickSome(() => pick(['note', 'warn', 'kick', 'mute', 'ban', 'unban', 'loud']))],
    from: [0.1, pickTime],
    to: [0.1, pickTime],
    imported: [0.1, pickFlag],
    text: [0.1, () => pickSearch(random)],
    caseNumber: [0.08, () => pickSome(() => pick(['1', '2', '7', '#11', '0']))],
  })
}

export function generateModerationRead(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { read, pickId, pickFlag, pickPageFields, withPrefix, workspaceId } = createRequestBuilder(context)
  const pickPlayers = () =>
    Array.from({ length: chance(0.6) ? 1 : 1 + random.intBelow(6) }, () => pickPlayer(random)).join(',')
  const filters = pickFields({
    banList: [0.35, pickFlag],
    banHistory: [0.2, pickFlag],
    userId: [0.35, pickPlayers],
    severity: [0.12, () => pick(severities)],
    status: [0.15, () => pick(statuses)],
    actorUserId: [0.05, () => pickId(pick(['apiKey', 'member']))],
  })
  if (chance(0.2))
    return read('/moderation', { id: pickId('record'), ...(chance(0.1) ? filters : pickPageFields()) })
  const query = { ...filters, ...pickPageFields() }
  if (chance(0.6)) return read('/moderation', { ...query, ...pickRecordFilters(context) })
  const queryFields = { workspaceId, ...query }
  return {
    method: 'POST',
    path: withPrefix('/moderation'),
    query: Object.fromEntries(Object.entries(queryFields).map(([name, value]) => [name, String(value)])),
    ...(chance(0.5) ? { body: {} } : {}),
  }
}

export function generateModerationWrite(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, intBelow, pickFields } = random
  const { write, pickId } = createRequestBuilder(context)
  const pickDuration = () => pick([60, '600', 3600, 86_400, 'permanent', '-1', '', 0, 315_576_000_000, '1e3'])
  const evidence = () =>
    Array.from({ length: 1 + intBelow(chance(0.05) ? 12 : 3) }, () => pickName(random)).join('\n')
  const createAction = (action: string, fields: object) => write('POST', '/moderation', { action, ...fields })
  const onBehalf = pickFields({
    actorUsername: [0.06, () => pickName(random)],
    actorPlatformUserId: [0.06, () => pickPlayer(random)],
  })
  const kind = random.pickWeighted([
    [5, 'entry'],
    [1.5, 'lift'],
    [4, 'change'],
  ])
  if (kind === 'entry') {
    const action = pick(recordActions)
    const isSanction = /mute|ban/.test(action)
    return createAction(action, {
      userId: pickPlayer(random),
      reason: chance(0.4) ? pickName(random) : pickText(random),
      ...pickFields({
        userUsername: [0.6, () => pickName(random)],
        severity: [0.3, () => pick(severities)],
        evidence: [0.2, evidence],
        durationSeconds: [isSanction ? 0.6 : 0.03, pickDuration],
      }),
      ...onBehalf,
    })
  }
  if (kind === 'lift') {
    const target = chance(0.7) ? { userId: pickPlayer(random) } : { id: pickId('record') }
    return createAction(pick(lifts), {
      ...target,
      ...pickFields({ reason: [0.5, () => pickText(random)] }),
      ...onBehalf,
    })
  }
  const action = pick(changes)
  const fields = { id: pickId('record'), ...onBehalf }
  const reason = pickText(random)
  if (action === 'revoke' || action === 'redact') return createAction(action, { ...fields, reason })
  if (action === 'acknowledge') return createAction(action, fields)
  if (action === 'extend')
    return createAction(action, { ...fields, value: pick([60, -60, 86_400, -7200, '+5', 0, 'x']) })
  if (action !== 'edit') return createAction(action, { ...fields, value: chance(0.5) ? reason : evidence() })
  return createAction(action, {
    ...fields,
    ...pickFields({
      reason: [0.5, () => reason],
      severity: [0.3, () => pick(severities)],
      evidence: [0.2, evidence],
      durationSeconds: [0.2, pickDuration],
      userUsername: [0.3, () => pickName(random)],
    }),
  })
}

/** Reads of players, reasons and actors, and the export of records. */
export function generateModerationLookup(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { read, pickId, pickPageFields, pickFlag } = createRequestBuilder(context)
  return pick([
    () =>
      read('/portal/api/players', {
        ...(chance(0.8) ? { q: pickSearch(random) } : { userId: pickPlayer(random) }),
        ...pickPageFields(),
      }),
    () =>
      read(
        '/portal/api/reasons',
        pickFields({ action: [0.6, () => pick(['note', 'ban', 'warn', 'unban'])] }),
      ),
    () =>
      read(
        '/portal/api/actors',
        pickFields({ ids: [0.6, () => `${pickId('member')},${pickId('apiKey')},${pickId('member')}`] }),
      ),
    () =>
      read('/portal/api/moderation.csv', {
        ...pickFields({
          banList: [0.3, pickFlag],
          banHistory: [0.2, pickFlag],
          userId: [0.2, () => pickPlayer(random)],
        }),
        ...pickRecordFilters(context),
      }),
  ])()
}

/** Changes and reads of saved views. */
export function generateSavedViewRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { pick, pickFields } = random
  const { read, write, pickId, pickFlag } = createRequestBuilder(context)
  const path = '/portal/api/saved-views'
  const name = () => pickName(random)
  const filters = () => pick(['severity=high', 'text=%C3%A4&status=active', ''])
  const pickChanges = () =>
    pickFields({ name: [0.5, name], filters: [0.4, filters], shared: [0.5, pickFlag] })
  const pickList = () => pick(['bans', 'mutes', 'history', 'records', 'loud'])
  return random.pickWeighted<() => RequestTemplate>([
    [3, () => read(path)],
    [3, () => write('POST', path, { filters: filters(), ...pickChanges(), name: name(), list: pickList() })],
    [2, () => write('PATCH', path, { id: pickId('savedView'), ...pickChanges() })],
    [1, () => ({ ...read(path, { id: pickId('savedView') }), method: 'DELETE' })],
  ])()
}
