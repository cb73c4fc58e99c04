import type { Fault, RecordedRequest } from 'worktrack/mock-server';

/** A journal entry, as returned by the admin routes. JSON omits undefined fields. */
export type JournalEntry = Pick<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'> &
  Partial<Omit<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'>> & {
    /** Whether the event omitted the body because of its size. */
    bodyOmitted?: true;
  };

export interface ClockView {
  now: string;
  frozen: boolean;
}

/** An active fault. `count` is the number of requests that it has affected. */
export type ActiveFault = Fault & { id: string; count: number };

/** The number of requests that each credential can send within a window, in milliseconds. */
export type RateLimitView = { limit: number; window: number } | null;

export interface FaultsView {
  faults: ActiveFault[];
  rateLimit: RateLimitView;
}
