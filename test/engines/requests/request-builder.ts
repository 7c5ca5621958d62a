import { LEGACY_PREFIX } from '../../support/instance.ts'
import type { GeneratorContext, ResourceKind } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'

const DAY_MS = 86_400_000

/** Helpers that the generators of all endpoints share. */
export function createRequestBuilder({ random, state, workspace, now }: GeneratorContext) {
  const { chance, pick, intBelow } = random
  const workspaceId = workspace.id
  const withPrefix = (path: string) => (chance(0.5) ? '/api' : LEGACY_PREFIX) + path
  const toTextFields = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

  return {
    workspaceId,
    withPrefix,
    pickId: (kind: ResourceKind) => state.id(kind, workspace),
    /** A read request. Paths of the public API are given without a prefix. */
    read: (path: string, fields: Record<string, unknown> = {}): RequestTemplate => ({
      method: chance(0.04) ? 'HEAD' : 'GET',
      path: path.startsWith('/portal') || path.startsWith('/admin') ? path : withPrefix(path),
      query: toTextFields({ workspaceId, ...fields }),
    }),
    /** A write request with the workspace id in the body, sometimes in the query. */
    write: (method: string, path: string, fields: Record<string, unknown>): RequestTemplate => {
      const isInQuery = chance(0.1)
      return {
        method,
        path: path.startsWith('/portal') || path.startsWith('/admin') ? path : withPrefix(path),
        ...(isInQuery ? { query: { workspaceId } } : {}),
        body: isInQuery ? fields : { workspaceId, ...fields },
      }
    },
    /** Pagination fields. */
    pickPageFields: (): Record<string, unknown> => ({
      ...(chance(0.6) ? { limit: chance(0.95) ? 1 + intBelow(9) : pick(['0', '201', 'x', '200', '']) } : {}),
      ...(chance(0.03) ? { cursor: state.cursor() } : {}),
    }),
    /** A time within days of now, in one of the accepted formats, sometimes invalid. */
    pickTime: (): string => {
      const timestamp = now + Math.round((intBelow(2000) / 1000 - 1) * pick([0.1, 3, 60]) * DAY_MS)
      if (chance(0.03)) return pick(['tomorrow', '2031-02-30T00:00:00Z', '2031-03-01', '-1', ''])
      if (chance(0.3)) return String(timestamp)
      const text = new Date(timestamp).toISOString()
      return chance(0.3) ? text.replace(/\.\d+Z$/, '+02:00') : text
    },
    pickFlag: (): string => (chance(0.96) ? pick(['true', 'false', '1', '0']) : pick(['yes', '', 'TRUE'])),
    pickColor: (): string | null =>
      pick(['#abc', '#ABCDEF', '#336699', null, chance(0.3) ? 'red' : '#000000']),
  }
}
