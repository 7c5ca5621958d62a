import { LEGACY_PREFIX } from '../../support/instance.ts'
import type { Ask } from '../operation.ts'
import type { Asking, Kind } from '../world.ts'

const DAY_MS = 86_400_000

/** What the asks of every endpoint share. */
export function sharedBy({ dice, world, place, now }: Asking) {
  const { often, pick, below } = dice
  const workspaceId = place.id
  const under = (path: string) => (often(0.5) ? '/api' : LEGACY_PREFIX) + path
  const texts = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

  return {
    workspaceId,
    under,
    id: (kind: Kind) => world.id(kind, place),
    /** Reads something. Addresses of the public interface go without their prefix. */
    read: (path: string, fields: Record<string, unknown> = {}): Ask => ({
      method: often(0.04) ? 'HEAD' : 'GET',
      path: path.startsWith('/portal') || path.startsWith('/admin') ? path : under(path),
      query: texts({ workspaceId, ...fields }),
    }),
    /** Changes something; the workspace stands in the body, or in the query. */
    write: (method: string, path: string, fields: Record<string, unknown>): Ask => {
      const isAsked = often(0.1)
      return {
        method,
        path: path.startsWith('/portal') || path.startsWith('/admin') ? path : under(path),
        ...(isAsked ? { query: { workspaceId } } : {}),
        body: isAsked ? fields : { workspaceId, ...fields },
      }
    },
    /** Fields of a list: its length and where it goes on. */
    page: (): Record<string, unknown> => ({
      ...(often(0.6) ? { limit: often(0.95) ? 1 + below(9) : pick(['0', '201', 'x', '200', '']) } : {}),
      ...(often(0.03) ? { cursor: world.cursor() } : {}),
    }),
    /** A time within some days of the present, in one of the forms that are taken, and now and then in none. */
    time: (): string => {
      const at = now + Math.round((below(2000) / 1000 - 1) * pick([0.1, 3, 60]) * DAY_MS)
      if (often(0.03)) return pick(['tomorrow', '2031-02-30T00:00:00Z', '2031-03-01', '-1', ''])
      if (often(0.3)) return String(at)
      const text = new Date(at).toISOString()
      return often(0.3) ? text.replace(/\.\d+Z$/, '+02:00') : text
    },
    flag: (): string => (often(0.96) ? pick(['true', 'false', '1', '0']) : pick(['yes', '', 'TRUE'])),
    colour: (): string | null => pick(['#abc', '#ABCDEF', '#336699', null, often(0.3) ? 'red' : '#000000']),
  }
}
