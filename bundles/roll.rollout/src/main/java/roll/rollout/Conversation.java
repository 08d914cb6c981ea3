package roll.rollout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.api.strategy.Generation;

/**
 * One episode of {@link TrajectoryEnvManager} in progress: the tokens, the messages as text, the
 * rewards and the metrics of its turns.
 */
final class Conversation {
  private final EpisodeContext context;
  private final PromptTemplate template;
  private final Episode episode;
  private final Transcript transcript = new Transcript();
  private final List<Message> messages = new ArrayList<>();
  private final List<Double> rewards = new ArrayList<>();
  private final List<Long> states = new ArrayList<>();
  private final StepMetrics metrics = new StepMetrics();

  Conversation(EpisodeContext context, PromptTemplate template, Episode episode) {
    this.context = context;
    this.template = template;
    this.episode = episode;
  }

  Trajectory play() throws InterruptedException {
    context.recorder().look(episode);
    String observation = episode.observation();
    open(observation);
    String finish = transcript.length() < context.sequenceLength() ? "" : "max_length";
    for (int turn = 0; finish.isEmpty(); turn++) {
      states.add(Trajectory.state(observation));
      Generation response = respond(turn);
      Step step = episode.step(context.tokenizer().decode(response.tokens(), true));
      context.recorder().look(episode);
      if (!Double.isFinite(step.reward())) {
        throw new IllegalStateException("turn " + turn + " was rewarded with " + step.reward());
      }
      rewards.add(step.reward());
      observation = step.observation();
      metrics.add(step.metrics());
      if (step.done()) {
        finish = step.terminated() ? "terminated" : "truncated";
      } else if (turn + 1 >= context.config().maxSteps()) {
        finish = "max_steps";
      } else if (!observe(response, step.observation(), turn + 1)) {
        finish = "max_length";
      }
    }
    return trajectory(finish);
  }

  /** Starts the transcript; what is longer than a trajectory may be is cut off. */
  private void open(String observation) {
    String system = context.config().systemTemplate();
    if (system != null && !system.isBlank()) {
      messages.add(new Message("system", system));
    }
    String instruction = context.scenario().instruction();
    String first = instruction.isEmpty() ? "" : instruction + "\n";
    messages.add(new Message("user", first + prompt(observation, 0)));
    int[] opening = context.chat().opening(messages);
    transcript.append(Arrays.copyOf(opening, Math.min(opening.length, context.sequenceLength())));
  }

  private Generation respond(int turn) throws InterruptedException {
    int room = context.sequenceLength() - transcript.length();
    var sampling = context.sampling().withMaxNewTokens(Math.min(longestResponse(), room));
    Generation response = context.policy().respond(transcript.tokens(), sampling, turn);
    transcript.append(response, turn);
    String text = context.tokenizer().decode(response.tokens(), false);
    messages.add(new Message("assistant", text));
    return response;
  }

  /** Appends what the agent sees next; false, and nothing appended, if no response would fit. */
  private boolean observe(Generation response, String observation, int turn) {
    Message message = new Message("user", prompt(observation, turn));
    int[] more = context.chat().between(response.tokens(), List.of(message));
    if (transcript.length() + more.length >= context.sequenceLength()) {
      return false;
    }
    messages.add(message);
    transcript.append(more);
    return true;
  }

  private String prompt(String observation, int turn) {
    return template.fill(
        Map.of(
            "observation", observation,
            "turn_idx", String.valueOf(turn + 1),
            "suffix", "",
            "actions_left", String.valueOf(context.config().maxSteps() - turn),
            "max_response_length", String.valueOf(longestResponse())));
  }

  private int longestResponse() {
    int limit = context.config().maxTokensPerStep();
    int sampled = context.sampling().maxNewTokens();
    return limit > 0 ? Math.min(limit, sampled) : sampled;
  }

  private Trajectory trajectory(String finish) {
    Map<String, Double> aggregated = metrics.aggregate(context.scenario().aggregations());
    aggregated.put("num_actions", (double) rewards.size());
    aggregated.put("response_length", (double) transcript.written());
    return new Trajectory(
        context.config().tag(),
        context.group(),
        context.episode(),
        context.member(),
        context.seed(),
        transcript.tokens(),
        transcript.turns(),
        transcript.logProbs(),
        rewards.stream().mapToDouble(Double::doubleValue).toArray(),
        states.stream().mapToLong(Long::longValue).toArray(),
        List.copyOf(messages),
        Collections.unmodifiableMap(aggregated),
        finish);
  }
}
