export { monthlyQuotaCodec } from './model.ts'
export { setQuota } from './quota.ts'
export { usage } from './routes.ts'
