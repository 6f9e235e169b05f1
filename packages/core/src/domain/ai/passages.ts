/** An article of at most so many characters is one passage. */
const WHOLE_MAX = 3_000;
/** A part of a longer one has at most so many. */
const PART_MAX = 1_200;
const HEADING = /^#{1,6}\s|^\S.*\n[=-]{3,}\s*$/;

/**
 * The parts of an article that a model is shown: the whole text when it is short, else pieces that end where paragraphs end, and
 * begin anew at headings. A paragraph that is too long by itself is cut between words.
 */
export function passagesOf(answer: string): string[] {
  if (answer.length <= WHOLE_MAX) return [answer];
  const passages: string[] = [];
  let open = "";
  for (const paragraph of answer.split(/\n\s*\n/).flatMap(pieces)) {
    const isFull = open.length + paragraph.length + 2 > PART_MAX;
    if (open !== "" && (isFull || HEADING.test(paragraph))) {
      passages.push(open);
      open = "";
    }
    open = open === "" ? paragraph : `${open}\n\n${paragraph}`;
  }
  return open === "" ? passages : [...passages, open];
}

function pieces(paragraph: string): string[] {
  const found: string[] = [];
  let rest = paragraph.trim();
  while (rest.length > PART_MAX) {
    const space = rest.lastIndexOf(" ", PART_MAX);
    const end = space > 0 ? space : PART_MAX;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return rest === "" ? found : [...found, rest];
}
