/** The labels of the form fields by API field name. */
export const labels = {
  title: 'Title',
  eventType: 'Type',
  scheduledFor: 'Starts',
  published: 'Visibility',
  trainingStart: 'Training starts',
  endsAt: 'Ends',
  trainingHost: 'Host',
  hostAccountId: 'Host',
  description: 'Description',
  imageDataUrl: 'Image',
  experienceName: 'Experience name',
  experienceUrl: 'Link',
  experienceId: 'Experience ID',
  experiencePlaceId: 'Place ID',
  experienceThumbnailUrl: 'Thumbnail',
} as const
