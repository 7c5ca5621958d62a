import { useWorkspace } from '../../../api/me.ts'
import { type Token, TokenField, useTokenText } from '../../../components/token-field.tsx'
import { bidiIsolate } from '../../../format/player-name.ts'
import { joinValues, type RecordListFilters, type SetRecordFilters, splitValues } from '../record-filters.ts'
import type { Meaning } from './meanings.ts'
import { useNamedPlayers } from './player-tokens.ts'
import { parseCaseNumber, resolveText } from './resolve-text.ts'
import { useMeanings } from './use-meanings.ts'

interface Props {
  readonly filters: Pick<RecordListFilters, 'userId' | 'player' | 'caseNumber'>
  readonly setFilters: SetRecordFilters
}

const removeValue = (values: string | undefined, value: string): string | undefined =>
  joinValues(splitValues(values).filter((candidate) => candidate !== value))

/** The players or the cases of a list, by id, name or number. Shows how it has understood the text. */
export function PlayerFilter({ filters: { userId, player, caseNumber }, setFilters }: Props) {
  const { id: workspaceId } = useWorkspace()
  const input = useTokenText(async (submitted) => {
    const { userIds, caseNumbers, unresolved } = await resolveText(workspaceId, submitted)
    return () =>
      userIds.length + unresolved.length > 0 ? addPlayers(userIds, unresolved) : addCases(caseNumbers)
  })
  const text = input.text.trim()
  const suggestions = useMeanings(workspaceId, text)
  const players = useNamedPlayers(workspaceId, splitValues(userId))
  const tokens: Token[] = [
    ...players,
    ...splitValues(caseNumber).map((number) => ({ key: `case:${number}`, label: `Case #${number}` })),
    ...splitValues(player).map((part) => ({ key: `text:${part}`, label: `“${bidiIsolate(part)}”` })),
  ]
  // The filters of a list are combined, so players and cases replace each other.
  const addPlayers = (ids: readonly string[], unresolved: readonly string[] = []) =>
    setFilters({
      userId: joinValues([...splitValues(userId), ...ids]),
      player: joinValues([...splitValues(player), ...unresolved]),
      caseNumber: undefined,
    })
  const addCases = (numbers: readonly string[]) =>
    setFilters({
      caseNumber: joinValues([...splitValues(caseNumber), ...numbers]),
      userId: undefined,
      player: undefined,
    })
  const select = (meaning: Meaning) => {
    if (meaning.kind === 'case') addCases([meaning.caseNumber])
    else addPlayers(meaning.kind === 'player' ? [meaning.userId] : meaning.userIds)
  }
  const removeToken = (key: string) => {
    const value = key.slice(key.indexOf(':') + 1)
    if (key.startsWith('player:')) setFilters({ userId: removeValue(userId, value) })
    else if (key.startsWith('case:')) setFilters({ caseNumber: removeValue(caseNumber, value) })
    else setFilters({ player: removeValue(player, value) })
  }
  return (
    <TokenField
      label="Player or case"
      placeholder="Name, ID or #case"
      tokens={tokens}
      removeToken={removeToken}
      input={input}
      suggestions={suggestions}
      select={select}
      noMatch={
        parseCaseNumber(text) === null
          ? `No player matches “${bidiIsolate(text)}”`
          : `No player or case matches “${text}”`
      }
    />
  )
}
