package roll.rollout.replay;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.rollout.Recorder;

/**
 * Records the rendered frames of an episode, up to a memory limit. Confined to the episode's
 * thread.
 */
final class FrameRecorder implements Recorder {
  private static final int MOST = 1000;
  private static final long MOST_BYTES = 64L << 20;

  private final String world;
  private final List<Picture> pictures = new ArrayList<>();
  private long bytes;

  /**
   * Creates a recorder without frames.
   *
   * @param world name of the environment in messages
   */
  FrameRecorder(String world) {
    this.world = world;
  }

  /**
   * Renders the current state of {@code episode} as a frame.
   *
   * @throws UserException if it cannot be rendered, or there are too many frames
   */
  @Override
  public void look(Episode episode) {
    Optional<BufferedImage> drawn = episode.render();
    if (drawn.isEmpty()) {
      throw new UserException(world + ": cannot be rendered");
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

  /** Returns the recorded frames. */
  List<Picture> pictures() {
    return List.copyOf(pictures);
  }
}
