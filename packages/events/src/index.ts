export { deleteUnusedImages } from './images/cleanup.ts'
export { imageRoutes } from './images/routes.ts'
export type { EventInput, EventQueryInput } from './model.ts'
export { events } from './routes.ts'
