import { isRecordAction } from '@reeve/core'
import { api, unwrap } from '../../../api/client.ts'
import { pluralize } from '../../../format/number.ts'
import { bidiIsolate, formatPlayerName } from '../../../format/player-name.ts'
import { actionInfo } from '../action-labels.ts'
import type { PlayerSummary, RecordSummary } from '../queries.ts'
import { canBeUnknownId, isExactMatch } from './resolve-text.ts'

/** What a text can mean. */
export type Meaning =
  | { readonly kind: 'player'; readonly userId: string; readonly label: string; readonly note: string }
  | {
      readonly kind: 'players'
      readonly userIds: readonly string[]
      readonly label: string
      readonly note: string
    }
  | { readonly kind: 'case'; readonly caseNumber: string; readonly label: string; readonly note: string }

interface FoundPlayers {
  readonly players: readonly PlayerSummary[]
  readonly nextCursor: string | null
}

/** Describes the players that a text matches, those with exactly this id or name first. */
export function describePlayers(text: string, { players, nextCursor }: FoundPlayers): Meaning[] {
  const exactFirst = [...players].sort(
    (a, b) => Number(isExactMatch(b, text)) - Number(isExactMatch(a, text)),
  )
  const meanings: Meaning[] = exactFirst.map((player) => ({
    kind: 'player',
    userId: player.userId,
    label: `Player ${formatPlayerName(player)}`,
    note: describePlayer(player),
  }))
  if (players.length > 1 && nextCursor === null) {
    meanings.push({
      kind: 'players',
      userIds: players.map(({ userId }) => userId),
      label: `All ${players.length} players that match “${bidiIsolate(text)}”`,
      note: '',
    })
  }
  if (canBeUnknownId(text) && !players.some(({ userId }) => userId === text)) {
    meanings.push({ kind: 'player', userId: text, label: `Player ${text}`, note: 'no cases' })
  }
  return meanings
}

const describePlayer = ({ records, ban, mute }: PlayerSummary): string =>
  [pluralize(records, 'case'), ...(ban ? ['banned'] : []), ...(mute ? ['muted'] : [])].join(', ')

/** The case with a number; empty if there is none. */
export async function fetchCases(workspaceId: string, caseNumber: string): Promise<readonly RecordSummary[]> {
  const query = { workspaceId, caseNumber, limit: '1' }
  const page = await unwrap(api.GET('/api/moderation', { params: { query } }))
  return 'records' in page ? page.records : []
}

export const describeCases = (records: readonly RecordSummary[]): Meaning[] =>
  records.map((record) => ({
    kind: 'case',
    caseNumber: record.caseNumber,
    label: `Case #${record.caseNumber}`,
    note: `${isRecordAction(record.action) ? actionInfo[record.action].noun : record.action} of ${formatPlayerName(record)}`,
  }))
