import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { notifyError } from '../../../components/toast.tsx'
import { type Token, TokenField } from '../../../components/token-field.tsx'
import { bidiIsolate } from '../action-labels.ts'
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
  const [text, setText] = useState('')
  const [isResolving, setIsResolving] = useState(false)
  const { meanings, isLoading } = useMeanings(workspaceId, text)
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
    setText('')
    if (meaning.kind === 'case') addCases([meaning.caseNumber])
    else addPlayers(meaning.kind === 'player' ? [meaning.userId] : meaning.userIds)
  }
  const submitText = async () => {
    const submitted = text.trim()
    if (submitted === '' || isResolving) return
    setIsResolving(true)
    try {
      const { userIds, caseNumbers, unresolved } = await resolveText(workspaceId, submitted)
      setText((current) => (current.trim() === submitted ? '' : current))
      if (userIds.length + unresolved.length > 0) addPlayers(userIds, unresolved)
      else addCases(caseNumbers)
    } catch (error) {
      notifyError(error)
    } finally {
      setIsResolving(false)
    }
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
      text={text}
      setText={setText}
      suggestions={meanings.map((meaning) => ({
        key: `${meaning.kind}:${meaning.label}`,
        label: meaning.label,
        note: meaning.note,
        select: () => select(meaning),
      }))}
      isLoading={isLoading || isResolving}
      noMatch={
        parseCaseNumber(text.trim()) === null
          ? `No player matches “${bidiIsolate(text.trim())}”`
          : `No player or case matches “${text.trim()}”`
      }
      submitText={() => void submitText()}
    />
  )
}
