export { overview } from './routes.ts'
export { summarizeActivity } from './summarize-activity.ts'
