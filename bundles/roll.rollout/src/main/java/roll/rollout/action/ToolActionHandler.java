package roll.rollout.action;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.agent.Reply;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.image.ImageSize;
import roll.api.image.PictureScale;
import roll.rollout.action.ToolExecutor.End;
import roll.rollout.action.ToolExecutor.Outcome;

/**
 * Executes the tool calls of the policy's responses. A response without calls is the answer, which
 * the environment judges; so is the result of a tool that ends the episode.
 */
public final class ToolActionHandler implements ActionHandler {
  /** Prefix of the step metrics that are counts; those of an episode are their sums. */
  public static final String COUNT = "tool_calls";

  private final Episode episode;
  private final AgentTools kit;
  private final UnaryOperator<ImageSize> seen;
  private final ToolExecutor calls;
  private @Nullable String read;
  private List<Message> results = List.of();
  private boolean finished;

  /**
   * Creates a handler for {@code episode}.
   *
   * @param seed for tools that use random numbers
   * @param seen maps the size of a picture to the size in which the model sees it
   */
  public ToolActionHandler(
      Episode episode, AgentTools kit, long seed, UnaryOperator<ImageSize> seen) {
    this.episode = episode;
    this.seen = seen;
    this.kit = kit;
    this.calls = new ToolExecutor(kit, seed);
  }

  @Override
  public int kept(String text) {
    return kit.type().kept(text);
  }

  @Override
  public Step step(String response, String text) throws InterruptedException {
    results = List.of();
    read = null;
    Reply reply = kit.type().read(text, kit.tools());
    if (!reply.executed()) {
      PictureScale scale = kit.type().pointsAtPictures() ? scale() : null;
      String answer = kit.type().answer(response, scale);
      read = answer.equals(response) ? null : answer;
      return judged(answer, List.of());
    }
    List<Outcome> made = calls.execute(reply.calls());
    results = made.stream().map(m -> new Message("tool", m.observation(), m.tool())).toList();
    finished = made.getLast().end() == End.FINISHED;
    return finished
        ? judged(made.getLast().observation(), made)
        : new Step("", 0, false, false, counts(made));
  }

  /** Returns the scale of the picture in the current observation; null without a picture. */
  private @Nullable PictureScale scale() {
    BufferedImage picture = episode.picture().orElse(null);
    if (picture == null) {
      return null;
    }
    ImageSize size = new ImageSize(picture.getWidth(), picture.getHeight());
    return new PictureScale(size, seen.apply(size));
  }

  @Override
  public @Nullable String read() {
    return read;
  }

  /** Steps the environment with the answer, which ends the episode. */
  private Step judged(String answer, List<Outcome> made) {
    Step step = episode.step(answer);
    Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
    metrics.putAll(counts(made));
    return new Step(
        step.observation(),
        step.reward(),
        finished || step.terminated(),
        step.truncated(),
        metrics);
  }

  private static Map<String, Double> counts(List<Outcome> made) {
    Map<String, Double> counts = new LinkedHashMap<>();
    counts.put(COUNT, (double) made.size());
    counts.put(COUNT + "/malformed", count(made, End.REFUSED));
    counts.put(COUNT + "/failed", count(made, End.FAILED));
    for (Outcome call : made) {
      if (call.end() != End.REFUSED) {
        counts.merge(COUNT + "/" + call.tool(), 1.0, Double::sum);
      }
    }
    return counts;
  }

  private static double count(List<Outcome> made, End end) {
    return made.stream().filter(call -> call.end() == end).count();
  }

  @Override
  public List<Message> results() {
    return results;
  }

  @Override
  public String finish(Step last) {
    return finished ? Trajectory.TERMINAL : last.terminated() ? "no_tool_calls" : "truncated";
  }

  @Override
  public String outOfTurns() {
    return "max_turns";
  }

  @Override
  public String outOfTokens() {
    return "max_model_len";
  }

  @Override
  public void close() {
    calls.close();
  }
}
