/** A response's kind, also used as a CSS class. A status of 0 means that the response was lost. */
export const statusKind = (status: number): 'lost' | 'good' | 'bad' =>
  status === 0 ? 'lost' : status < 300 ? 'good' : 'bad';
