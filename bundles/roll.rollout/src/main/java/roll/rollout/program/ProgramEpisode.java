package roll.rollout.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.rollout.supervise.EnvironmentException;
import roll.text.call.HermesParser;

/**
 * What a program has played.
 *
 * @param context of the episode
 * @param episode of the world, which is given the answer in a single step
 * @param session what the program asked
 */
record ProgramEpisode(EpisodeContext context, Episode episode, AgentSession session) {
  private static final String CALLS = "tool_calls";

  /**
   * The trajectory; not a graded one where the program's reward is no finite number.
   *
   * @throws EnvironmentException if the program asked nothing
   */
  Trajectory trajectory(AgentResult result) {
    List<CapturedAnswer> answers = session.history().answers();
    if (answers.isEmpty()) {
      throw EnvironmentException.gave("the program", "no question to the policy at all");
    }
    List<CapturedAnswer> ends = BranchSamples.ends(answers);
    List<Message> conversation = conversation(ends.getLast());
    String answer = answer(result, ends.getLast());
    Step step = episode.step(answer == null ? conversation.getLast().content() : answer);
    context.recorder().look(episode);
    double[] rewards = new double[answers.size()];
    boolean graded = Double.isFinite(result.reward());
    rewards[rewards.length - 1] = graded ? step.reward() + result.reward() : 0;
    List<Sequence> samples = BranchSamples.of(ends);
    Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
    metrics.putAll(counts(answers, ends, samples));
    metrics.putAll(result.metrics());
    if (!graded) {
      metrics.computeIfPresent(Step.SUCCESS, (name, value) -> 0.0);
      metrics.put(Trajectory.UNGRADED, 1.0);
    }
    return new Trajectory(
            context.key(),
            samples,
            rewards,
            answers.stream().mapToLong(ProgramEpisode::state).toArray(),
            conversation,
            Collections.unmodifiableMap(metrics),
            session.full() ? "max_length" : step.terminated() ? "terminated" : "truncated")
        .withFacts(episode.facts())
        .withAnswer(answer)
        .withCut(
            answers.stream()
                .filter(a -> !a.response().stopped())
                .map(CapturedAnswer::number)
                .toList())
        .ofBranches();
  }

  /** What the program says; without a word of it, an answer that calls tools is none. */
  static @Nullable String answer(AgentResult result, CapturedAnswer last) {
    boolean calls = last.said().get(CALLS) instanceof List<?> made && !made.isEmpty();
    return result.answer() == null && calls ? "" : result.answer();
  }

  private static List<Message> conversation(CapturedAnswer last) {
    List<Message> messages = new ArrayList<>(last.question().shown());
    messages.add(new Message("assistant", last.text()));
    return List.copyOf(messages);
  }

  /** What the model saw last. */
  private static long state(CapturedAnswer answer) {
    return Trajectory.state(answer.question().shown().getLast().content());
  }

  private Map<String, Double> counts(
      List<CapturedAnswer> answers, List<CapturedAnswer> ends, List<Sequence> samples) {
    int dropped = (int) answers.stream().filter(answer -> answer.isDropped(answers)).count();
    Map<String, Double> counts = new LinkedHashMap<>();
    counts.put("num_actions", (double) answers.size());
    counts.put("response_length", (double) samples.stream().mapToInt(Sequence::written).sum());
    counts.put("branches", (double) ends.size());
    counts.put("dropped_answers", (double) dropped);
    counts.putAll(calls(answers));
    return counts;
  }

  private Map<String, Double> calls(List<CapturedAnswer> answers) {
    int read = 0;
    int unread = 0;
    for (CapturedAnswer answer : answers) {
      read += answer.said().get(CALLS) instanceof List<?> calls ? calls.size() : 0;
      unread += HermesParser.blocks(String.valueOf(answer.said().get("content"))).size();
    }
    RunTools tools = session.tools();
    int refused = tools == null ? 0 : tools.refused();
    if (read + unread == 0) {
      return Map.of();
    }
    Map<String, Double> counts = new LinkedHashMap<>();
    counts.put(CALLS, (double) (read + unread));
    counts.put(CALLS + "/malformed", (double) (unread + refused));
    counts.put(CALLS + "/failed", tools == null ? 0 : (double) tools.failed());
    return counts;
  }
}
