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
 * One finished episode of a policy in an environment, token by token: as a single sequence, as one
 * sequence per turn if the prompt is rebuilt each turn, or as branches.
 *
 * @param key which episode it is
 * @param sequences the training samples: a single one, one per turn in order, or branches
 * @param rewards reward by turn
 * @param states state by turn, see {@link #state(String)}
 * @param messages the conversation as text
 * @param metrics metrics of the environment, aggregated over the episode
 * @param finish why it ended: {@code terminated}, {@code max_steps}, {@code max_length} …; {@link
 *     #TERMINAL} if the last message, a tool result, is the answer
 * @param environment name and version of the environment's bundle; empty if unknown
 * @param facts data about the task for rewards, not shown to the policy, such as the fields of a
 *     dataset row
 * @param answer the answer extracted from the policy's response, or null if none was extracted; for
 *     branches the answer reported by the external program, empty if there is none
 * @param branches whether each sequence is a branch with the score of the whole episode; otherwise
 *     several sequences are one per turn, each with the reward of its turn
 * @param cut turns whose response reached the token limit, ascending
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
  /** {@link #finish} of an episode that a tool ended; the tool result is the answer. */
  public static final String TERMINAL = "terminal";

  /** Name of the metric of an episode that a reward could not grade: it counts as failed. */
  public static final String UNGRADED = "reward/ungraded";

  /** Creates a trajectory with immutable copies of the collections. */
  public Trajectory {
    cut = List.copyOf(cut);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** A trajectory with defaults for the remaining components. */
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

  /** Returns this trajectory with the environment's bundle. */
  public Trajectory playedWith(String environment) {
    return with(rewards, metrics, environment, facts, answer, branches, cut);
  }

  /** Returns this trajectory with other facts of the task. */
  public Trajectory withFacts(Map<String, ?> facts) {
    return with(rewards, metrics, environment, new LinkedHashMap<>(facts), answer, branches, cut);
  }

  /** Returns this trajectory with another extracted answer. */
  public Trajectory withAnswer(@Nullable String answer) {
    return with(rewards, metrics, environment, facts, answer, branches, cut);
  }

  /** Returns this trajectory with other rewards by turn and other metrics. */
  public Trajectory withRewards(double[] rewards, Map<String, Double> metrics) {
    Map<String, Double> copy = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    return with(rewards, copy, environment, facts, answer, branches, cut);
  }

  /** Returns this trajectory with its sequences marked as branches. */
  public Trajectory ofBranches() {
    return with(rewards, metrics, environment, facts, answer, true, cut);
  }

  /** Returns this trajectory with other {@link #cut} turns. */
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

  /** Whether all rewards could grade it, see {@link #UNGRADED}. */
  public boolean graded() {
    return !metrics.containsKey(UNGRADED);
  }

  /** Whether the response of the last turn reached the token limit. */
  public boolean endsCut() {
    return !cut.isEmpty() && cut.getLast() == rewards.length - 1;
  }

  /**
   * The answer: the policy's last message, the result of a tool that ended the episode, or the
   * answer reported by an external program. Empty if there is none, as in an episode that was
   * truncated during a tool call.
   */
  public String finalResponse() {
    if (branches && answer != null) {
      return answer;
    }
    return answered() ? messages.getLast().content() : "";
  }

  /** Whether the trajectory has an extracted answer, see {@link #finalResponse}. */
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

  /** The state of an observation: equal for equal texts (64 bits of SHA-256). */
  public static long state(String observation) {
    try {
      byte[] text = observation.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /**
   * The state of an observation with pictures: equal for equal texts and pictures.
   *
   * @param pictures pictures of the turn; if empty, the result is that of {@link #state(String)}
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
   * Sum of the rewards of the turns in sequence {@code number}: of all turns if there is only one
   * sequence or it is a branch.
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

  /** Name of the trajectory's group, see {@link TrajectoryKey#groupId}. */
  public String groupId() {
    return key.groupId();
  }

  /** Name of the trajectory, see {@link TrajectoryKey#id}. */
  public String id() {
    return key.id();
  }
}
