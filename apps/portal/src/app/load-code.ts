import { ApiError, createNetworkError, createUpdatedError } from '../api/error.ts'

const canReachServer = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Loads code, and once more if that fails although the server can be reached.
 * @param load imports it
 * @throws ApiError if the server cannot be reached, otherwise the error of the browser: a newer version has replaced the code
 */
export const retryLoad = <Code>(load: () => Promise<Code>): Promise<Code> =>
  load().catch(async () => {
    if (await canReachServer()) return load()
    throw createNetworkError()
  })

/** Loads code that a page uses on demand. @param load imports it @throws ApiError that says what to do */
export const loadCode = <Code>(load: () => Promise<Code>): Promise<Code> =>
  retryLoad(load).catch((error) => {
    throw error instanceof ApiError ? error : createUpdatedError()
  })
