import type { Actor } from '@reeve/core'
import type { IdempotencyKeys, RequestContext } from '@reeve/http'
import type { Meter } from '@reeve/metering'

export interface QuotaDependencies {
  readonly meter: Meter
  readonly idempotencyKeys: IdempotencyKeys
}

/**
 * Reserves the share of a write in the monthly quota of its workspace. A retry of a write that has used its share gets the response to
 * that one, also once the quota is used up.
 * @param monthlyQuota requests; null for no quota
 * @throws AppError `quota_exceeded`
 */
export async function reserveQuota(
  { meter, idempotencyKeys }: QuotaDependencies,
  { headers }: Request,
  actor: Actor,
  context: RequestContext,
  monthlyQuota: number | null,
): Promise<void> {
  // People can always moderate in the portal.
  if (actor.kind !== 'api_key' || context.meteredRequest === null || monthlyQuota === null) return
  const key = headers.get('idempotency-key')
  const isRetry = async () => key !== null && (await idempotencyKeys.isUsed(context, key))
  await meter.reserveQuota(context.meteredRequest, monthlyQuota, isRetry)
}
