package roll.shell.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.math.GroupMoments;
import roll.shell.Gogo;

/** {@code estimator} with two small estimators. */
class EstimatorCommandTest {
  private static final String BATCH =
      "{\"token_level_rewards\":[[0,0,1],[0,0.5]],\"response_mask\":[[1,0,1],[1,true]]";

  @TempDir Path folder;

  private final EstimatorCommand command =
      new EstimatorCommand(
          List.of(
              Map.entry(Map.of("roll.estimator", "togo"), new ToGo()),
              Map.entry(
                  Map.of("roll.estimator", new String[] {"centred", "middle"}), new Centred())));

  @Test
  void listsWhatIsRegistered() {
    assertEquals(
        """
        id       computes                          also called
        centred  turn rewards less the mean state  middle
        togo     reward to go\
        """,
        run("list"));
    assertTrue(
        run("list", "--json")
            .startsWith("[{\"id\":\"centred\",\"names\":[\"centred\",\"middle\"]"));
  }

  @Test
  void showsFormulaAndAComputedExample() {
    assertEquals(
        """
        togo: reward to go

        formula:
          A_t = r_t + γ · A_{t+1}

        whitened:
          yes, unless whiten_advantages is false

        paper:
          Williams 1992

        options:
          scale: multiplies
            number from 0 to 9, default 1

        example:
          token_level_rewards [[0.0,0.0,0.0,1.0],[0.0,0.0,0.0]]
          response_mask [[1.0,0.0,1.0,1.0],[1.0,1.0,1.0]]
          index [0,0]
          results in
          raw_advantages [[1.0,0.0,1.0,1.0],[0.0,0.0,0.0]]
          advantages [[0.912871,0.0,0.912871,0.912871],[-0.912871,-0.912871,-0.912871]]
          returns [[1.0,0.0,1.0,1.0],[0.0,0.0,0.0]]\
        """,
        run("show", "togo"));
    assertTrue(run("show", "middle", "--json").contains("\"needs\":[\"states\"]"));
  }

  @Test
  void computesABatchWithRowsLikeTheInput() {
    String plain = "whiten_advantages=false";
    assertEquals(
        "{\"raw_advantages\":[[0.5,0.0,1.0],[0.25,0.5]],\"advantages\":[[0.5,0.0,1.0],[0.25,0.5]],"
            + "\"returns\":[[0.5,0.0,1.0],[0.25,0.5]]}",
        tried("togo", BATCH + "}", "gamma=0.5", plain));
    assertEquals(
        "{\"raw_advantages\":[[2.0,0.0,2.0],[1.0,1.0]],\"advantages\":[[1.5,0.0,1.5],[1.0,1.0]],"
            + "\"returns\":[[2.0,0.0,2.0],[1.0,1.0]]}",
        tried("togo", BATCH + "}", "scale=2", plain, "advantage_clip=1.5"));
    assertEquals(
        "{\"raw_advantages\":[[1.0,0.0,1.0],[0.5,0.5]],"
            + "\"advantages\":[[0.8660253,0.0,0.8660253],[-0.8660253,-0.8660253]],"
            + "\"returns\":[[1.0,0.0,1.0],[0.5,0.5]]}",
        tried("togo", BATCH + "}").replaceAll("(\\.\\d{7})\\d+", "$1"));
  }

  /** Outcomes 1 and .5 of two groups, and of one: ROLL's reward_normalization. */
  @Test
  void normalisesOutcomesAsThePipelineDoes() {
    String batch = BATCH + ",\"index\":[\"a\",\"b\"]}";
    assertTrue(
        tried("togo", batch, "method=mean", "grouping=traj_group_id")
            .startsWith("{\"raw_advantages\":[[0.0,0.0,0.0],[0.0,0.0]],"));
    assertTrue(
        tried("togo", batch, "reward_normalization.method=mean")
            .startsWith("{\"raw_advantages\":[[0.25,0.0,0.25],[-0.25,-0.25]],"));
  }

  /** β = .5 of KL 1 on the first token, 9 outside the mask, −1 on the last one of row 2. */
  @Test
  void takesTheKlPenaltyOff() {
    String kl = BATCH + ",\"old_log_probs\":[[0,9,0],[0,-1]],\"ref_log_probs\":[[-1,0,0],[0,0]]}";
    assertEquals(
        "{\"raw_advantages\":[[0.5,0.0,1.0],[1.0,1.0]],\"advantages\":[[0.5,0.0,1.0],[1.0,1.0]],"
            + "\"returns\":[[0.5,0.0,1.0],[1.0,1.0]]}",
        tried("togo", kl, "kl_coef=0.5", "whiten_advantages=false"));
    assertEquals(
        "{\"raw_advantages\":[[0.75,0.0,1.0],[0.25,0.25]],\"advantages\":[[0.75,0.0,1.0],[0.25,"
            + "0.25]],\"returns\":[[0.75,0.0,1.0],[0.25,0.25]]}",
        tried("togo", kl, "init_kl_coef=0.5", "kl_penalty=k2", "whiten_advantages=false"));
  }

  /** Two turns in states a and b, and one of two tokens in state b: means 0 and .5. */
  @Test
  void statesMayBeWrittenByTurn() {
    String expected = "{\"raw_advantages\":[[0.0,0.0,0.5],[-0.5,0.0]],";
    assertTrue(
        tried("centred", BATCH + ",\"states\":[[\"a\",\"b\"],[\"b\"]]}").startsWith(expected));
    assertTrue(tried("centred", BATCH + ",\"states\":[[1,0,2],[2,2]]}").startsWith(expected));
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "estimator: no estimator 'tog' (registered: centred, middle, togo); did you mean 'togo'?",
        mistake("show", "tog"));
    assertTrue(mistake("show").startsWith("estimator: expected list, show <id> or try <id>"));
    assertEquals(
        "no file '" + folder.resolve("none.json") + "'",
        mistake("try", "togo", folder.resolve("none.json").toString()));
    assertMistake("column 'response_mask' is missing", "{\"token_level_rewards\":[[0]]}");
    assertMistake(
        "response_mask[0]: expected 1 numbers, found 2",
        "{\"token_level_rewards\":[[0]],\"response_mask\":[[1,1]]}");
    assertMistake(
        "token_level_rewards[0][1]: expected a number, found '\"x\"'",
        "{\"token_level_rewards\":[[0,\"x\"]],\"response_mask\":[[1,1]]}");
    assertMistake("expected a JSON object with columns", "[]");
    assertMistake(
        "not JSON: it is incomplete (line 1, column 24, at token_level_rewards)",
        "{\"token_level_rewards\":");
    assertMistake("unknown column 'indx' (allowed: ", BATCH + ",\"indx\":[0,0]}");
    assertMistake("; did you mean 'index'?", BATCH + ",\"indx\":[0,0]}");
    assertMistake(
        "estimator try: unknown key 'gama' (allowed: gamma, lambd, method, grouping, kl_coef,"
            + " kl_penalty, whiten_advantages, advantage_clip, scale); did you mean 'gamma'?",
        BATCH + "}",
        "gama=1");
    assertMistake("estimator try.gamma: expected number, found 'x'", BATCH + "}", "gamma=x");
    assertMistake("expected key=value, found 'gamma'", BATCH + "}", "gamma");
  }

  private void assertMistake(String part, String json, String... more) {
    String found = assertThrows(UserException.class, () -> tried("togo", json, more)).getMessage();
    assertTrue(found.contains(part) && !found.contains("\n"), found);
  }

  private String tried(String id, String json, String... more) {
    Path file = folder.resolve("batch.json");
    try {
      Files.writeString(file, json);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    String[] all = Arrays.copyOf(new String[] {"try", id, file.toString()}, 3 + more.length);
    System.arraycopy(more, 0, all, 3, more.length);
    return run(all);
  }

  private String mistake(String... arguments) {
    return assertThrows(UserException.class, () -> run(arguments)).getMessage();
  }

  private String run(String... arguments) {
    try (Gogo gogo = new Gogo(command, "estimator")) {
      return gogo.call(command, arguments).replace(System.lineSeparator(), "\n");
    }
  }

  /** Rewards to go, whitened, times an option. */
  private static final class ToGo implements AdvantageEstimator {
    private static final Option<Double> SCALE =
        Option.number("scale", 0, 9, "multiplies").withDefault(1.0);

    @Override
    public EstimatorInfo info() {
      return EstimatorInfo.of("reward to go", "A_t = r_t + γ · A_{t+1}", "Williams 1992")
          .whitened()
          .withOptions(SCALE);
    }

    @Override
    public Advantages estimate(TokenRewards rewards, Options options) {
      double scale = options.get(SCALE);
      return Advantages.of(
          Arrays.stream(rewards.rewardsToGo(rewards.gamma())).map(a -> scale * a).toArray());
    }
  }

  /** Each reward less the mean of its state. */
  private static final class Centred implements AdvantageEstimator {
    @Override
    public EstimatorInfo info() {
      return EstimatorInfo.of("turn rewards less the mean state", "A_t = r_t − μ", "none")
          .withNeeds(Batch.STATES)
          .withExample(
              TokenRewards.of(new double[][] {{1}}, new int[][] {{1}}).withColumn(Batch.STATES, 3));
    }

    @Override
    public Advantages estimate(TokenRewards rewards, Options options) {
      int[] states = rewards.column(Batch.STATES);
      double[] cells = rewards.rewards().clone();
      Arrays.setAll(cells, t -> rewards.layout().mask()[t] ? cells[t] : 0);
      GroupMoments moments = GroupMoments.of(cells, states);
      double[] centred = new double[cells.length];
      Arrays.setAll(centred, t -> rewards.layout().mask()[t] ? cells[t] - moments.mean(t) : 0);
      return Advantages.of(centred);
    }
  }
}
