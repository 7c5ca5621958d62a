export * from './meter.ts'
export * from './rate.ts'
export * from './usage.ts'
