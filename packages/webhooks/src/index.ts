export { createCreatorWebhooks } from './creator.ts'
export type { DeliveryOptions } from './deliveries/attempts.ts'
export { deleteOldDeliveries } from './deliveries/cleanup.ts'
export {
  countDueDeliveries,
  type DueDeliveries,
  listStoppedWebhooks,
  listStuckWebhooks,
} from './deliveries/health.ts'
export { getDelivery, listDeliveries } from './deliveries/read.ts'
export { resendDeliveries } from './deliveries/resend.ts'
export { testWebhook } from './deliveries/test-webhook.ts'
export type { ReadResource } from './dispatch/resources.ts'
export type { WebhookInput } from './model.ts'
export { listOrphanedWebhooks } from './orphaned.ts'
export type { Attempt, AttemptOptions } from './outbound/attempt.ts'
export { createSender, type Sender } from './outbound/sender.ts'
export { createThreadSender } from './outbound/thread/sender.ts'
export { reencryptWebhookSecrets } from './reencrypt-secrets.ts'
export { webhooks } from './routes.ts'
export { createDeliveryRunner } from './runner.ts'
export { listWebhooks } from './service.ts'
