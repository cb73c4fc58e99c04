import type { Fault, RecordedRequest } from 'worktrack/mock-server';

/** A request in the journal, as admin routes return it. JSON has no fields that are undefined. */
export type JournalEntry = Pick<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'> &
  Partial<Omit<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'>> & {
    /** Whether the event left the body out because of its size. */
    bodyOmitted?: true;
  };

export interface ClockView {
  now: string;
  frozen: boolean;
}

/** A fault that was added. `count` is how many requests it has applied to. */
export type ActiveFault = Fault & { id: string; count: number };

/** Requests per credential in a window of milliseconds. */
export type RateLimitView = { limit: number; window: number } | null;

export interface FaultsView {
  faults: ActiveFault[];
  rateLimit: RateLimitView;
}
