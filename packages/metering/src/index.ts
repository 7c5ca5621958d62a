export * from './meter.ts'
export { openRateLimiter } from './rate-limit-sync.ts'
export * from './rate-limiter.ts'
export * from './usage.ts'
