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
 * The guarantees of every {@link RewardFunction}. A plugin's test extends this class, creates the
 * function, and inherits the tests.
 */
public abstract class RewardContract {
  /** Returns a new instance of the function under test. */
  protected abstract RewardFunction function();

  /** Returns the options to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** Returns the facts of the task in the episodes to test with. */
  protected Map<String, Object> facts() {
    return Map.of();
  }

  /** Returns the reward with {@code options}. */
  protected final Reward reward(Map<String, Object> options) {
    RewardFunction function = function();
    return function.configure(YamlOptions.checked("rewards", options, function.options()));
  }

  /** Returns the score that {@code reward} gives {@code episode} without reward models. */
  protected static double score(Reward reward, Trajectory episode) {
    return grade(reward, episode).score();
  }

  /** Returns the score of {@code episode} with {@code options}, without reward models. */
  protected final double score(Map<String, Object> options, Trajectory episode) {
    return score(reward(options), episode);
  }

  /** Returns the grade that {@code reward} gives {@code episode} without reward models. */
  protected static Grade grade(Reward reward, Trajectory episode) {
    try {
      return reward.grade(episode, RewardModels.NONE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Returns an episode with one turn per response and reward 0; its observations are {@code turn
   * 0}, {@code turn 1} …
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

  @ContractTest(
      value =
          "A reward function has a description and valid option declarations, none of them "
              + "named weight.",
      look = "description() and options()")
  void describesItself() {
    RewardFunction function = function();
    assertFalse(function.description().isBlank(), "the description is empty");
    OptionDeclarations.check(function.options());
    assertFalse(
        YamlOptions.names(function.options()).contains("weight"),
        "an option is named weight, which is a key of the run");
    reward(options());
  }

  @ContractTest(
      value = "Any episode has a finite score, whatever the responses and the number of turns.",
      look = "grade(): parsing of responses, and episodes without a turn")
  void anyEpisodeHasAFiniteScore() {
    Reward reward = reward(options());
    for (Trajectory episode : episodes()) {
      double score = score(reward, episode);
      assertTrue(Double.isFinite(score), () -> "score " + score + " for " + episode.messages());
    }
  }

  @ContractTest(
      value =
          "The score depends on the episode alone: two calls and two instances give the same "
              + "score.",
      look = "grade(): state between calls")
  void theEpisodeAloneDecides() {
    Reward reward = reward(options());
    for (Trajectory episode : episodes()) {
      double score = score(reward, episode);
      assertEquals(score, score(reward, episode), () -> "second call for " + episode.messages());
      assertEquals(
          score, score(options(), episode), () -> "second instance for " + episode.messages());
    }
  }

  @ContractTest(
      value = "One reward grades episodes on many threads at once.",
      look = "fields of the reward that are modified without synchronization")
  void manyThreadsMayGrade() throws Exception {
    Reward reward = reward(options());
    List<Trajectory> episodes = episodes();
    List<Callable<Double>> asks = new ArrayList<>();
    for (int copy = 0; copy < 4; copy++) {
      episodes.forEach(episode -> asks.add(() -> score(reward, episode)));
    }
    List<Double> alone = episodes.stream().map(e -> score(reward, e)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Double>> scores = threads.invokeAll(asks);
      for (int i = 0; i < scores.size(); i++) {
        assertEquals(alone.get(i % alone.size()), scores.get(i).get());
      }
    }
  }

  @ContractTest(
      value = "Grading does not modify the episode.",
      look = "grade(): lists and arrays of the episode that it writes")
  void theEpisodeIsNotModified() {
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
    episodes.add(episode()); // truncated before its first turn
    episodes.add(episode("Up", "Down", "<answer>Left</answer>"));
    for (String text : MalformedTexts.ALL) {
      episodes.add(episode(text));
      episodes.add(episode("Up", text));
    }
    return episodes.stream().map(episode -> episode.withFacts(facts())).toList();
  }
}
