package roll.testkit;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.EpisodeView;
import roll.api.tool.ToolSchema;

/**
 * An episode as an agent sees it, for tests of agents: {@code new
 * TestEpisodeView().withActions("Up")}. Its text is a question mark, and an action is done in
 * brackets.
 *
 * @param image what is seen, or null where the episode is text
 * @param actions that are valid
 * @param best what an expert would do, or null where none knows
 * @param tools that the agent is to be told of
 */
public record TestEpisodeView(
    @Nullable BufferedImage image,
    List<String> actions,
    @Nullable String best,
    List<ToolSchema> tools)
    implements EpisodeView {
  /** One of text, in which nothing can be done. */
  public TestEpisodeView() {
    this(null, List.of(), null, List.of());
  }

  /** This one, seen as {@code other}. */
  public TestEpisodeView withImage(@Nullable BufferedImage other) {
    return new TestEpisodeView(other, actions, best, tools);
  }

  /** This one, in which {@code others} are valid. */
  public TestEpisodeView withActions(String... others) {
    return new TestEpisodeView(image, List.of(others), best, tools);
  }

  /** This one, in which an expert would do {@code other}. */
  public TestEpisodeView withBest(@Nullable String other) {
    return new TestEpisodeView(image, actions, other, tools);
  }

  /** This one with {@code others}. */
  public TestEpisodeView withTools(List<ToolSchema> others) {
    return new TestEpisodeView(image, actions, best, others);
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
  public String respond(String action) {
    return "[" + action + "]";
  }

  @Override
  public Optional<String> expert() {
    return Optional.ofNullable(best);
  }
}
