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
 * Converts an episode played by a program to a trajectory.
 *
 * @param context of the episode
 * @param episode of the environment, which receives the answer in a single step
 * @param session requests and completions of the program
 */
record ProgramEpisode(EpisodeContext context, Episode episode, AgentSession session) {
  private static final String CALLS = "tool_calls";

  /**
   * Returns the trajectory; it is ungraded if the program's reward is not finite.
   *
   * @throws EnvironmentException if the program sent no request
   */
  Trajectory trajectory(AgentResult result) {
    List<CapturedCompletion> answers = session.history().completions();
    if (answers.isEmpty()) {
      throw EnvironmentException.of("the program sent no request to the policy");
    }
    List<CapturedCompletion> ends = BranchSamples.ends(answers);
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
                .map(CapturedCompletion::number)
                .toList())
        .ofBranches();
  }

  /**
   * Returns the program's answer; an empty string if it gave none and the last completion calls
   * tools.
   */
  static @Nullable String answer(AgentResult result, CapturedCompletion last) {
    boolean calls = last.message().get(CALLS) instanceof List<?> made && !made.isEmpty();
    return result.answer() == null && calls ? "" : result.answer();
  }

  private static List<Message> conversation(CapturedCompletion last) {
    List<Message> messages = new ArrayList<>(last.request().shown());
    messages.add(new Message("assistant", last.text()));
    return List.copyOf(messages);
  }

  /** Returns the state hash of the last message before the completion. */
  private static long state(CapturedCompletion answer) {
    return Trajectory.state(answer.request().shown().getLast().content());
  }

  private Map<String, Double> counts(
      List<CapturedCompletion> answers, List<CapturedCompletion> ends, List<Sequence> samples) {
    int dropped = (int) answers.stream().filter(answer -> answer.isDropped(answers)).count();
    Map<String, Double> counts = new LinkedHashMap<>();
    counts.put("num_actions", (double) answers.size());
    counts.put("response_length", (double) samples.stream().mapToInt(Sequence::written).sum());
    counts.put("branches", (double) ends.size());
    counts.put("dropped_answers", (double) dropped);
    counts.putAll(calls(answers));
    return counts;
  }

  private Map<String, Double> calls(List<CapturedCompletion> answers) {
    int read = 0;
    int unread = 0;
    for (CapturedCompletion answer : answers) {
      read += answer.message().get(CALLS) instanceof List<?> calls ? calls.size() : 0;
      unread += HermesParser.blocks(String.valueOf(answer.message().get("content"))).size();
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
