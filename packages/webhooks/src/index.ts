export { deleteOldDeliveries } from './deliveries/cleanup.ts'
export type { Attempt } from './deliveries/finish.ts'
export {
  countDueDeliveries,
  type DueDeliveries,
  listStoppedWebhooks,
  listStuckWebhooks,
} from './deliveries/health.ts'
export { getDelivery, listDeliveries } from './deliveries/read.ts'
export { resendDeliveries } from './deliveries/resend.ts'
export { testWebhook } from './deliveries/test-webhook.ts'
export { type ReadResource, resourceFields } from './dispatch/resources.ts'
export type { WebhookInput } from './model.ts'
export { webhooks } from './routes.ts'
export { createDeliveryRunner, type DeliveryOptions, type DeliveryRunner } from './runner.ts'
export { reencryptWebhookSecrets } from './secret.ts'
export { listWebhooks } from './service.ts'
