/** Raw request or response text. Scrollable content has to be reachable by keyboard. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-control border border-line bg-app"
    >
      <pre dir="ltr" className="whitespace-pre-wrap break-all p-3 text-left font-mono text-meta">
        {text}
      </pre>
    </section>
  );
}
