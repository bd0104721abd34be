/** One measured number: the median of its runs. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly runs: number;
  readonly min: number;
  readonly max: number;
  /** What the same work costs without us, measured in the same run. */
  readonly floor?: number;
  readonly ratio?: number;
}

export type Figures = Readonly<Record<string, Figure>>;

export function figure(samples: readonly number[], unit: string, floor?: number): Figure {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return {
    value,
    unit,
    runs: sorted.length,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    ...(floor === undefined ? {} : { floor, ratio: value / floor }),
  };
}
