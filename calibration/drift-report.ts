/** A difference between a baseline and a deployment's current behavior. */
export interface Change {
  kind: 'choice' | 'rule' | 'shape';
  /** The subject of the change, such as `the order of tickets`. */
  subject: string;
  /** Descriptions of the previous and the current behavior. */
  before: string;
  after: string;
}

/** An observation in the baseline or in the current run that can't be compared. */
export interface NotCompared {
  kind: Change['kind'];
  subject: string;
  reason: string;
  /** Whether the baseline contains the observation. If so, the current run should also have made it. */
  isLost: boolean;
}

export interface DriftReport {
  changes: Change[];
  notCompared: NotCompared[];
  /** The observations that are the same in the baseline and the current run. */
  unchanged: { kind: Change['kind']; subject: string }[];
}
