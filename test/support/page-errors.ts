import { expect } from 'bun:test'
import type { Tab } from './browser.ts'

/** What a browser logs about a response with a 4xx status. */
export const ERROR_STATUS_MESSAGE = /Failed to load resource: the server responded with a status of 4\d\d/

/** Expects no cross-origin request, no CSP violation, and no error except of responses with a 4xx status. */
export async function expectNoPageErrors({
  listCrossOriginRequests,
  listCspViolations,
  pageErrors,
}: Tab): Promise<void> {
  expect(listCrossOriginRequests()).toEqual([])
  expect(await listCspViolations()).toEqual([])
  expect(pageErrors.filter((error) => !ERROR_STATUS_MESSAGE.test(error))).toEqual([])
}
