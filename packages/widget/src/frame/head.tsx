import { Avatar } from "./avatar.tsx";
import type { Parts } from "./frame-state.ts";
import { closeIcon, icon, muteIcon, soundIcon } from "./icons.tsx";

/** The header: agents, sound, and the close button. */
export function Head({ config, t, host, here, back, frame, onMute }: Parts & { onMute(): void }) {
  return (
    <header>
      {here && config.online.length > 0 && (
        <span class="faces">
          {config.online.map(({ name, photo }) => (
            <Avatar name={name ?? config.team} photo={photo} />
          ))}
        </span>
      )}
      <div>
        <h1>
          <bdi>{config.team}</bdi>
        </h1>
        <p class={here ? "presence here" : "presence"}>{here ? t.$online : (back ?? t.$away)}</p>
      </div>
      <button type="button" aria-label={t.$sound} aria-pressed={!frame.muted} onClick={onMute}>
        {icon(frame.muted ? muteIcon : soundIcon)}
      </button>
      {parent !== window && (
        <button type="button" aria-label={t.$close} onClick={() => host.post({ type: "close" })}>
          {icon(closeIcon)}
        </button>
      )}
    </header>
  );
}
