import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { type Token, TokenField, useTokenText } from '../../components/token-field.tsx'
import { bidiIsolate } from '../../format/player-name.ts'
import { useNamedPlayers } from '../moderation/filters/player-tokens.ts'
import { joinValues, splitValues } from '../moderation/record-filters.ts'
import type { AuditFilters } from './audit-filters.ts'
import { type TargetMeaning, targetMeaningsQuery, useTargetMeanings } from './target-meanings.ts'

/** The filters that name targets. An entry matches one of them. */
const TARGET_FILTERS = ['record', 'caseNumber', 'userId', 'find'] as const
type TargetFilterName = (typeof TARGET_FILTERS)[number]
type TargetFilters = Pick<AuditFilters, TargetFilterName>

interface Props {
  readonly filters: AuditFilters
  readonly setFilters: (change: { readonly [Name in TargetFilterName]?: string | undefined }) => void
  /** Names of targets that are listed, by id. */
  readonly targetNames: ReadonlyMap<string, string>
}

/** Adds what a text means to the filters. */
export function addMeanings(filters: TargetFilters, meanings: readonly TargetMeaning[]): TargetFilters {
  const add = (values: string | undefined, more: readonly string[]) =>
    joinValues([...splitValues(values), ...more])
  return {
    record: add(
      filters.record,
      meanings.flatMap((meaning) => (meaning.kind === 'target' ? [meaning.id] : [])),
    ),
    caseNumber: add(
      filters.caseNumber,
      meanings.flatMap((meaning) => (meaning.kind === 'case' ? [meaning.caseNumber] : [])),
    ),
    userId: add(
      filters.userId,
      meanings.flatMap((meaning) =>
        meaning.kind === 'player' ? [meaning.userId] : meaning.kind === 'players' ? meaning.userIds : [],
      ),
    ),
  } as TargetFilters
}

/** Filters by what was changed: a case number, a player, a person or an id. */
export function TargetFilter({ filters, setFilters, targetNames }: Props) {
  const client = useQueryClient()
  const { id: workspaceId, permissions } = useWorkspace()
  const input = useTokenText(async (submitted) => {
    const parts = splitValues(submitted)
    const found = await Promise.all(
      parts.map((part) => client.fetchQuery(targetMeaningsQuery(workspaceId, permissions, part))),
    )
    return () =>
      choose(
        found.flatMap((candidates) => (candidates.length === 1 ? candidates : [])),
        parts.filter((_, index) => found[index]?.length !== 1),
      )
  })
  const text = input.text.trim()
  const [chosenNames, setChosenNames] = useState<ReadonlyMap<string, string>>(new Map())
  const suggestions = useTargetMeanings(text)
  const players = useNamedPlayers(
    workspaceId,
    splitValues(filters.userId),
    permissions.has('moderation.view'),
  )
  const toTokens = (name: TargetFilterName, toLabel: (value: string) => string): Token[] =>
    splitValues(filters[name]).map((value) => ({ key: `${name}:${value}`, label: toLabel(value) }))
  const tokens = [
    ...players.map(({ userId, label }) => ({ key: `userId:${userId}`, label })),
    ...toTokens('caseNumber', (number) => `Case #${number}`),
    ...toTokens('record', (id) => chosenNames.get(id) ?? targetNames.get(id) ?? `ID ${id}`),
    ...toTokens('find', (part) => `“${bidiIsolate(part)}”`),
  ]
  const choose = (chosen: readonly TargetMeaning[], unresolved: readonly string[] = []) => {
    setChosenNames(
      new Map([
        ...chosenNames,
        ...chosen.flatMap((meaning) =>
          meaning.kind === 'target' && meaning.label !== 'This ID'
            ? [[meaning.id, meaning.label] as const]
            : [],
        ),
      ]),
    )
    setFilters({
      ...addMeanings(filters, chosen),
      find: joinValues([...splitValues(filters.find), ...unresolved]),
    })
  }
  return (
    <TokenField
      label="Record"
      placeholder="Case, player, person or ID"
      tokens={tokens}
      removeToken={(key) => {
        const name = key.slice(0, key.indexOf(':')) as TargetFilterName
        const value = key.slice(name.length + 1)
        setFilters({
          [name]: joinValues(splitValues(filters[name]).filter((candidate) => candidate !== value)),
        })
      }}
      input={input}
      suggestions={suggestions}
      select={(meaning) => choose([meaning])}
      noMatch={`No case, player or person matches “${bidiIsolate(text)}”`}
    />
  )
}
