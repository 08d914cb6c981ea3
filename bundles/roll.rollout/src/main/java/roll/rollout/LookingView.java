package roll.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.rollout.EpisodeView;

/** What of an episode can be looked at. */
record LookingView(Episode episode) implements EpisodeView {
  @Override
  public String observation() {
    return episode.observation();
  }

  @Override
  public Optional<BufferedImage> picture() {
    return episode.picture();
  }

  @Override
  public List<String> actions() {
    return episode.actions();
  }

  @Override
  public String respond(String action) {
    return episode.respond(action);
  }

  @Override
  public Optional<String> expert() {
    return episode.expert();
  }
}
