package roll.rollout.action;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.agent.AgentKit;
import roll.api.agent.Reply;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.rollout.action.ToolExecutor.End;
import roll.rollout.action.ToolExecutor.Outcome;

/**
 * Responses that call tools wait for their results; others, and what a tool says that ends the
 * episode, are the answer, which the world judges.
 */
public final class ToolActionHandler implements ActionHandler {
  /** Metrics of a step that are counts: an episode has their sum. */
  public static final String COUNT = "tool_calls";

  private final Episode episode;
  private final AgentKit kit;
  private final ToolExecutor calls;
  private List<Message> results = List.of();
  private boolean finished;

  /** Actions in {@code episode}, which depend on {@code seed} where they depend on chance. */
  public ToolActionHandler(Episode episode, AgentKit kit, long seed) {
    this.episode = episode;
    this.kit = kit;
    this.calls = new ToolExecutor(kit, seed);
  }

  @Override
  public Step step(String response, String text) throws InterruptedException {
    results = List.of();
    Reply reply = kit.type().read(text, kit.tools());
    if (!reply.executed()) {
      return judged(response, List.of());
    }
    List<Outcome> made = calls.execute(reply.calls());
    results = made.stream().map(m -> new Message("tool", m.observation(), m.tool())).toList();
    finished = made.getLast().end() == End.FINISHED;
    return finished
        ? judged(made.getLast().observation(), made)
        : new Step("", 0, false, false, counts(made));
  }

  /** The answer is the last thing that is said, whatever the world says to it. */
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
    return finished ? "terminal" : last.terminated() ? "no_tool_calls" : "truncated";
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
