/** Classifies a response status. The result is also used as a CSS class. Status 0 means the response was lost. */
export const statusKind = (status: number): 'lost' | 'good' | 'bad' =>
  status === 0 ? 'lost' : status < 300 ? 'good' : 'bad';
