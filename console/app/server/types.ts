import type { Fault, RecordedRequest } from 'worktrack/mock-server';

/** A journal entry, as returned by the admin routes. JSON omits undefined fields. */
export type JournalEntry = Pick<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'> &
  Partial<Omit<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'>> & {
    /** `true` if the body was too large to include in the event. */
    bodyOmitted?: true;
    /**
     * Set if the request seems to be a retry: the ID of the first request, and the number of this attempt.
     */
    retry?: { of: string; attempt: number };
  };

export interface ClockView {
  now: string;
  frozen: boolean;
}

/** An active fault. `count` is the number of requests the fault has affected. */
export type ActiveFault = Fault & { id: string; count: number };

/** The number of requests each credential can send per window. `window` is in milliseconds. */
export type RateLimitView = { limit: number; window: number } | null;

export interface FaultsView {
  faults: ActiveFault[];
  rateLimit: RateLimitView;
}

/** A space's status. The console reads only the number of requests in the journal. */
export interface SpaceStatus {
  requests: number;
}
