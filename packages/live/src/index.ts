export { createHub, type Hub } from './hub.ts'
export { live } from './routes.ts'
