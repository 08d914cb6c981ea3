package roll.api.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * One finished episode of a policy in an environment, token by token: as one sequence, as one a
 * turn, where the policy does not see the conversation so far but a prompt rebuilt, or as branches.
 *
 * @param key which episode it is
 * @param sequences the samples to train on: a single one, one a turn in order, or branches
 * @param rewards reward by turn
 * @param states state by turn, see {@link #state(String)}
 * @param messages the conversation as text
 * @param metrics what the environment reported, aggregated over the episode
 * @param finish why it ended: {@code terminated}, {@code max_steps}, {@code max_length} …; {@link
 *     #TERMINAL} where the last message, a tool's result, is the answer
 * @param environment name and version of the bundle it was played with; empty where not known
 * @param facts what is known of the task beside what the policy was told, such as the fields of a
 *     question's row; for rewards
 * @param answer what the policy's answer was read as, or null where nobody read it; of branches
 *     what the program that played them says, empty where nothing was answered
 * @param branches whether each sequence is a branch of the episode, which has its whole score;
 *     otherwise several sequences are one a turn, each with the reward of its own
 * @param cut turns whose response ended at the limit of its tokens, in their order
 */
public record Trajectory(
    TrajectoryKey key,
    List<Sequence> sequences,
    double[] rewards,
    long[] states,
    List<Message> messages,
    Map<String, Double> metrics,
    String finish,
    String environment,
    Map<String, Object> facts,
    @Nullable String answer,
    boolean branches,
    List<Integer> cut) {
  /** {@link #finish} of an episode that a tool ended: its result is the answer. */
  public static final String TERMINAL = "terminal";

  /** The metric of an episode that a reward could not grade: it counts as failed. */
  public static final String UNGRADED = "reward/ungraded";

  /** Facts and turns that nobody changes. */
  public Trajectory {
    cut = List.copyOf(cut);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** One of which nothing else is known. */
  public Trajectory(
      TrajectoryKey key,
      List<Sequence> sequences,
      double[] rewards,
      long[] states,
      List<Message> messages,
      Map<String, Double> metrics,
      String finish) {
    this(
        key, sequences, rewards, states, messages, metrics, finish, "", Map.of(), null, false,
        List.of());
  }

  /** The same, played with the bundle {@code environment}. */
  public Trajectory playedWith(String environment) {
    return with(rewards, metrics, environment, facts, answer, branches, cut);
  }

  /** The same with what is known of its task. */
  public Trajectory withFacts(Map<String, ?> facts) {
    return with(rewards, metrics, environment, new LinkedHashMap<>(facts), answer, branches, cut);
  }

  /** The same with what its answer was read as. */
  public Trajectory withAnswer(@Nullable String answer) {
    return with(rewards, metrics, environment, facts, answer, branches, cut);
  }

  /** The same with other rewards by turn and other metrics. */
  public Trajectory withRewards(double[] rewards, Map<String, Double> metrics) {
    Map<String, Double> copy = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    return with(rewards, copy, environment, facts, answer, branches, cut);
  }

  /** The same whose sequences are branches, each with the score of the episode. */
  public Trajectory ofBranches() {
    return with(rewards, metrics, environment, facts, answer, true, cut);
  }

  /** The same whose responses of the turns {@code cut} ended at the limit of their tokens. */
  public Trajectory withCut(List<Integer> cut) {
    return with(rewards, metrics, environment, facts, answer, branches, cut);
  }

  private Trajectory with(
      double[] rewards,
      Map<String, Double> metrics,
      String environment,
      Map<String, Object> facts,
      @Nullable String answer,
      boolean branches,
      List<Integer> cut) {
    return new Trajectory(
        key,
        sequences,
        rewards,
        states,
        messages,
        metrics,
        finish,
        environment,
        facts,
        answer,
        branches,
        cut);
  }

  /** Whether its rewards are verdicts: not where a reward failed, see {@link #UNGRADED}. */
  public boolean graded() {
    return !metrics.containsKey(UNGRADED);
  }

  /** Whether the response of the last turn ended at the limit of its tokens. */
  public boolean endsCut() {
    return !cut.isEmpty() && cut.getLast() == rewards.length - 1;
  }

  /**
   * The answer: what the policy said last, or the result of a tool that ended the episode with it;
   * what the program says that played the episode. Empty where there is none, as in an episode that
   * is cut while a call of a tool waits for what comes of it.
   */
  public String finalResponse() {
    if (branches && answer != null) {
      return answer;
    }
    return answered() ? messages.getLast().content() : "";
  }

  /** Whether there is an answer, see {@link #finalResponse}. */
  public boolean answered() {
    if (branches && answer != null) {
      return !answer.isEmpty();
    }
    if (messages.isEmpty()) {
      return false;
    }
    String role = messages.getLast().role();
    return role.equals("assistant") || (role.equals("tool") && finish.equals(TERMINAL));
  }

  /** The state an agent sees as {@code observation}: equal for equal texts (64 bits of SHA-256). */
  public static long state(String observation) {
    try {
      byte[] text = observation.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /**
   * The same of an agent that sees {@code pictures} too: equal for equal ones.
   *
   * @param pictures those of the turn; without any it is that of the text
   */
  public static long state(String observation, List<Picture> pictures) {
    return pictures.isEmpty()
        ? state(observation)
        : state(
            pictures.stream().map(Picture::digest).collect(Collectors.joining(" "))
                + "\n"
                + observation);
  }

  /** Sum of the rewards of all turns. */
  public double score() {
    double sum = 0;
    for (double reward : rewards) {
      sum += reward;
    }
    return sum;
  }

  /**
   * Sum of the rewards of the turns in sequence {@code number}: of all of them, where there is only
   * one sequence, or where it is a branch.
   */
  public double score(int number) {
    return branches || sequences.size() == 1 ? score() : rewards[number];
  }

  /** Number of tokens the policy wrote. */
  public int written() {
    return sequences.stream().mapToInt(Sequence::written).sum();
  }

  /** Name of the custom environment. */
  public String tag() {
    return key.tag();
  }

  /** Name of its group, see {@link TrajectoryKey#groupId}. */
  public String groupId() {
    return key.groupId();
  }

  /** Its own name, see {@link TrajectoryKey#id}. */
  public String id() {
    return key.id();
  }
}
