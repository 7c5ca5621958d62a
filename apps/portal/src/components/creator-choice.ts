import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/** Something that a person leaves behind: an API key, a webhook. */
interface Creation {
  readonly id: string
}

/** A list of what a person leaves behind. */
export interface Creations<Item extends Creation> {
  readonly items: readonly Item[]
  /** How many more there are, which cannot be chosen. */
  readonly more: number
}

/** @param more how many are not listed, as a response has it */
export const toCreations = <Item extends Creation>(items: readonly Item[], more = '0'): Creations<Item> => ({
  items,
  more: Number(more),
})

/** How the things that a person leaves behind are read. */
export interface CreationsQuery<Item extends Creation> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: () => Promise<Creations<Item>>
  /** Those that are shown. */
  readonly select?: (creations: Creations<Item>) => Creations<Item>
}

/** The choice of what ends with somebody's access: all of it unless the user decides otherwise. */
export interface CreatorChoice<Item extends Creation> {
  readonly result: UseQueryResult<Creations<Item>>
  readonly skippedIds: readonly string[]
  readonly setSkipped: (id: string, isSkipped: boolean) => void
  /** Whether all of it is known, so that the user has seen what becomes of it. */
  readonly isReady: boolean
  /** The IDs to send. */
  readonly chosenIds: string
}

/** @param query null if nothing is asked */
export function useCreatorChoice<Item extends Creation>(
  query: CreationsQuery<Item> | null,
): CreatorChoice<Item> {
  const result = useQuery<Creations<Item>>(query ? { ...query, staleTime: 0 } : nothing)
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const chosen = (result.data?.items ?? []).filter(({ id }) => !skippedIds.includes(id))
  return {
    result,
    skippedIds,
    setSkipped: (id, isSkipped) =>
      setSkippedIds((ids) => (isSkipped ? [...ids, id] : ids.filter((other) => other !== id))),
    isReady: result.data !== undefined,
    chosenIds: chosen.map(({ id }) => id).join(','),
  }
}

const nothing = { queryKey: ['nothing'], enabled: false, initialData: { items: [], more: 0 } }
