package roll.agent.openai;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.EpisodeView;
import roll.api.tool.ToolSchema;

/**
 * A world that is seen as text, or as a picture.
 *
 * @param image the picture, or null
 * @param tools that the agent is to be told of
 */
record World(@Nullable BufferedImage image, List<ToolSchema> tools) implements EpisodeView {
  /** A world of text with {@code tools}. */
  World(List<ToolSchema> tools) {
    this(null, tools);
  }

  @Override
  public String observation() {
    return "?";
  }

  @Override
  public Optional<BufferedImage> picture() {
    return Optional.ofNullable(image);
  }

  @Override
  public List<String> actions() {
    return List.of();
  }

  @Override
  public String respond(String action) {
    return action;
  }

  @Override
  public Optional<String> expert() {
    return Optional.empty();
  }
}
