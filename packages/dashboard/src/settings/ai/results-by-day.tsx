import { dateOf, numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { outcomes, type Results } from "./ai-results-query.ts";

/** Of a bar and the space after it, in units of the drawing. */
const STEP = 10;
const BAR = 8;
const HEIGHT = 100;

/** A bar for each day, divided by outcome; and the same as a table, for those who do not see the drawing. */
export function ResultsByDay({ days }: Pick<Results, "days">) {
  const most = Math.max(...days.map(({ conversations }) => conversations));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  return (
    <section>
      <h3 className="mb-2 font-medium">{t("ai.results.byDay")}</h3>
      <div aria-hidden="true">
        <p className="numbers text-end text-meta text-subtle">{numberOf(most)}</p>
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-28 w-full border-line border-y rtl:-scale-x-100"
        >
          {days.map((day, index) => (
            <Bar key={day.date} day={day} x={index * STEP} most={most} />
          ))}
        </svg>
        <p className="numbers flex justify-between text-meta text-subtle">
          <span>{dayOf(first.date)}</span>
          <span>{dayOf(last.date)}</span>
        </p>
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-muted pointer-coarse:py-3">{t("ai.results.asTable")}</summary>
        <DayTable days={days} />
      </details>
    </section>
  );
}

function Bar({ day, x, most }: { day: Results["days"][number]; x: number; most: number }) {
  let top = HEIGHT;
  return (
    <g>
      <title>{`${dayOf(day.date)}: ${numberOf(day.conversations)}`}</title>
      {outcomes.map(({ name, color }) => {
        const height = (day[name] / most) * HEIGHT;
        top -= height;
        return <rect key={name} x={x} y={top} width={BAR} height={height} className={`fill-current ${color}`} />;
      })}
    </g>
  );
}

/** The newest day first; days without a conversation are left out. */
function DayTable({ days }: Pick<Results, "days">) {
  const shown = days.filter(({ conversations }) => conversations > 0).reverse();
  return (
    // Scrollable content has to be reachable by keyboard.
    <section tabIndex={0} aria-label={t("ai.results.byDay")} className="mt-2 max-h-80 overflow-auto">
      <table className="w-full border-collapse text-start">
        <thead>
          <tr className="border-line border-b text-meta text-muted">
            <Heading text={t("ai.results.day")} />
            {outcomes.map(({ name }) => (
              <Heading key={name} text={t(`ai.results.${name}`)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((day) => (
            <tr key={day.date} className="numbers border-line border-b last:border-b-0">
              <th scope="row" className="whitespace-nowrap py-1.5 pe-3 text-start font-normal">
                {dayOf(day.date)}
              </th>
              {outcomes.map(({ name }) => (
                <td key={name} className="py-1.5 pe-3">
                  {numberOf(day[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Heading({ text }: { text: string }) {
  return (
    <th scope="col" className="py-1.5 pe-3 text-start font-medium">
      {text}
    </th>
  );
}

/** A day in UTC, at its noon: no time zone in use makes another day of it. */
const dayOf = (date: string) => dateOf(`${date}T12:00:00`);
