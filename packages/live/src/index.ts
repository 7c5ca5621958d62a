export { live } from './routes.ts'
