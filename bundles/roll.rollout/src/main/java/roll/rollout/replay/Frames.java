package roll.rollout.replay;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.rollout.Recorder;

/** The pictures of an episode, as many as memory has room for. Used by the episode's thread. */
final class Frames implements Recorder {
  private static final int MOST = 1000;
  private static final long MOST_BYTES = 64L << 20;

  private final String world;
  private final List<Picture> pictures = new ArrayList<>();
  private long bytes;

  /**
   * None yet.
   *
   * @param world what it is called in messages
   */
  Frames(String world) {
    this.world = world;
  }

  /**
   * Draws {@code episode}.
   *
   * @throws UserException if it is not drawn, or there are too many pictures
   */
  @Override
  public void look(Episode episode) {
    Optional<BufferedImage> drawn = episode.render();
    if (drawn.isEmpty()) {
      throw new UserException(world + ": nobody draws it");
    }
    Picture picture = Picture.png(drawn.get());
    bytes += picture.size();
    if (pictures.size() == MOST || bytes > MOST_BYTES) {
      throw new UserException(
          "%s: its pictures are too many: at most %,d of together %d MB are drawn"
              .formatted(world, MOST, MOST_BYTES >> 20));
    }
    pictures.add(picture);
  }

  /** Those that were drawn so far. */
  List<Picture> pictures() {
    return List.copyOf(pictures);
  }
}
