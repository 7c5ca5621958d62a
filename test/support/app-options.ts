import { type IpRange, parseIpRange } from '@reeve/auth'
import { METRICS_TOKEN } from './metrics.ts'

/** Webhooks of tests send to this machine. */
export const LOOPBACK = [parseIpRange('127.0.0.0/8') as IpRange]

/** The options of the app that are the same in every test. */
export const APP_OPTIONS = {
  hosts: [],
  onWarning: () => {},
  backupIntervalMs: null,
  hasOffsiteBackups: true,
  metricsToken: METRICS_TOKEN,
}
