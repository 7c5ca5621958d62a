import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { hasEarlyData } from '../api/early-reads.ts'
import { queryClient } from '../api/query-client.ts'

/** How long the first screen waits for its data, in milliseconds: a person does not notice it. */
const MAX_WAIT_MS = 100

/**
 * Reads what the first screen shows before it is rendered, if the page has already requested it: rendering it empty and then
 * again with its data takes a slow phone much longer. Screens that are opened later are shown at once.
 * @param loadQuery loads the query of the screen
 */
export async function readEarlyData<Data, Key extends QueryKey>(
  loadQuery: () => Promise<FetchQueryOptions<Data, Error, Data, Key>>,
): Promise<void> {
  if (!(await hasEarlyData())) return
  const read = queryClient.prefetchQuery(await loadQuery())
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
}
