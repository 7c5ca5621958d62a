/** What the fields of the form are called, by the names that the server knows them by. */
export const labels = {
  title: 'Title',
  eventType: 'Type',
  scheduledFor: 'Begins',
  published: 'Seen by',
  trainingStart: 'Training starts',
  trainingEnd: 'Training ends',
  trainingHost: 'Held by',
  description: 'Description',
  imageDataUrl: 'Image',
  experienceName: 'Experience name',
  experienceUrl: 'Link',
  experienceId: 'Experience id',
  experiencePlaceId: 'Place id',
  experienceThumbnailUrl: 'Picture',
} as const
