/** The placeholder of a list during its first fetch. */
export function SkeletonRows({ rows, height }: { rows: number; height: number }) {
  return (
    <div aria-hidden="true" className="animate-pulse">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={index} className="flex items-center gap-3 px-3" style={{ height }}>
          <div className="size-8 shrink-0 rounded-full bg-hover" />
          <div className="flex-1 space-y-2">
            <div className="h-3 w-1/3 rounded-tag bg-hover" />
            <div className="h-3 w-4/5 rounded-tag bg-hover" />
          </div>
        </div>
      ))}
    </div>
  );
}
