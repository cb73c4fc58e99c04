/** A difference between a baseline and what a deployment does now. */
export interface Change {
  kind: 'choice' | 'rule' | 'shape';
  /** What changed, such as `the order of tickets`. */
  subject: string;
  /** What the deployment did, and what it does now, in words. */
  before: string;
  after: string;
}

/** Something that is in the baseline or in the current observation, but can't be compared. */
export interface NotCompared {
  kind: Change['kind'];
  subject: string;
  reason: string;
  /** Whether the baseline contains it, so the current run should have observed it. */
  isLost: boolean;
}

export interface DriftReport {
  changes: Change[];
  notCompared: NotCompared[];
  /** What was compared and is the same. */
  unchanged: { kind: Change['kind']; subject: string }[];
}
