package roll.runtime.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * What came of playing an episode again.
 *
 * @param frames the world as PNG: before turn 0, …, after the last turn; empty where it plays
 *     otherwise now, since these would not be the run's
 * @param otherwise in what it differs from what was recorded, a phrase; null where it does not
 */
public record ReplayedEpisode(List<Picture> frames, @Nullable String otherwise) {
  /** A list that nobody changes. */
  public ReplayedEpisode {
    frames = List.copyOf(frames);
  }
}
