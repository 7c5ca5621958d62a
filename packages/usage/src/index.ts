export { monthlyQuotaCodec } from './model.ts'
export { setQuota } from './quota.ts'
export { readStorageUsage } from './read.ts'
export { usage } from './routes.ts'
