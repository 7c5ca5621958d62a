import { caseNumbers, isRecordAction, type RecordAction, recordStatuses, severities, wire } from '@reeve/core'
import { anyText, calendarDay, type FilterParser, type Filters, oneOf } from '../../app/filter-parsers.ts'
import { toTimeRange } from '../../format/day-range.ts'

/** Splits the values of a filter. */
export const splitValues = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Joins the values of a filter, without duplicates; undefined clears it. */
export const joinValues = (values: readonly string[]): string | undefined =>
  [...new Set(values)].join(',') || undefined

/** Actions, separated by commas. */
export const actionsFilter: FilterParser<string> = (text) =>
  joinValues(splitValues(text).filter(isRecordAction))

/** Case numbers, separated by commas. */
export const caseNumbersFilter: FilterParser<string> = (text) => {
  try {
    return caseNumbers.write(caseNumbers.read(text))
  } catch {
    return undefined
  }
}

/** Player ids, separated by commas. */
export const playerIdsFilter: FilterParser<string> = (text) => {
  if (anyText(text) === undefined) return undefined
  try {
    wire.playerIds.read(text)
    return text
  } catch {
    return undefined
  }
}

/** The filters of a record list in the URL. */
const recordFilterParsers = {
  userId: playerIdsFilter,
  /** Texts that do not name one player, until the reader has chosen. */
  player: anyText,
  caseNumber: caseNumbersFilter,
  text: anyText,
  action: actionsFilter,
  from: calendarDay,
  to: calendarDay,
  /** Of these days, in links from figures that count those of UTC. */
  zone: oneOf('UTC'),
  actorId: anyText,
  severity: oneOf(...severities),
  imported: oneOf('true', 'false'),
  status: oneOf(...recordStatuses),
}

export type RecordListFilters = Filters<typeof recordFilterParsers>
/** The filters, and the id of the saved view that was applied last. */
export const recordListParsers = { ...recordFilterParsers, view: anyText }

export type SetRecordFilters = (
  change: {
    readonly [Name in keyof typeof recordListParsers]?: string | undefined
  },
) => void

/** Clears every filter. */
export const noRecordFilters = Object.fromEntries(
  Object.keys(recordListParsers).map((name) => [name, undefined]),
) as { readonly [Name in keyof typeof recordListParsers]: undefined }

/** Query parameters of `GET /api/moderation`. */
export type RecordFilters = Readonly<
  Partial<
    Record<
      | 'banList'
      | 'banHistory'
      | 'userId'
      | 'actorUserId'
      | 'severity'
      | 'status'
      | 'action'
      | 'from'
      | 'to'
      | 'imported'
      | 'text'
      | 'caseNumber'
      | 'limit',
      string
    >
  >
>

/** Converts the filters of the URL to query parameters of the API. */
export const toRecordQuery = (filters: RecordListFilters): RecordFilters => {
  const { player: _, actorId, from, to, zone, ...sameNames } = filters
  return {
    ...sameNames,
    ...(actorId !== undefined && { actorUserId: actorId }),
    ...toTimeRange({ from, to, zone }),
  }
}

/** The actions of a filter. */
export const parseActions = (text: string | undefined): RecordAction[] =>
  splitValues(text).filter(isRecordAction)
