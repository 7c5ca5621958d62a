export { overview } from './routes.ts'
