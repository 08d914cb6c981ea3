package roll.testkit;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.EpisodeView;
import roll.api.tool.ToolSchema;

/**
 * An episode as an agent sees it, for tests of agents: {@code new
 * TestEpisodeView().withActions("Up")}. The observation is a question mark; responses are actions
 * in brackets.
 *
 * @param image the picture, or null in an episode of text
 * @param actions valid actions
 * @param best the expert's action, or null without an expert
 * @param tools tools of the agent
 */
public record TestEpisodeView(
    @Nullable BufferedImage image,
    List<String> actions,
    @Nullable String best,
    List<ToolSchema> tools)
    implements EpisodeView {
  /** Creates an episode of text without valid actions. */
  public TestEpisodeView() {
    this(null, List.of(), null, List.of());
  }

  /** Returns this episode with the picture {@code other}. */
  public TestEpisodeView withImage(@Nullable BufferedImage other) {
    return new TestEpisodeView(other, actions, best, tools);
  }

  /** Returns this episode with the valid actions {@code others}. */
  public TestEpisodeView withActions(String... others) {
    return new TestEpisodeView(image, List.of(others), best, tools);
  }

  /** Returns this episode with the expert's action {@code other}. */
  public TestEpisodeView withBest(@Nullable String other) {
    return new TestEpisodeView(image, actions, other, tools);
  }

  /** Returns this episode with the tools {@code others}. */
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
