import type { Phrases } from "./phrases.ts";

const PERSON =
  "(?:a |an |the |some |your |any |another |one of your )?(?:real |live |actual |human |proper |customer |support |service |sales |senior |different )*(?:humans?|persons?|people|agents?|representatives?|reps?|operators?|advis[eo]rs?|human being|someone|somebody|anyone|employees?|staff|staff member|team member|colleague|manager|supervisor|customer (?:service|support|care)|support(?: team)?|your team)";
/** After the person comes the end, or more of the wish; "agent fee" and "human resources" are other things. */
const AFTER =
  "(?! ?-|[- ](?:resources?|readable|rights?|fees?|licen[sc]es?|accounts?|names?|ids?|portal|app|contracts?|commissions?|numbers?|hours?|trafficking|hair|size|error|tested|added|discount|page|forum|plan|ticket|tickets|skills?|program|dashboard|api|software|role|seat|seats))(?![\\p{L}\\p{M}\\p{N}])";

export const english: Phrases = {
  wordsStandApart: true,
  request: [
    `(?:want|wanna|need|like|love|prefer|can|could|may|might|let|please|possible|able|rather|how (?:do|can) (?:i|we))~(?:talk|speak|chat|text)(?:ing)? (?:to|with) ${PERSON}${AFTER}`,
    `^(?:talk|speak|chat)(?:ing)? (?:to|with) ${PERSON}${AFTER}`,
    `(?:connect|transfer|switch|forward|redirect|route|escalate|pass|hand|put)(?: (?:me|us|this|it|this chat|my case))?(?: (?:over|through|on|up))? ?(?:to|with) ${PERSON}${AFTER}`,
    `(?:get|give|find|bring|send|call|fetch) (?:me|us|in) (?:a|an|some|your) (?:real |live |actual |human |different )*(?:human|person|agent|representative|rep|operator|human being|manager|supervisor|someone)${AFTER}`,
    `(?:i|we)(?:'d| would)? (?:want|need|like|prefer|demand)(?: to have)? (?:a|an|some) (?:real |live |actual |human )*(?:human|person|agent|representative|rep|operator|human being|human support|human help)(?=[.!?, ]*(?:please|now|pls|here|asap|instead|to (?:help|talk|assist))?[.!?]*$)`,
    "(?:is|are) there (?:a |an |any |some )?(?:real |live |actual |human )*(?:human|person|people|humans|agent|someone|somebody|anyone|anybody)s?(?: here| there| available| online| around)?~(?:talk|speak|chat|here|available|online|help me)",
    "(?:want|going|like)(?: to)? (?:talk|speak|chat) (?:to|with) (?:a|this|your|the|an) (?:stupid |dumb )?(?:ro)?(?:bot|machine|ai|computer)",
    "(?:stop|no more|enough of|not) (?:this |the |these |a |your )?(?:stupid |dumb )?(?:ro)?bots?[.!]*$",
    "can (?:a|an|any) (?:real |live |actual )*(?:human|person|agent|representative|someone) (?:help|assist|answer|take over)",
  ],
  noRequest: [
    "(?:do|does|did|must|should) (?:i|we|you|one|customers|people) (?:really |even )?(?:need|have) to",
    "(?:do not|don't|dont|didn't|never|wouldn't) (?:want|need|like|have|wish)(?! (?:to (?:talk|speak|chat) (?:to|with) )?(?:a|an|this|your|the) (?:ro)?(?:bot|machine|ai|computer|assistant))",
    "without (?:talking|speaking|having)",
    "what happens (?:if|when)",
    "how (?:many|much|often)",
    "(?:said|told me|says) to",
    "(?:can|does|could) (?:the|your|my|an?) (?:app|device|product|bot|speaker|phone|doll|toy)",
  ],
  upset: [
    "(?:this|that|it|your (?:service|support|company|bot|product|website))(?: is|'s|s)? (?:just |so |absolutely |completely |totally |utterly |really |simply )*(?:ridiculous|outrageous|unacceptable|infuriating|disgusting|pathetic|disgraceful|bullshit|bull shit|an outrage|(?:a (?:bad |sick )?joke|a disgrace|crap|garbage|a nightmare)(?=[ ]*(?:[.!?,]|$)))",
    "(?:you|you guys|you people)(?: are|'re|re) (?:all |just |so |such |absolutely |completely |totally |really |a bunch of |a |an )*(?:useless|idiots?|morons?|incompetent|stupid|liars?|thieves|scammers?|crooks|pathetic|a joke|worthless|clowns?)",
    "(?:useless|stupid|dumb|damn|fucking|goddamn) (?:bot|robot|ai|machine|company|service|support|people|idiots?)",
    "(?:i am|i'm|im) (?:so |very |really |extremely |absolutely |getting |just |beyond )*(?:angry|furious|pissed(?: off)?|livid|fed up|outraged|sick of (?:this|you|waiting)|sick and tired|disgusted|losing my patience)",
    "(?:worst|most awful|most terrible) (?:service|support|customer service|company|experience|shop|store)(?! (?:you|that you|they))",
    "are you (?:kidding|joking|fucking kidding)(?: me)?",
    "what a (?:joke|disgrace|waste of (?:my )?time|rip-?off|scam)",
    "(?:complete|total|such a) (?:waste of (?:my )?time|rip-?off)",
    "fuck(?:ing|ed)?(?: you| this| off| hell)?",
    "wtf",
    "what the (?:hell|fuck)",
    "bullshit",
    "go to hell",
    "screw you",
    "shame on you",
    "how dare you",
    "enough is enough",
    "(?:i've|i have) had enough(?: of (?:this|you))?(?=[ .!]*$)",
  ],
  calm: [
    "(?:not|n't|never|no longer|without being) (?:so |very |really |that |at all |being |been |getting |a |an )*(?:angry|furious|pissed|livid|fed up|ridiculous|outrageous|unacceptable|useless|stupid|idiots?|a joke|the worst|worst)",
    "(?:was|were|used to be) (?:so |very |really )*(?:angry|furious)",
    "(?:would|could|might|may) be (?:ridiculous|unacceptable)",
    "(?:sounds?|looks?) (?:ridiculous|stupid), but",
    "(?:ridiculously|stupidly) ",
    "fucking (?:great|awesome|amazing|brilliant|love|good)",
    "(?:if|when) (?:i am|i'm|my)",
  ],
  helped: [
    "(?:that|this|it|you|which|all) ?(?:'s|has|have|really|all|just|now)* ?(?:work(?:s|ed|ing)|helps|helped|helpful|did it|did the trick|solve[sd] (?:it|my|the)|fixed (?:it|my|the)|answer(?:s|ed) my)",
    "(?:problem|issue|question) (?:is |was )?(?:solved|fixed|answered|resolved)",
    "(?:works|working|solved|fixed|resolved) (?:now|again|it)",
    "^(?:solved|fixed|works|worked|resolved|sorted)[.! ]*$",
    "perfect,? (?:thanks|thank you)",
    "(?:very|really|super) helpful",
    "got it working",
  ],
  notHelped: [
    "(?:that|this|it)(?: is|'s| was)? (?:not|wrong|incorrect|false|no help|useless)",
    "(?:not|didn't|doesn't|did not|does not|isn't|wasn't|won't|hasn't) (?:really )?(?:help|helped|helpful|work|worked|working|right|correct|true|what i|my question|answer|solve|solved|fix|fixed)",
    "still (?:not|does|doesn't|the same|broken|no|nothing|can't|cannot)",
    "unhelpful",
    "wrong answer",
    "no, ",
  ],
  promise: [
    "(?:i|we|they|he|she|somebody|someone|one of (?:us|our \\w+)|(?:my|our|the) (?:\\w+ ){0,2}(?:team|colleagues?|agents?|support|staff|specialists?|experts?|manager|department|office))(?:'ll| will| am going to|'m going to| are going to|'re going to| shall| is going to)~(?:get back|come back|get in touch|be in touch|reach out|contact|call|ring|phone|text|e?-?mail|write|reply|respond|answer|follow up|refund|reimburse|credit|process|send|resend|ship|dispatch|forward|pass|escalate|look (?:into|at)|investigate|check|review|arrange|schedule|book|cancel|update|change|fix|notify|inform|remind|let you know|keep you|make sure|take care|handle|sort|open a|create a|submit|transfer|get this|have it|help you (?:later|soon|shortly))",
    "(?:i am|i'm|we are|we're) (?:now |currently |already )?(?:processing|looking into|checking|forwarding|sending|escalating|arranging|cancel+ing|refunding|issuing)",
    "let me (?:check|look|find out|ask|get back|see|verify)",
    "(?:expect|wait for) (?:a|our|my) (?:call|reply|response|e?-?mail|answer)",
    "(?:i|we) (?:have|'ve)~(?:forwarded|escalated|cancel+ed|refunded|processed|notified|submitted|arranged|opened a ticket|created a ticket|passed)",
    "you(?: will|'ll) hear (?:back )?from",
    "give (?:me|us) (?:a|one|some) (?:moment|minute|second|time|few)",
  ],
};
