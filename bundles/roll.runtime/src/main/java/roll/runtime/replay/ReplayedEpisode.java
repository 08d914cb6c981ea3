package roll.runtime.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * The result of replaying an episode.
 *
 * @param frames the world as PNG: before turn 0, …, after the last turn; empty if the replay
 *     differs from the recording
 * @param otherwise first difference from the recording, a phrase; null if there is none
 */
public record ReplayedEpisode(List<Picture> frames, @Nullable String otherwise) {
  /** Creates a replayed episode with an immutable copy of the list. */
  public ReplayedEpisode {
    frames = List.copyOf(frames);
  }
}
