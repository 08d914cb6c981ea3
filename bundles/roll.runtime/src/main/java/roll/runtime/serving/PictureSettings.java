package roll.runtime.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.runtime.vision.PictureTokens;

/**
 * Picture input of a served model.
 *
 * @param tokens converts pictures to tokens; null if the model takes no pictures
 * @param most maximum number of pictures of one request
 * @param hosts that pictures may be fetched from; * for any; empty to accept only pictures inside
 *     requests
 */
public record PictureSettings(@Nullable PictureTokens tokens, int most, List<String> hosts) {
  /** Settings of a server that takes no pictures. */
  public static final PictureSettings NONE = new PictureSettings(null, 0, List.of());

  /** Creates the picture settings with immutable copies of the hosts. */
  public PictureSettings {
    hosts = List.copyOf(hosts);
  }
}
