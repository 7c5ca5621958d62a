/** Calls counted per hour. */
export interface UsageTable {
  workspace_id: string
  /** Start of the hour in epoch milliseconds. */
  hour: number
  endpoint: string
  actor_id: string
  /** 2 for 2xx, 4 for 4xx, 5 for 5xx. */
  status_class: number
  calls: number
}
