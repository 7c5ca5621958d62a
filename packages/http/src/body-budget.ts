import { AppError } from '@reeve/core'

/** Limits of the bodies that one process receives. */
export interface ReceiveLimits {
  /** Bytes of all bodies that are being received or processed. */
  readonly total: number
  /** Bytes of those from one sender: an account, or the API keys of one workspace. */
  readonly perSender: number
  /** Bytes of those from all senders without valid credentials. */
  readonly unauthenticated: number
  /** Bytes of those without valid credentials from one IP address. */
  readonly perIp: number
  /** How long a body may take to arrive, in milliseconds. */
  readonly timeoutMs: number
}

/** Who sends a body. */
export interface BodySender {
  /** Identifies the account, the workspace of the API key, or the network of the client. */
  readonly id: string
  readonly isAuthenticated: boolean
  /** The error of invalid credentials. It is the response if the body is too large for a sender without valid ones. */
  readonly rejection: AppError | null
}

/** The connection is closed after the response: no more of the body is read. */
export const CLOSE = { connection: 'close' }

/** Counts the bytes of bodies in flight, in total and by sender, so that no sender can use up the memory of the others. */
export function createBudget(limits: ReceiveLimits) {
  const used = new Map<string, number>()
  const reservations = new WeakMap<Request, { readonly pools: readonly Pool[]; bytes: number }>()

  const add = (pools: readonly Pool[], bytes: number) => {
    for (const [name] of pools) {
      const sum = (used.get(name) ?? 0) + bytes
      if (sum > 0) used.set(name, sum)
      else used.delete(name)
    }
  }

  return {
    /** @throws AppError `unavailable` with `Retry-After` */
    reserve(request: Request, sender: BodySender, bytes: number): void {
      const { pools } = reservations.get(request) ?? { pools: listPools(limits, sender) }
      if (pools.some(([name, max]) => (used.get(name) ?? 0) + bytes > max)) {
        throw new AppError('unavailable', {
          message: 'Too many request bodies are being received. Retry in a few seconds.',
          headers: { 'retry-after': '5', ...CLOSE },
        })
      }
      add(pools, bytes)
      reservations.set(request, { pools, bytes: (reservations.get(request)?.bytes ?? 0) + bytes })
    },
    release(request: Request): void {
      const reservation = reservations.get(request)
      if (!reservation) return
      reservations.delete(request)
      add(reservation.pools, -reservation.bytes)
    },
  }
}

/** A name and the maximum of its bytes. */
type Pool = readonly [name: string, max: number]

const listPools = (limits: ReceiveLimits, { id, isAuthenticated }: BodySender): readonly Pool[] => [
  ['total', limits.total],
  ...(isAuthenticated
    ? [[`sender ${id}`, limits.perSender] as const]
    : ([
        ['unauthenticated', limits.unauthenticated],
        [`ip ${id}`, limits.perIp],
      ] as const)),
]
