export * from './meter.ts'
export * from './rate.ts'
export { openRates } from './rate-exchange.ts'
export * from './usage.ts'
