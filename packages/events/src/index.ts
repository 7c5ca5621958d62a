export { deleteUnusedImages } from './images/cleanup.ts'
export { imageRoutes } from './images/routes.ts'
export { type EventInput, type EventQueryInput, presentEvent } from './model.ts'
export { events } from './routes.ts'
