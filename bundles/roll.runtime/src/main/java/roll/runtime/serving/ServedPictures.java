package roll.runtime.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.runtime.vision.PictureTokens;

/**
 * What a served model sees.
 *
 * @param tokens of pictures in its conversations, or null where it does not see
 * @param most pictures of one request
 * @param hosts that pictures may be fetched from, by name; * for any, none for no picture but those
 *     in the requests themselves
 */
public record ServedPictures(@Nullable PictureTokens tokens, int most, List<String> hosts) {
  /** Nothing. */
  public static final ServedPictures NONE = new ServedPictures(null, 0, List.of());

  /** Copies the hosts. */
  public ServedPictures {
    hosts = List.copyOf(hosts);
  }
}
