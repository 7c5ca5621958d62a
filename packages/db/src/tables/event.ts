/** A scheduled event. */
export interface EventTable {
  workspace_id: string
  id: string
  title: string
  description: string | null
  scheduled_for: number
  ends_at: number
  published: number
  event_type: 'event' | 'training' | 'shift' | 'meeting' | 'tryout' | 'other'
  image_url: string | null
  training_start: number | null
  training_end: number | null
  training_host: string | null
  experience_id: string | null
  experience_name: string | null
  experience_place_id: string | null
  experience_thumbnail_url: string | null
  experience_url: string | null
  created_by: string
  created_at: number
  updated_at: number
  version: number
}
