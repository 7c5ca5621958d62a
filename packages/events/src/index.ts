export { media } from './media.ts'
export type { EventInput, EventQueryInput } from './model.ts'
export { events } from './routes.ts'
