import type { RatePerMinute } from '@reeve/metering'
import type { IpRange } from './ip-address.ts'

/** The settings that reach beyond one package. */
export interface Settings {
  /** Where browsers and game servers reach this instance. */
  readonly publicUrl: URL
  readonly trustedProxies: readonly IpRange[]
  readonly keyRatePerMinute: RatePerMinute
  readonly sessionRatePerMinute: RatePerMinute
}
