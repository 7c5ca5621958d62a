import { ApiError } from '../../../api/error.ts'
import { queryClient } from '../../../api/query.ts'
import { caseQuery, type Entry } from '../data.ts'
import { act, type Deed } from '../deeds.ts'
import { inWords } from '../in-words.ts'

/** A record as it was read last, while its page is shown. */
export const newestOf = (workspaceId: string, record: Entry): Entry =>
  queryClient.getQueryData(caseQuery(workspaceId, record.id).queryKey)?.record ?? record

export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'version_mismatch'

/**
 * Changes a record as the reader was shown it. Where somebody was quicker that is refused, and from then on it is what
 * they were shown since.
 */
export function actAt(workspaceId: string, record: Entry): (deed: Deed) => Promise<Entry> {
  let { version } = record
  return async (deed) => {
    try {
      return await inWords(workspaceId, () => act(workspaceId, deed, version))
    } catch (error) {
      if (isStale(error)) version = newestOf(workspaceId, record).version
      throw error
    }
  }
}
