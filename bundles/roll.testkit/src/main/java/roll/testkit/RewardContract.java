package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.runtime.option.YamlOptions;

/**
 * What every {@link RewardFunction} must keep. A plugin's test extends this class, says how to make
 * the function, and inherits the tests.
 */
public abstract class RewardContract {
  /** A new instance of the function under test. */
  protected abstract RewardFunction function();

  /** The options to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** What is known of the task in the episodes to test with. */
  protected Map<String, Object> facts() {
    return Map.of();
  }

  /** The reward with {@code options}. */
  protected final Reward reward(Map<String, Object> options) {
    RewardFunction function = function();
    return function.configure(YamlOptions.checked("rewards", options, function.options()));
  }

  /** What {@code reward} gives {@code episode}, asking no model. */
  protected static double score(Reward reward, Trajectory episode) {
    return grade(reward, episode).score();
  }

  /** What the reward with {@code options} gives {@code episode}, asking no model. */
  protected final double score(Map<String, Object> options, Trajectory episode) {
    return score(reward(options), episode);
  }

  /** The whole grade that {@code reward} gives {@code episode}, asking no model. */
  protected static Grade grade(Reward reward, Trajectory episode) {
    try {
      return reward.grade(episode, RewardModels.NONE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * An episode of one turn for each response, with reward 0; the world says {@code turn 0}, {@code
   * turn 1} …
   */
  protected static Trajectory episode(String... responses) {
    int turns = responses.length;
    List<Message> messages = new ArrayList<>();
    int[] tokens = new int[2 * turns];
    int[] of = new int[2 * turns];
    long[] versions = new long[2 * turns];
    for (int turn = 0; turn < turns; turn++) {
      messages.add(new Message("user", "turn " + turn));
      messages.add(new Message("assistant", responses[turn]));
      of[2 * turn] = -1;
      of[2 * turn + 1] = turn;
      versions[2 * turn] = -1;
    }
    return new Trajectory(
        new TrajectoryKey("Test", 0, 0, 0, 42),
        List.of(new Sequence(tokens, of, new double[2 * turns], versions)),
        new double[turns],
        new long[turns],
        messages,
        Map.of("success", 0.0),
        "terminated");
  }

  /** It says what it is, and its own standard values have the types it declares. */
  @Test
  void describesItself() {
    RewardFunction function = function();
    assertFalse(function.description().isBlank(), "the description is empty");
    OptionDeclarations.check(function.options());
    assertFalse(
        YamlOptions.names(function.options()).contains("weight"),
        "weight is what the run multiplies by");
    reward(options());
  }

  /** Whatever was written, in however many turns, the score is a finite number. */
  @Test
  void anyEpisodeHasAFiniteScore() {
    Reward reward = reward(options());
    for (Trajectory episode : episodes()) {
      double score = score(reward, episode);
      assertTrue(Double.isFinite(score), () -> score + " for " + episode.messages());
    }
  }

  /** The same episode earns the same, by the same and by another instance. */
  @Test
  void theEpisodeAloneDecides() {
    Reward reward = reward(options());
    for (Trajectory episode : episodes()) {
      double score = score(reward, episode);
      assertEquals(score, score(reward, episode));
      assertEquals(score, score(options(), episode));
    }
  }

  /** Many threads ask at once. */
  @Test
  void manyThreadsMayAsk() throws Exception {
    Reward reward = reward(options());
    List<Callable<Double>> asks = new ArrayList<>();
    for (int copy = 0; copy < 8; copy++) {
      episodes().forEach(episode -> asks.add(() -> score(reward, episode)));
    }
    List<Double> alone = episodes().stream().map(e -> score(reward, e)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Double>> scores = threads.invokeAll(asks);
      for (int i = 0; i < scores.size(); i++) {
        assertEquals(alone.get(i % alone.size()), scores.get(i).get());
      }
    }
  }

  /** The episode is read, and stays as it is. */
  @Test
  void theEpisodeIsLeftAlone() {
    Trajectory episode = episode("Up", "", "Down").withFacts(facts());
    score(options(), episode);
    Trajectory untouched = episode("Up", "", "Down");
    assertArrayEquals(untouched.rewards(), episode.rewards());
    assertEquals(untouched.messages(), episode.messages());
    assertArrayEquals(
        untouched.sequences().getFirst().tokens(), episode.sequences().getFirst().tokens());
  }

  private List<Trajectory> episodes() {
    List<Trajectory> episodes = new ArrayList<>();
    episodes.add(episode()); // cut short before its first turn
    episodes.add(episode("Up", "Down", "<answer>Left</answer>"));
    for (String text : OddTexts.ALL) {
      episodes.add(episode(text));
      episodes.add(episode("Up", text));
    }
    return episodes.stream().map(episode -> episode.withFacts(facts())).toList();
  }
}
