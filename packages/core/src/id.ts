/** Ids are UUIDs in lower case. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID as Reeve writes them: others would not be the same text when they are read. */
export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text)

/** Below every id that is created. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Above every id that is created. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether two lists have the same ids, in any order. @param ids without duplicates, like `others` */
export const hasSameIds = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((id) => others.includes(id))
