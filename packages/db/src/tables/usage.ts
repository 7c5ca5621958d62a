import { id, idOrText, integer, type Row, text } from './column.ts'

/** The number of requests per hour. */
export const usageColumns = {
  workspace_id: id(),
  /** Start of the hour in epoch milliseconds. */
  hour: integer(),
  endpoint: text(),
  actor_id: idOrText(),
  /** 2 for 2xx, 4 for 4xx, 5 for 5xx. */
  status_class: integer(),
  calls: integer(),
}
export type UsageTable = Row<typeof usageColumns>
